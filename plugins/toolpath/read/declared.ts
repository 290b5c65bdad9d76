import type { AxisLimits } from '../clock.js'

export type Point = readonly [x: number, y: number]

/** What a slicer says of its file. Everything may be missing; lists are by filament, or by nozzle where it says so. */
export interface Declared {
  readonly slicer: string | undefined
  /** Whole print, with what the slicer assumes for the preparation. */
  readonly seconds: number | undefined
  /** Moves alone, where the slicer tells them apart. */
  readonly modelSeconds: number | undefined
  readonly layers: number | undefined
  /** mm. */
  readonly maxZ: number | undefined
  readonly grams: readonly number[]
  /** g/cm³. */
  readonly densities: readonly number[]
  /** mm. */
  readonly diameters: readonly number[]
  /** What the slicer assumes for calibration and the like, before the print. */
  readonly prepareSeconds: number
  /** Of a filament change, and of switching to the other nozzle. */
  readonly changeSeconds: { readonly load: number, readonly unload: number, readonly switching: number }
  /** Tools whose filament the print uses, in the order of `grams`; empty if unknown: then by tool. */
  readonly used: readonly number[]
  /** mm³/s; 0 for no limit. */
  readonly flows: readonly number[]
  readonly types: readonly string[]
  /** °C, the lowest at which a filament may be extruded. */
  readonly lowestC: readonly number[]
  readonly nozzleMm: readonly number[]
  /** Display name of the printer's model. */
  readonly printer: string | undefined
  /** Of the plate's surface, as slicers show it. */
  readonly bedType: string | undefined
  /** Nozzle by tool, from 0, in the order of `printableByNozzle`; empty if the slicer leaves it to the printer. */
  readonly nozzles: readonly number[]
  /** Corners, mm. */
  readonly printable: readonly Point[]
  readonly excluded: readonly Point[]
  /** Corners for each nozzle. */
  readonly printableByNozzle: readonly (readonly Point[])[]
  /** mm. */
  readonly printableHeight: number | undefined
  /** mm, in the order of `printableByNozzle`. */
  readonly heightByNozzle: readonly number[]
  readonly limits: AxisLimits | undefined
  /** Which start code of this service's built-in profiles the file has, such as `prnd-1`. */
  readonly ownStartCode?: string | undefined
}

export type Get = (key: string) => string | undefined

const UNITS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** Seconds from `1d 2h 3m 4s`. */
export function secondsOf (text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?) ?([dhms])\b/g)]
  if (parts.length === 0) return undefined
  return parts.reduce((sum, [, value, unit = 's']) => sum + Number(value) * UNITS[unit]!, 0)
}

/** Numbers divided by commas or semicolons; empty if one of them is none. */
export function numbersOf (text: string | undefined): readonly number[] {
  if (text === undefined || text.trim() === '') return []
  const numbers = text.split(/[,;]/).map(part => Number(part.trim().replace(/%$/, '')))
  return numbers.every(Number.isFinite) ? numbers : []
}

const firstOf = (text: string | undefined): number | undefined => numbersOf(text)[0]

/** Corners from `0x0,256x0,256x256,0x256`. */
export function cornersOf (text: string | undefined): readonly Point[] {
  const corners = (text ?? '').split(',').map(corner => {
    const [, x, y] = /^(-?[\d.]+)x(-?[\d.]+)$/.exec(corner.trim()) ?? []
    return [Number(x ?? NaN), Number(y ?? NaN)] as const
  })
  return corners.length >= 3 && corners.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y)) ? corners : []
}

/** Times of the two families of slicers; Cura gives seconds alone. */
function declaredSeconds (get: Get): number | undefined {
  const words = get('model printing time')
  const total = words === undefined ? undefined : /total estimated time:(.*)/.exec(words)?.[1] ?? words
  return secondsOf(total) ?? secondsOf(get('total estimated time')) ??
    secondsOf(get('estimated printing time (normal mode)')) ?? firstOf(get('TIME'))
}

