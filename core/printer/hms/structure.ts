import { moduleName } from '../state/errors.js'
import { PARTS } from './parts.data.js'

/** Modules with the numbers of module 07, for other kinds of units. */
const UNIT_MODULES: Readonly<Record<string, string>> = { '07': 'AMS', 12: 'AMS Lite', 18: 'AMS HT' }

const FIRST_HT = 0x80
const LAST_HT = 0x87
/** An external spool, or an unspecified unit. */
const NO_UNIT = 0xFF
/** Bytes of parts that exist once per slot: the low digit is the slot. */
const SLOT_PARTS = new Set([0x10, 0x20, 0x60])
const MOST_SLOTS = 4

const byteAt = (digits: string, at: number) => Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
const isHms = (digits: string) => digits.length === 16

/** `AMS B`, `AMS HT A`; undefined for modules without units. */
export function unitName (digits: string): string | undefined {
  const kind = UNIT_MODULES[digits.slice(0, 2)]
  if (kind === undefined) return undefined
  const unit = byteAt(digits, 1)
  const index = unit >= FIRST_HT ? unit - FIRST_HT : unit
  return index < 8 ? `${kind} ${String.fromCharCode(0x41 + index)}` : kind
}

/** 1 to 4; undefined if the number does not concern a slot. */
export function slotOf (digits: string): number | undefined {
  if (!isHms(digits) || UNIT_MODULES[digits.slice(0, 2)] === undefined) return undefined
  const part = byteAt(digits, 2)
  const slot = part & 0x0F
  return SLOT_PARTS.has(part & 0xF0) && slot < MOST_SLOTS ? slot + 1 : undefined
}

/** The digits with unit and slot replaced by those for all; unchanged for numbers without either. */
export function familyOf (digits: string): string {
  const unit = byteAt(digits, 1)
  if (UNIT_MODULES[digits.slice(0, 2)] === undefined || (unit > LAST_HT && unit !== NO_UNIT)) return digits
  const part = slotOf(digits) === undefined ? digits.slice(4, 6) : `${digits.slice(4, 5)}0`
  return `07${unit === NO_UNIT ? 'FF' : '00'}${part}${digits.slice(6)}`
}

/** Inserts unit and slot into a text for all of them. */
export const fillIn = (text: string, digits: string): string =>
  text.replaceAll('{ams}', () => unitName(digits) ?? 'The AMS').replaceAll('{slot}', () => String(slotOf(digits) ?? '?'))

const HMS_CLASS: Readonly<Record<number, string>> =
  { 1: 'reports a fatal fault', 2: 'reports a serious fault', 3: 'reports a fault', 4: 'has something to say' }
const ERROR_CLASS: Readonly<Record<number, string>> =
  { 4: 'stopped the job', 8: 'waits for you to act', 12: 'has something to say' }

/**
 * A sentence from the structure of a number without a text: the reporting module, the severity, and the number for a
 * search. Undefined if not even its module is known.
 */
export function sentenceFromStructure (digits: string): string | undefined {
  if (digits.length < 8) return undefined
  const module = moduleName(Number.parseInt(digits.slice(0, 8), 16))
  if (module === 'System') return undefined
  const who = unitName(digits) ?? module
  return isHms(digits) ? hmsSentence(digits, who) : errorSentence(digits, who)
}

function hmsSentence (digits: string, who: string): string {
  const [, severity = 0, number = 0] = [0, 8, 12].map(at => Number.parseInt(digits.slice(at, at + 4), 16))
  const slot = slotOf(digits)
  const family = UNIT_MODULES[digits.slice(0, 2)] === undefined ? digits.slice(0, 2) : '07'
  const part = slot === undefined ? PARTS[family]?.[byteAt(digits, 2)] : `slot ${slot}`
  const where = part === undefined ? '' : ` (${part})`
  return `${who}${where} ${HMS_CLASS[severity] ?? 'has something to say'}, number ${number}.`
}

function errorSentence (digits: string, who: string): string {
  const number = Number.parseInt(digits.slice(4), 16)
  return `${who} ${ERROR_CLASS[number >>> 12] ?? 'reports an error'}, number ${digits.slice(4)}.`
}
