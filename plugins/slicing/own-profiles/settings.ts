import type { Filament } from '../../filament/index.js'
import type { SlicingTarget } from '../types.js'
import type { MaterialProfile, QualityProfile } from './materials.data.js'
import { ACCELERATION, FLAVOUR, LIMITS, RETRACTION } from './machine.data.js'
import { endCode, startCode, type Temperatures } from './start-code.js'

/** What a person chooses; everything else follows from the model, the material and the quality. */
export interface Choice {
  readonly material: MaterialProfile
  readonly filament: Filament
  readonly quality: QualityProfile
  /** `#RRGGBB` */
  readonly color: string
  readonly supports: boolean
  /** mm; 0 for none. */
  readonly brimMm: number
  /** Per cent; that of the quality if absent. */
  readonly infillPct?: number | undefined
}

type Value = string | number | boolean

const FILAMENT_MM = 1.75
const FIRST_LAYER_MM_S = 30

const rounded = (value: number): number => Math.round(value * 100) / 100

/** °C within the limits of the model. */
export function temperaturesOf ({ model }: SlicingTarget, { filament }: Pick<Choice, 'filament'>): Temperatures {
  return {
    nozzleC: Math.min(filament.nozzle_temperature, model.nozzleMaxC),
    bedC: Math.min(filament.hot_plate_temp, model.bedMaxC)
  }
}

function bedSettings ({ model: { bedMm: [width, depth, height] } }: SlicingTarget): Readonly<Record<string, Value>> {
  return { bed_shape: `0x0,${width}x0,${width}x${depth},0x${depth}`, max_print_height: height }
}

function layerSettings ({ nozzleMm }: SlicingTarget, { quality }: Choice): Readonly<Record<string, Value>> {
  const width = rounded(nozzleMm * 1.1)
  const height = rounded(nozzleMm * quality.layer)
  const shell = Math.max(3, Math.ceil(0.8 / height))
  return {
    nozzle_diameter: nozzleMm,
    layer_height: height,
    first_layer_height: rounded(Math.max(height, nozzleMm * 0.5)),
    extrusion_width: width,
    first_layer_extrusion_width: rounded(nozzleMm * 1.2),
    perimeters: quality.walls,
    top_solid_layers: shell,
    bottom_solid_layers: shell,
    perimeter_generator: 'arachne'
  }
}

function speedSettings ({ quality, material }: Choice): Readonly<Record<string, Value>> {
  const speed = (value: number) => Math.round(value * material.speed)
  return {
    external_perimeter_speed: speed(quality.outerMmS),
    perimeter_speed: speed(quality.innerMmS),
    small_perimeter_speed: speed(quality.outerMmS / 2),
    infill_speed: speed(quality.innerMmS * 1.2),
    solid_infill_speed: speed(quality.innerMmS),
    top_solid_infill_speed: speed(quality.outerMmS),
    support_material_speed: speed(quality.outerMmS),
    support_material_interface_speed: speed(quality.outerMmS),
    gap_fill_speed: speed(quality.outerMmS),
    bridge_speed: speed(30),
    first_layer_speed: Math.min(FIRST_LAYER_MM_S, speed(quality.outerMmS)),
    travel_speed: 250,
    max_print_speed: 200,
    filament_max_volumetric_speed: material.flow
  }
}

function materialSettings (target: SlicingTarget, choice: Choice): Readonly<Record<string, Value>> {
  const { material: { fan: [least, most] }, filament, color } = choice
  const { nozzleC, bedC } = temperaturesOf(target, choice)
  return {
    filament_type: filament.filament_type,
    filament_colour: color,
    filament_diameter: FILAMENT_MM,
    filament_density: filament.density_g_cm3 ?? 1.24,
    temperature: nozzleC,
    first_layer_temperature: nozzleC,
    bed_temperature: bedC,
    first_layer_bed_temperature: bedC,
    fan_always_on: most > 0,
    cooling: true,
    min_fan_speed: least,
    max_fan_speed: most,
    bridge_fan_speed: most,
    disable_fan_first_layers: 2,
    fan_below_layer_time: 60,
    slowdown_below_layer_time: 8,
    min_print_speed: 15
  }
}

/** Per cent, from which infill is as dense as a wall: only straight lines can be. */
const SOLID_PCT = 90

function extraSettings ({ supports, brimMm, infillPct, quality }: Choice): Readonly<Record<string, Value>> {
  const infill = infillPct ?? quality.infillPct
  return {
    support_material: supports,
    support_material_auto: true,
    support_material_style: 'snug',
    support_material_threshold: 45,
    brim_width: brimMm,
    brim_type: brimMm > 0 ? 'outer_only' : 'no_brim',
    skirts: 0,
    fill_density: `${infill}%`,
    fill_pattern: infill < SOLID_PCT ? 'gyroid' : 'rectilinear',
    top_fill_pattern: 'monotonic',
    bottom_fill_pattern: 'monotonic',
    seam_position: 'aligned'
  }
}

/** Line breaks of G-code in a configuration file. */
const code = (lines: readonly string[]): string => lines.join('\\n')

const valueOf = (value: Value): string => typeof value === 'boolean' ? String(Number(value)) : String(value)

/** The configuration file of PrusaSlicer for one printer, material and quality. */
export function ownSettings (target: SlicingTarget, choice: Choice): string {
  const settings: Readonly<Record<string, Value>> = {
    ...FLAVOUR,
    ...LIMITS,
    ...ACCELERATION,
    ...RETRACTION,
    ...bedSettings(target),
    ...layerSettings(target, choice),
    ...speedSettings(choice),
    ...materialSettings(target, choice),
    ...extraSettings(choice),
    start_gcode: code(startCode(target, temperaturesOf(target, choice))),
    end_gcode: code(endCode(target)),
    layer_gcode: code(['M73 L{layer_num + 1}', 'G92 E0'])
  }
  return Object.entries(settings).map(([key, value]) => `${key} = ${valueOf(value)}\n`).join('')
}