function axisLimits (get: Get): AxisLimits | undefined {
  const four = (name: string): AxisLimits['speed'] | undefined => {
    const values = ['x', 'y', 'z', 'e'].map(axis => firstOf(get(`machine_max_${name}_${axis}`)))
    return values.every(isPositive) ? values as unknown as AxisLimits['speed'] : undefined
  }
  const speed = four('speed') ?? four('feedrate') // as PrusaSlicer calls it
  const acceleration = four('acceleration')
  const jerk = four('jerk')
  if (!speed || !acceleration || !jerk) return undefined
  const of = (name: string) => firstOf(get(`machine_max_acceleration_${name}`)) ?? 0
  return { speed, acceleration, jerk, moves: { extruding: of('extruding'), travel: of('travel'), retracting: of('retracting') } }
}
const isPositive = (value: number | undefined): value is number => value !== undefined && value > 0

const textOf = (text: string | undefined): string | undefined => text === '' ? undefined : text

const typesOf = (get: Get): readonly string[] => (get('filament_type') ?? '').split(';').filter(type => type !== '')

/** A setting by filament. Printers with several kinds of nozzle have one for each, and say whose it is. */
function byFilament (get: Get, key: string, merge: (one: number, other: number) => number): readonly number[] {
  const values = numbersOf(get(key))
  const owners = numbersOf(get('filament_self_index'))
  if (owners.length !== values.length) {
    const filaments = typesOf(get).length
    if (filaments === 0 || values.length <= filaments) return values
    return Array<number>(filaments).fill(values.reduce(merge)) // the file does not say whose they are
  }
  const merged: number[] = []
  for (const [at, value] of values.entries()) {
    const filament = owners[at]! - 1
    if (filament >= 0 && filament < values.length) merged[filament] = merge(merged[filament] ?? value, value)
  }
  return merged
}

export function declaredOf (get: Get): Declared {
  return {
    slicer: textOf(get('generator') ?? get('Generated with')),
    seconds: declaredSeconds(get),
    layers: firstOf(get('total layer number')) ?? firstOf(get('LAYER_COUNT')),
    maxZ: firstOf(get('max_z_height')),
    modelSeconds: secondsOf(/^[^;]*/.exec(get('model printing time') ?? '')?.[0]),
    prepareSeconds: firstOf(get('machine_prepare_compensation_time')) ?? 0,
    changeSeconds: {
      load: firstOf(get('machine_load_filament_time')) ?? 0,
      unload: firstOf(get('machine_unload_filament_time')) ?? 0,
      switching: firstOf(get('machine_switch_extruder_time')) ?? 0
    },
    used: numbersOf(get('filament')).map(id => id - 1),
    grams: numbersOf(get('total filament weight [g]') ?? get('filament used [g]')),
    densities: numbersOf(get('filament_density')),
    diameters: numbersOf(get('filament_diameter')),
    flows: byFilament(get, 'filament_max_volumetric_speed', (one, other) => one === 0 || other === 0 ? 0 : Math.max(one, other)),
    types: typesOf(get),
    lowestC: byFilament(get, 'nozzle_temperature_range_low', Math.min),
    nozzleMm: numbersOf(get('nozzle_diameter')),
    printer: textOf(get('printer_model')),
    bedType: textOf(get('curr_bed_type')),
    nozzles: get('enable_filament_dynamic_map') === '1' ? [] : numbersOf(get('filament_map')).map(id => id - 1),
    printable: cornersOf(get('printable_area') ?? get('bed_shape')),
    excluded: cornersOf(get('bed_exclude_area')),
    printableByNozzle: (get('extruder_printable_area') ?? '').split(/[#;]/).map(cornersOf).filter(({ length }) => length > 0),
    printableHeight: firstOf(get('printable_height') ?? get('max_print_height')),
    heightByNozzle: numbersOf(get('extruder_printable_height')),
    limits: axisLimits(get),
    ownStartCode: textOf(get('own_start_code'))
  }
}
