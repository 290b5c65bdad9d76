import type { Raw } from '../report.js'

/** A number, also one written as text; the fallback for anything else. */
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

/** A hexadecimal word, written without prefix; 0 when there is none. */
export function hex (value: unknown): bigint {
  const digits = text(value).trim()
  return /^[0-9a-fA-F]{1,32}$/.test(digits) ? BigInt(`0x${digits}`) : 0n
}

/** No word has more bits; a place beyond them, negative ones too, comes from a number that is none. */
const MOST_BITS = 128

export const bit = (word: bigint | number, at: number): boolean =>
  Number.isInteger(at) && at >= 0 && at < MOST_BITS && ((BigInt(word) >> BigInt(at)) & 1n) === 1n

/** An unsigned field of a 32-bit integer. */
export const bits = (word: number, from: number, width: number): number => (word >>> from) & ((1 << width) - 1)

/** A nested object of the report; empty when it is missing. */
export const part = (raw: Raw, ...path: string[]): Raw =>
  path.reduce<Raw>((at, key) => isRaw(at[key]) ? at[key] : {}, raw)

export const list = (value: unknown): readonly Raw[] => Array.isArray(value) ? value.filter(isRaw) : []

export const numbers = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.map(item => num(item, NaN)).filter(Number.isFinite) : []

function isRaw (value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Actual in the low, target in the high 16 bits. Source: packed temperatures of the `device` object. */
export const packed = (value: unknown) => {
  const word = int(value)
  return { actual: word & 0xFFFF, target: word >>> 16 }
}

/** A table's value for a word from outside; never something that every object inherits, such as `constructor`. */
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
