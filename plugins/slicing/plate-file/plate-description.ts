import type { ModelInfo } from '../../../core/index.js'
import type { Filament } from '../../filament/index.js'
import type { PlacedInstance } from '../models/index.js'
import { excludedOf } from '../excluded-areas.js'
import type { GcodeFacts } from './read-gcode.js'

/** Build plates: names in settings and in plate records. */
export const BED_TYPES = {
  textured_plate: 'Textured PEI Plate',
  cool_plate: 'Cool Plate',
  eng_plate: 'Engineering Plate',
  hot_plate: 'High Temp Plate',
  supertack_plate: 'SuperTack Plate',
  textured_cool_plate: 'Textured Cool Plate'
} as const
export type BedType = keyof typeof BED_TYPES

/** Everything that a plate's archive states beside its toolpaths. */
export interface PlateDescription {
  readonly name: string
  readonly model: ModelInfo
  readonly nozzleMm: number
  readonly layerHeightMm: number
  readonly filament: Filament
  /** mm³/s */
  readonly flow: number
  /** `#RRGGBB` */
  readonly color: string
  readonly bedType: BedType
  readonly instances: readonly PlacedInstance[]
  readonly supports: boolean
  readonly infillPct: number
  readonly walls: number
  readonly brimMm: number
  /** As `PrusaSlicer 2.5.0`. */
  readonly slicer: string
  /** What the slicer assumes the machine can do, in its own words. */
  readonly limits: Readonly<Record<string, number>>
  /** Which start code the plate has, where it is one of ours. */
  readonly startCode: string
}

/** Of the logical extruders of a printer with two, the one that the plate uses: the right one, number 2. */
const RIGHT = 2

const extruderOf = ({ extruders }: ModelInfo): number => extruders < 2 ? 1 : RIGHT
/** Physical extruder of each logical one: 0 is right or the only one. */
const physicalOf = ({ extruders }: ModelInfo): readonly string[] => extruders < 2 ? ['0'] : ['1', '0']

const cornersOf = (minX: number, minY: number, maxX: number, maxY: number): string[] =>
  [`${minX}x${minY}`, `${maxX}x${minY}`, `${maxX}x${maxY}`, `${minX}x${maxY}`]

const nozzles = ({ model, nozzleMm }: PlateDescription): string[] =>
  Array<string>(model.extruders).fill(String(nozzleMm))

/** Settings of the project, in the words of the printers' own slicer. */
export function projectSettings (plate: PlateDescription): Readonly<Record<string, string | readonly string[]>> {
  const { model, nozzleMm, filament, color, bedType } = plate
  const [width, depth, height] = model.bedMm
  return {
    printer_model: model.name,
    printer_settings_id: `${model.name} ${nozzleMm} nozzle`,
    printer_variant: String(nozzleMm),
    curr_bed_type: BED_TYPES[bedType],
    printable_area: cornersOf(0, 0, width, depth),
    bed_exclude_area: model.extruders < 2
      ? excludedOf(model).flatMap(({ minX, minY, maxX, maxY }) => cornersOf(minX, minY, maxX, maxY))
      : [],
    printable_height: String(height),
    nozzle_diameter: nozzles(plate),
    filament_type: [filament.filament_type],
    filament_colour: [color],
    filament_ids: [filament.tray_info_idx],
    filament_settings_id: [filament.name],
    filament_vendor: [filament.vendor || 'Generic'],
    filament_map: [String(extruderOf(model))],
    filament_map_mode: 'Manual',
    physical_extruder_map: physicalOf(model),
    layer_height: String(plate.layerHeightMm),
    initial_layer_print_height: String(plate.layerHeightMm),
    wall_loops: String(plate.walls),
    sparse_infill_density: `${plate.infillPct}%`,
    enable_support: plate.supports ? '1' : '0',
    support_type: 'normal(auto)',
    brim_type: plate.brimMm > 0 ? 'outer_only' : 'no_brim',
    brim_width: String(plate.brimMm),
    raft_layers: '0',
    print_sequence: 'by layer'
  }
}

