import type { Json } from '../json-merge.js'
import { activeExtruder } from '../machine/slots.js'
import type { Heater, Machine } from '../machine/types.js'
import { isVersionAtLeast } from '../version.js'

const NO_CHAMBER_SENSOR_C = 5
const HOT_C = 50

/** Fan level 0 to 15 as text. */
const level = (percent: number | undefined): string => String(Math.round((percent ?? 0) * 15 / 100))

const byte = (percent: number | undefined): number => Math.round((percent ?? 0) * 255 / 100)

const rounded = (celsius: number): number => Math.round(celsius * 10) / 10

/** Actual in the lower half, target in the upper, whole degrees. */
export const packed = ({ actual, target }: Heater): number =>
  Math.round(target) * 0x10000 + Math.round(actual)

const heatbreak = ({ heater }: { readonly heater: Heater }): number =>
  heater.target > 0 || heater.actual > HOT_C ? 100 : 0

const MATERIALS: Readonly<Record<string, string>> = { '00': 'stainless_steel', '01': 'hardened_steel', '05': 'tungsten_carbide' }

function nozzleType (m: Machine, code: string): string {
  if (!/^H[A-Z]\d\d$/.test(m.traits.nozzleType)) return String(m.fields.nozzle_type ?? m.traits.nozzleType)
  return isVersionAtLeast(m.firmware, m.traits.gates.nozzleCode) ? code : MATERIALS[code.slice(2)] ?? ''
}

export function climateFields (m: Machine): Json {
  const active = activeExtruder(m)
  const gear = byte(m.fans[1]) + byte(m.fans[2]) * 0x100 + byte(m.fans[3]) * 0x10000
  return {
    nozzle_temper: rounded(active.heater.actual),
    nozzle_target_temper: active.heater.target,
    bed_temper: rounded(m.bed.actual),
    bed_target_temper: m.bed.target,
    ...(m.traits.modern ? { info: { temp: packed(m.chamber) } } : { chamber_temper: NO_CHAMBER_SENSOR_C }),
    cooling_fan_speed: level(m.fans[1]),
    big_fan1_speed: level(m.fans[2]),
    big_fan2_speed: level(m.fans[3]),
    heatbreak_fan_speed: level(heatbreak(active)),
    fan_gear: m.traits.modern ? gear : 0,
    nozzle_diameter: String(active.diameter),
    nozzle_type: nozzleType(m, active.code),
    hw_switch_state: active.loaded === undefined ? 0 : 1
  }
}
