import { immutableJson } from '../../core/index.js'
import { FILAMENTS, type FilamentRow } from './catalogue.data.js'
import { CAUTIOUS, FAMILIES, type Family } from './families.data.js'

/** A catalogue entry. The nozzle range has two names, one for each documented interface. */
export interface Filament {
  readonly tray_info_idx: string
  readonly name: string
  readonly vendor: string
  readonly filament_type: string
  readonly nozzle_temperature: number
  readonly nozzle_temperature_range_low: number
  readonly nozzle_temperature_range_high: number
  readonly nozzle_temp_min: number
  readonly nozzle_temp_max: number
  readonly hot_plate_temp: number
  readonly density_g_cm3: number | null
  /** °C by AMS model. */
  readonly drying_temp: Family['dryC']
  /** Hours by AMS model. */
  readonly drying_time: Family['dryHours']
}

/** `PA6-CF` and `PA-GF` both belong to the family `PA`. */
export const familyOf = (type: string): Family => FAMILIES[type.split(/[-\d\s]/)[0] ?? ''] ?? CAUTIOUS

function entry ([id, name, vendor, type, usual, low, high, plateC, density]: FilamentRow): Filament {
  const family = familyOf(type)
  return {
    tray_info_idx: id,
    name,
    vendor,
    filament_type: type,
    nozzle_temperature: usual,
    nozzle_temperature_range_low: low,
    nozzle_temperature_range_high: high,
    nozzle_temp_min: low,
    nozzle_temp_max: high,
    hot_plate_temp: plateC ?? family.plateC,
    density_g_cm3: density,
    drying_temp: family.dryC,
    drying_time: family.dryHours
  }
}

export const CATALOGUE: readonly Filament[] = immutableJson(FILAMENTS.map(entry))

const byId = new Map(CATALOGUE.map(filament => [filament.tray_info_idx, filament]))
export const filamentById = (id: string): Filament | undefined => byId.get(id)

const GENERIC = 'Generic '
const generic = new Map(CATALOGUE.filter(({ name }) => name.startsWith(GENERIC)).reverse() // of two, the first counts
  .map(filament => [filament.name.slice(GENERIC.length).toLowerCase(), filament]))

/** Usual values of a material whose maker is unknown: those of its whole name, else of its first word. */
export function genericFilament (material: string): Filament | undefined {
  const name = material.trim().toLowerCase()
  return generic.get(name) ?? generic.get(name.split(/[\s+]/)[0] ?? '')
}

/** @param type exact, case-insensitive @param search part of id, name or vendor, likewise */
export function findFilaments (type: string, search: string): readonly Filament[] {
  const wanted = type.trim().toLowerCase()
  const part = search.trim().toLowerCase()
  if (wanted === '' && part === '') return CATALOGUE
  return CATALOGUE.filter(({ filament_type: kind, tray_info_idx: id, name, vendor }) =>
    (wanted === '' || kind.toLowerCase() === wanted) &&
    [id, name, vendor].some(text => text.toLowerCase().includes(part)))
}
