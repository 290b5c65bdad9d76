/** The merged `print` report as the printer sent it. */
export type Raw = Readonly<Record<string, unknown>>

/** A number or numeric text; the fallback for anything else. */
export function num (value: unknown, fallback = 0): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : fallback
  if (typeof value !== 'string' || value.trim() === '') return fallback
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : fallback
}

export const int = (value: unknown, fallback = 0): number => Math.trunc(num(value, fallback))

export const text = (value: unknown, fallback = ''): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : fallback

const TRUE_WORDS = new Set(['true', '1', 'enable', 'on'])

export const flag = (value: unknown, fallback = false): boolean =>
  typeof value === 'boolean'
    ? value
    : typeof value === 'number' ? value !== 0 : typeof value === 'string' ? TRUE_WORDS.has(value.toLowerCase()) : fallback

/** The digits of a hexadecimal word, written without prefix; `0` if there is none. */
export function hex (value: unknown): string {
  const digits = text(value).trim()
  return /^[0-9a-fA-F]{1,32}$/.test(digits) ? digits : '0'
}

/** A bit of a hexadecimal word of any length; bits beyond the word are 0. */
export function hexBit (digits: string, at: number): boolean {
  const digit = digits[digits.length - 1 - Math.floor(at / 4)]
  return digit !== undefined && Number.isInteger(at) && (Number.parseInt(digit, 16) >> (at % 4) & 1) === 1
}

/** The low 32 bits of a hexadecimal word, unsigned. */
export const hexLow = (digits: string): number => Number.parseInt(digits.slice(-8), 16)

/** A bit of a 32-bit integer, whatever its sign. */
export const bit = (word: number, at: number): boolean => (word >>> at & 1) === 1

/** An unsigned field of a 32-bit integer. */
export const bits = (word: number, from: number, width: number): number => (word >>> from) & ((1 << width) - 1)

/** A nested object of the report; empty when it is missing. */
export function part (raw: Raw, ...path: string[]): Raw {
  let at = raw
  for (const key of path) {
    const next = at[key]
    if (!isRaw(next)) return NOTHING
    at = next
  }
  return at
}

const NOTHING: Raw = Object.freeze({})

export const list = (value: unknown): readonly Raw[] =>
  !Array.isArray(value) ? NO_ITEMS : value.every(isRaw) ? value : value.filter(isRaw)

const NO_ITEMS: readonly Raw[] = Object.freeze([])

export const numbers = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.map(item => num(item, NaN)).filter(Number.isFinite) : []

function isRaw (value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Packed temperatures of the `device` object: actual in the low, target in the high 16 bits. */
export const packed = (value: unknown) => {
  const word = int(value)
  return { actual: word & 0xFFFF, target: word >>> 16 }
}

/** A table's value for an untrusted key, but never an inherited member such as `constructor`. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** Eight upper-case hexadecimal digits of an unsigned 32-bit number. */
export const hex8 = (value: number): string => (value >>> 0).toString(16).toUpperCase().padStart(8, '0')

/** Compares dotted firmware versions part by part. */
export function isAtLeast (version: string, wanted: string): boolean {
  const have = version.split('.').map(Number)
  for (const [at, want] of wanted.split('.').map(Number).entries()) {
    const own = have[at] ?? 0
    if (own !== want) return own > want
  }
  return true
}
