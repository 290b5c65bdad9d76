import type { Archive } from '../archive/index.js'
import { LARGEST_TEXT } from '../limits.js'
import { listOf, parseFields } from './fields.js'
import { textOf } from './numbers.js'
import { readSliceInfo } from './slice-info.js'

/** What the archive says of a plate's printer, for readers of its G-code. */
export interface PlateRecord {
  /** Settings by name, as slicers write them into G-code. */
  readonly settings: Readonly<Record<string, string>>
  /** Logical nozzle of each filament, from 0; undefined if it is unknown or left to the printer. */
  readonly nozzleByFilament: readonly number[] | undefined
}

const LIMITS = ['speed', 'acceleration', 'jerk'].flatMap(name => ['x', 'y', 'z', 'e'].map(axis => `${name}_${axis}`))
  .concat('acceleration_extruding', 'acceleration_travel', 'acceleration_retracting')
  .map(name => `machine_max_${name}`)

/** How the items of a list are joined in G-code. Which filaments there are is left out: the G-code has its own. */
const SETTINGS: Readonly<Record<string, string>> = {
  printer_model: '',
  printable_area: ',',
  printable_height: ',',
  bed_exclude_area: ',',
  extruder_printable_area: '#',
  extruder_printable_height: ',',
  filament_self_index: ',',
  filament_diameter: ',',
  filament_density: ',',
  filament_max_volumetric_speed: ',',
  nozzle_temperature_range_low: ',',
  machine_prepare_compensation_time: ',',
  machine_load_filament_time: ',',
  machine_unload_filament_time: ',',
  machine_switch_extruder_time: ',',
  ...Object.fromEntries(LIMITS.map(name => [name, ',']))
}

/** Reads what an archive says of a plate beside its G-code; empty without it. */
export async function readRecord (archive: Archive, plate: number): Promise<PlateRecord> {
  const text = async (name: string) => (await archive.read(name, LARGEST_TEXT))?.toString('utf8')
  const fields = parseFields(await text('Metadata/project_settings.config')) ?? {}
  const sliced = readSliceInfo(await text('Metadata/slice_info.config') ?? '').get(plate)
  const nozzles = sliced?.filamentExtruders.map(extruder => extruder - 1) ?? []
  const isLeftToPrinter = [fields.enable_filament_dynamic_map].flat()[0] === '1'
  const settings = Object.entries(SETTINGS).map(([name, by]) =>
    [name, textOf(fields[name]) || listOf(fields[name]).map(textOf).join(by)] as const)
  return {
    settings: Object.fromEntries(settings.filter(([, value]) => value !== '')),
    nozzleByFilament: isLeftToPrinter || nozzles.length === 0 || Math.min(...nozzles) < 0 ? undefined : nozzles
  }
}
