import type { Json } from '../json-merge.js'
import type { Extruder, Machine, Slot, Tray, Unit } from './types.js'

export const LEFT_HOLDER = 254
export const RIGHT_HOLDER = 255
/** First id of the heated single-slot units. */
export const FIRST_HT = 128

export const isHolder = ({ ams }: Slot): boolean => ams === LEFT_HOLDER || ams === RIGHT_HOLDER
export const isHt = (ams: number): boolean => ams >= FIRST_HT && ams < LEFT_HOLDER
export const sameSlot = (a: Slot | undefined, b: Slot | undefined): boolean =>
  a?.ams === b?.ams && a?.slot === b?.slot

export const unitOf = (m: Machine, ams: number): Unit | undefined => m.ams.units.find(({ id }) => id === ams)

/** The id that holders are reported under: dual printers keep theirs, the others have one. */
export function holderId (m: Machine, ams: number): number {
  if (m.traits.extruders === 2) return ams
  return m.traits.modern ? RIGHT_HOLDER : LEFT_HOLDER
}

/** One number for a slot across the printer: unit and slot, the unit alone for HT, 254 for the holder. */
export const globalId = (slot: Slot): number => {
  if (isHolder(slot)) return LEFT_HOLDER
  return isHt(slot.ams) ? slot.ams : slot.ams * 4 + slot.slot
}

export function slotOf (global: number): Slot {
  if (global === LEFT_HOLDER || global === RIGHT_HOLDER) return { ams: global, slot: 0 }
  return isHt(global) ? { ams: global, slot: 0 } : { ams: global >> 2, slot: global & 3 }
}

export const trayOf = (m: Machine, slot: Slot): Tray | undefined => isHolder(slot)
  ? m.ams.holders.find(({ id }) => Number(id) === holderId(m, slot.ams))
  : unitOf(m, slot.ams)?.trays[slot.slot]

/** An empty slot has only its id, and a state if the model reports one. */
export const isPresent = (tray: Tray): boolean => 'tray_type' in tray

export const emptyTray = (m: Machine, slot: number): Tray =>
  m.traits.modern ? { id: String(slot), state: 0 } : { id: String(slot) }

const replaced = (list: readonly Tray[], id: string, tray: Tray): Tray[] =>
  list.map(item => item.id === id ? tray : item)

/** Replaces the record of a slot. */
export function setTray (m: Machine, slot: Slot, tray: Tray): void {
  const unit = unitOf(m, slot.ams)
  if (isHolder(slot)) m.ams.holders = replaced(m.ams.holders, String(holderId(m, slot.ams)), tray)
  else if (unit !== undefined) unit.trays = replaced(unit.trays, String(slot.slot), tray)
  m.ams.version++
}

export const patchTray = (m: Machine, slot: Slot, change: Json): void => {
  const tray = trayOf(m, slot)
  if (tray !== undefined) setTray(m, slot, { ...tray, ...change })
}

/** The extruder that a slot feeds. */
export function extruderFor (m: Machine, slot: Slot): Extruder {
  const [right, left] = m.extruders
  if (right === undefined) throw new Error('a printer without an extruder')
  if (left === undefined) return right
  const id = isHolder(slot) ? (slot.ams === LEFT_HOLDER ? 1 : 0) : unitOf(m, slot.ams)?.extruder
  return id === 1 ? left : right
}

/** The extruder in use. */
export function activeExtruder (m: Machine): Extruder {
  const active = m.extruders[m.tool.current] ?? m.extruders[0]
  if (active === undefined) throw new Error('a printer without an extruder')
  return active
}

/** True while filament from this unit reaches into a tool. */
export const feeds = (m: Machine, unit: Unit): boolean =>
  m.extruders.some(({ loaded }) => loaded?.ams === unit.id)

export const nozzleC = (tray: Tray | undefined): number => {
  const low = Number(tray?.nozzle_temp_min ?? 0)
  const high = Number(tray?.nozzle_temp_max ?? 0)
  return low > 0 && high >= low ? Math.round((low + high) / 2) : DEFAULT_NOZZLE_C
}

const DEFAULT_NOZZLE_C = 215

const BED_BY_TYPE: readonly (readonly [RegExp, number])[] =
  [[/^(PLA|PVA)/, 55], [/^TPU/, 35], [/^PETG/, 70], [/^(ABS|ASA)/, 95]]
const DEFAULT_BED_C = 100

export const bedC = (tray: Tray | undefined): number => {
  const type = String(tray?.tray_type ?? 'PLA')
  return BED_BY_TYPE.find(([pattern]) => pattern.test(type))?.[1] ?? DEFAULT_BED_C
}
