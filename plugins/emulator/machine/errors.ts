import type { HmsEntry, Machine, Slot } from './types.js'
import { isHolder, isHt, unitOf } from './slots.js'

/** Device errors that the printer raises by itself. */
export const ERROR = {
  CANCELLED: 0x0300400C,
  HOMING_FAILED: 0x03004000,
  BUSY: 0x05004004,
  /** The file cannot be printed. */
  UNPRINTABLE: 0x05004003,
  /** No source for a filament of the job. */
  MAPPING: 0x07FF8012,
  /** The same with the flat list of a dual printer. */
  FLAT_MAPPING: 0x07008012
} as const

export const REFUSED_UNSIGNED = 84033543
const UNSIGNED_HMS: HmsEntry = { attr: 0x05000500, code: 0x00010007 }

/** Refusals of a filament or drying command. */
export const REFUSED_DRYING = 83935311
export const REFUSED_OUTLET = 83935307

/** First byte of a unit's error codes: AMS 07, HT 18, plus the unit's number; FF for a holder. */
const moduleOf = (slot: Slot): number => {
  if (isHolder(slot)) return 0x07FF
  return isHt(slot.ams) ? 0x1800 + slot.ams : 0x0700 + slot.ams
}

/** A unit's error number: module and unit in the upper half. */
export const unitError = (slot: Slot, number: number): number => moduleOf(slot) * 0x10000 + number

export const runoutError = (slot: Slot): number => unitError(slot, 0x8011)

const RUNOUT_PART = 0x20
/** Health messages of an AMS Lite carry a module of their own. */
const LITE_OFFSET = (0x12 - 0x07) * 2 ** 24

export function runoutHms (m: Machine, slot: Slot): HmsEntry {
  const lite = unitOf(m, slot.ams)?.kind === 'AMS_LITE' ? LITE_OFFSET : 0
  return { attr: unitError(slot, (RUNOUT_PART + slot.slot) * 0x100) + lite, code: 0x00020001 }
}

export const sameEntry = (a: HmsEntry, b: HmsEntry): boolean => a.attr === b.attr && a.code === b.code

export function raiseHms (m: Machine, entry: HmsEntry): void {
  if (!m.hms.some(other => sameEntry(other, entry))) m.hms = [...m.hms, entry]
}

export function dropHms (m: Machine, entry: HmsEntry): void {
  if (m.hms.some(other => sameEntry(other, entry))) m.hms = m.hms.filter(other => !sameEntry(other, entry))
}

/** Reported while the printer refuses unsigned commands. */
export const raiseUnsigned = (m: Machine): void => raiseHms(m, UNSIGNED_HMS)
