import { lookUp } from './raw.js'
import type { Nozzle } from './types.js'

const FLOW: Readonly<Record<string, Nozzle['flow']>> =
  { S: 'STANDARD', A: 'STANDARD', X: 'STANDARD', H: 'HIGH_FLOW', E: 'HIGH_FLOW', U: 'TPU_HIGH_FLOW' }
const MATERIAL: Readonly<Record<string, Nozzle['material']>> =
  { '00': 'STAINLESS_STEEL', '01': 'HARDENED_STEEL', '05': 'TUNGSTEN_CARBIDE' }
const WORDS: Readonly<Record<string, Nozzle['material']>> = {
  stainless_steel: 'STAINLESS_STEEL',
  hardened_steel: 'HARDENED_STEEL',
  tungsten_carbide: 'TUNGSTEN_CARBIDE',
  brass: 'BRASS',
  e3d: 'E3D'
}
/** Some firmware adds the diameter, as in `HS01-0.4`. */
const CODE = /^(H([A-Z])(\d\d))(?:-\d[\d.]*)?$/

/** Decodes a four-character code such as `HS01`: `H`, flow letter, two digits of material. */
export function nozzleOfCode (rawType: string, diameterMm: number): Nozzle {
  const [, code = '', flow = '', material = ''] = CODE.exec(rawType.toUpperCase()) ?? []
  return {
    material: MATERIAL[material] ?? 'UNKNOWN',
    diameterMm,
    flow: FLOW[flow] ?? 'UNKNOWN',
    encodedId: code !== '' && diameterMm > 0 ? `${code}-${diameterMm}` : '',
    rawType
  }
}

const CODE_OF: Readonly<Record<string, string>> = { STAINLESS_STEEL: '00', HARDENED_STEEL: '01', TUNGSTEN_CARBIDE: '05' }

/** Decodes the words of printers without nozzle codes; newer ones write a code in the same field. */
export function nozzleOfWords (rawType: string, diameterMm: number): Nozzle {
  const material = lookUp(WORDS, rawType.toLowerCase())
  if (material === undefined) return nozzleOfCode(rawType, diameterMm)
  const digits = CODE_OF[material]
  return {
    material,
    diameterMm,
    flow: 'STANDARD',
    encodedId: digits && diameterMm > 0 ? `HS${digits}-${diameterMm}` : '',
    rawType
  }
}