/** Boxes of the objects, as viewers of plates expect them. */
export function plateRecord ({ instances, color, bedType, nozzleMm, layerHeightMm }: PlateDescription) {
  const boxes = instances.map(({ box }) => box)
  const least = (at: 0 | 1) => Math.min(...boxes.map(box => box[at]))
  const most = (at: 2 | 3) => Math.max(...boxes.map(box => box[at]))
  return {
    bbox_all: [least(0), least(1), most(2), most(3)],
    bbox_objects: instances.map(({ id, name, box }) => ({
      area: (box[2] - box[0]) * (box[3] - box[1]), bbox: box, id, layer_height: layerHeightMm, name
    })),
    bed_type: bedType,
    filament_colors: [color],
    filament_ids: [0],
    first_extruder: 0,
    is_seq_print: false,
    nozzle_diameter: nozzleMm,
    version: 2
  }
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

const metadata = (entries: readonly (readonly [string, string | number | boolean])[]): string =>
  entries.map(([key, value]) => `    <metadata key="${key}" value="${escaped(String(value))}"/>\n`).join('')

/** What was sliced: time, filament and objects of the plate. */
export function sliceInfo (plate: PlateDescription, facts: GcodeFacts): string {
  const { model, filament, color, instances, supports } = plate
  const grams = facts.grams.toFixed(2)
  return '<?xml version="1.0" encoding="UTF-8"?>\n<config>\n  <header>\n' +
    '    <header_item key="X-BBL-Client-Type" value="slicer"/>\n    <header_item key="X-BBL-Client-Version" value=""/>\n' +
    '  </header>\n  <plate>\n' +
    metadata([
      ['index', 1],
      ['printer_model_id', model.codes[0] ?? ''],
      ['nozzle_diameters', nozzles(plate).join(',')],
      ['timelapse_type', -1],
      ['prediction', Math.round(facts.seconds)],
      ['weight', grams],
      ['outside', false],
      ['support_used', supports],
      ['label_object_enabled', instances.length > 1],
      ['filament_maps', extruderOf(model)]
    ]) +
    instances.map(({ id, name }) => `    <object identify_id="${id}" name="${escaped(name)}" skipped="false" />\n`).join('') +
    `    <filament id="1" tray_info_idx="${escaped(filament.tray_info_idx)}" type="${escaped(filament.filament_type)}" ` +
    `color="${escaped(color)}" used_m="${(facts.filamentMm / 1_000).toFixed(2)}" used_g="${grams}" />\n` +
    '  </plate>\n</config>\n'
}

/** Names of the plate and its files. */
export function modelSettings ({ name, bedType }: PlateDescription): string {
  return '<?xml version="1.0" encoding="UTF-8"?>\n<config>\n  <plate>\n' +
    metadata([
      ['plater_id', 1],
      ['plater_name', name],
      ['locked', false],
      ['bed_type', bedType],
      ['gcode_file', 'Metadata/plate_1.gcode'],
      ['thumbnail_file', 'Metadata/plate_1.png'],
      ['thumbnail_no_light_file', 'Metadata/plate_no_light_1.png'],
      ['top_file', 'Metadata/top_1.png'],
      ['pick_file', 'Metadata/pick_1.png'],
      ['pattern_bbox_file', 'Metadata/plate_1.json']
    ]) + '  </plate>\n</config>\n'
}

const inWords = (seconds: number): string =>
  `${Math.floor(seconds / 3_600)}h ${Math.floor(seconds / 60) % 60}m ${Math.round(seconds) % 60}s`

/** The beginning of the toolpaths, where printers and readers look for the plate's figures. */
export function gcodeHeader (plate: PlateDescription, facts: GcodeFacts): string {
  const { filament, flow, instances } = plate
  const settings = projectSettings(plate)
  const textOf = (key: string): string => [settings[key] ?? ''].flat().join(',')
  const config = {
    ...Object.fromEntries(['printer_model', 'curr_bed_type', 'printable_area', 'bed_exclude_area', 'printable_height',
      'nozzle_diameter', 'filament_map', 'physical_extruder_map', 'filament_colour', 'filament_type', 'filament_ids']
      .map(key => [key, textOf(key)])),
    filament_max_volumetric_speed: flow,
    nozzle_temperature_range_low: filament.nozzle_temperature_range_low,
    nozzle_temperature_range_high: filament.nozzle_temperature_range_high,
    ...plate.limits,
    ...plate.startCode !== '' && { own_start_code: plate.startCode }
  }
  return [
    '; HEADER_BLOCK_START',
    `; generated by ${plate.slicer}`,
    `; model printing time: ${inWords(facts.seconds)}; total estimated time: ${inWords(facts.seconds)}`,
    `; total layer number: ${facts.layers}`,
    `; total filament length [mm] : ${facts.filamentMm.toFixed(2)}`,
    `; total filament volume [cm^3] : ${facts.filamentCm3.toFixed(2)}`,
    `; total filament weight [g] : ${facts.grams.toFixed(2)}`,
    `; model label id: ${instances.map(({ id }) => id).join(',')}`,
    `; filament_density: ${filament.density_g_cm3 ?? 1.24}`,
    '; filament_diameter: 1.75',
    `; max_z_height: ${facts.heightMm.toFixed(2)}`,
    '; filament: 1',
    '; HEADER_BLOCK_END',
    '',
    '; CONFIG_BLOCK_START',
    ...Object.entries(config).map(([key, value]) => `; ${key} = ${value}`),
    '; CONFIG_BLOCK_END',
    '',
    ''
  ].join('\n')
}
