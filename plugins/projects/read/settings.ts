import { parseFields, type Fields } from './fields.js'
import { colorOf, diametersOf, textOf, wholesOf } from './numbers.js'
import { printSettings, type PrintSettings } from './print-settings.js'

/** The project's settings for printer and filaments. */
export interface ProjectSettings {
  readonly filamentTypes: readonly string[]
  readonly filamentColors: readonly string[]
  /** Catalogue ids and preset names; empty when unknown. */
  readonly catalogueIds: readonly string[]
  readonly filamentLabels: readonly string[]
  /** Physical extruder of each logical one: 0 main or right, 1 deputy or left. */
  readonly physicalExtruders: readonly number[]
  readonly nozzleDiametersMm: readonly number[]
  readonly printerModel: string
  /** Name of the build plate in the slicer. */
  readonly bedType: string
  /** mm; undefined unless it is a rectangle from the origin. */
  readonly bedMm: readonly [width: number, depth: number] | undefined
  readonly slicer: Readonly<Record<string, string>>
  readonly print: PrintSettings
}

/** Settings copied to the project record, with defaults for missing ones. */
const REPEATED: readonly (readonly [name: string, key: string, otherwise: string])[] = [
  ['enable_support', 'enable_support', '0'],
  ['support_type', 'support_type', 'normal'],
  ['brim_type', 'brim_type', 'no_brim'],
  ['brim_width', 'brim_width', '0'],
  ['raft_layers', 'raft_layers', '0'],
  ['sparse_infill_density', 'sparse_infill_density', '15%'],
  ['wall_loops', 'wall_loops', '2'],
  ['layer_height', 'layer_height', '0.2'],
  ['initial_layer_height', 'initial_layer_print_height', '0.2']
]

/** Removes the printer from a preset name such as `Bambu PLA Matte @BBL X1C`. */
const labelIn = (preset: string): string => preset.replace(/ @.*$/, '').trim().slice(0, LONGEST_SETTING)

const LARGEST_BED_MM = 2_000
const LONGEST_SETTING = 100

const words = (value: unknown): string[] => Array.isArray(value) ? value.map(textOf) : []

const settingOf = (fields: Fields, key: string): string | undefined => {
  const value = fields[key]
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' || typeof first === 'number' ? String(first).slice(0, LONGEST_SETTING) : undefined
}

/** Corners as `0x0`, `256x0`, `256x256`, `0x256`. */
function bedOf (area: unknown): readonly [number, number] | undefined {
  const corners = words(area).map(corner => /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/.exec(corner)?.slice(1).map(Number) ?? [])
  if (corners.length !== 4 || corners.some(({ length }) => length !== 2)) return undefined
  const [xs, ys] = [corners.map(([x = 0]) => x), corners.map(([, y = 0]) => y)]
  const [width, depth] = [Math.max(...xs), Math.max(...ys)]
  const isRectangle = xs.every(x => x === 0 || x === width) && ys.every(y => y === 0 || y === depth)
  const isBed = [width, depth].every(side => side > 0 && side <= LARGEST_BED_MM)
  return isRectangle && isBed ? [width, depth] : undefined
}

/** Reads `project_settings.config`; everything is empty without one. */
export function readSettings (text: string | undefined): ProjectSettings {
  const fields = parseFields(text) ?? {}
  return {
    filamentTypes: words(fields.filament_type),
    filamentColors: words(fields.filament_colour).map(colorOf),
    catalogueIds: words(fields.filament_ids).map(id => id.trim().slice(0, LONGEST_SETTING)),
    filamentLabels: words(fields.filament_settings_id).map(labelIn),
    physicalExtruders: wholesOf(fields.physical_extruder_map),
    nozzleDiametersMm: diametersOf(fields.nozzle_diameter),
    printerModel: settingOf(fields, 'printer_model') ?? '',
    bedType: settingOf(fields, 'curr_bed_type') ?? '',
    bedMm: bedOf(fields.printable_area),
    slicer: Object.fromEntries(REPEATED.map(([name, key, otherwise]) => [name, settingOf(fields, key) ?? otherwise])),
    print: printSettings(key => settingOf(fields, key))
  }
}
