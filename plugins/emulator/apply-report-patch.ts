import { isJson, mergeDeep, type Json } from './json-merge.js'
import { setTray, trayOf } from './machine/slots.js'
import type { Heater, HmsEntry, Machine, Slot, Words } from './machine/types.js'
import { integer, number } from './request.js'

/** Applies a value to the machine; false when the machine does not model it. */
type Absorber = (m: Machine, value: unknown) => boolean

const heater = (pick: (m: Machine) => Heater | undefined, part: keyof Heater): Absorber => (m, value) => {
  const [found, celsius] = [pick(m), number(value)]
  if (found === undefined || celsius === undefined) return false
  found[part] = celsius
  return true
}

const nozzle = (m: Machine): Heater | undefined => m.extruders[m.tool.current]?.heater
const bed = (m: Machine): Heater => m.bed

const longWord = (name: Exclude<keyof Words, 'homeFlag' | 'flag3'>): Absorber => (m, value) => {
  if (!m.traits.modern || typeof value !== 'string' || !/^[0-9a-f]+$/i.test(value)) return false
  m.words[name] = BigInt(`0x${value}`)
  return true
}

const isEntry = (value: unknown): value is HmsEntry =>
  isJson(value) && typeof value.attr === 'number' && typeof value.code === 'number'

function mergeTrays (m: Machine, trays: unknown, slotAt: (id: number) => Slot): void {
  for (const change of Array.isArray(trays) ? trays.filter(isJson) : []) {
    const slot = slotAt(integer(change.id) ?? -1)
    const tray = trayOf(m, slot)
    // Only an id, or an id and a state: the spool was removed.
    const emptied = Object.keys(change).every(key => key === 'id' || key === 'state')
    if (tray !== undefined) setTray(m, slot, emptied ? change : { ...tray, ...change, id: tray.id })
  }
}

/** Slots and climate of the units belong to the machine; the rest of the object overlays the report. */
function units (m: Machine, value: unknown): boolean {
  if (!isJson(value) || !Array.isArray(value.ams)) return false
  for (const change of value.ams.filter(isJson)) {
    const unit = m.ams.units.find(({ id }) => id === integer(change.id))
    if (unit === undefined) continue
    mergeTrays(m, change.tray, slot => ({ ams: unit.id, slot }))
    unit.humidityPct = number(change.humidity_raw) ?? unit.humidityPct
    unit.temp = number(change.temp) ?? unit.temp
  }
  return false
}

const holders: Absorber = (m, value) => {
  mergeTrays(m, Array.isArray(value) ? value : [value], ams => ({ ams, slot: 0 }))
  return true
}

const ABSORBERS: Readonly<Record<string, Absorber>> = {
  print_error: (m, value) => { m.printError = integer(value) ?? 0; return true },
  hms: (m, value) => {
    if (!Array.isArray(value) || !value.every(isEntry)) return false
    m.hms = value
    return true
  },
  home_flag: (m, value) => { m.words.homeFlag = (integer(value) ?? 0) >>> 0; return true },
  flag3: (m, value) => { m.words.flag3 = integer(value) ?? 0; return !m.traits.modern },
  fun: longWord('fun'),
  fun2: longWord('fun2'),
  cfg: longWord('cfg'),
  aux: longWord('aux'),
  stat: longWord('stat'),
  nozzle_temper: heater(nozzle, 'actual'),
  nozzle_target_temper: heater(nozzle, 'target'),
  bed_temper: heater(bed, 'actual'),
  bed_target_temper: heater(bed, 'target'),
  ams: units,
  vt_tray: holders,
  vir_slot: holders
}

/** The part of `ams` that overlays the report: its own values, and those of units besides their slots. */
function withoutTrays (value: unknown): unknown {
  if (!isJson(value) || !Array.isArray(value.ams)) return value
  const bare = value.ams.filter(isJson).map(({ tray, ...unit }) => unit)
    .filter(unit => Object.keys(unit).length > 1)
  const { ams, ...root } = value
  if (bare.length > 0) return { ...root, ams: bare }
  return Object.keys(root).length > 0 ? root : undefined
}

const absorb = (m: Machine, key: string, value: unknown): boolean => {
  if (key in m.fields) {
    m.fields = mergeDeep(m.fields, { [key]: value })
    return true
  }
  return Object.hasOwn(ABSORBERS, key) && ABSORBERS[key]?.(m, value) === true
}

/**
 * Applies to the machine what it models: errors, bit words, temperatures, spools and every field without behaviour.
 * @returns the rest, which can only overlay the report
 */
export function applyReportPatch (m: Machine, fields: Json): Json {
  const rest: Json = {}
  for (const [key, value] of Object.entries(fields)) {
    if (absorb(m, key, value)) continue
    const left = key === 'ams' ? withoutTrays(value) : value
    if (left !== undefined) rest[key] = left
  }
  return rest
}
