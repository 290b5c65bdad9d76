/** What a plug says of itself; a member that a message does not contain, or contains out of all bounds, is missing. */
export interface Reading {
  readonly isOn?: boolean
  /** Power drawn now, W. */
  readonly watts?: number
  /** A counter that only grows, Wh. */
  readonly wh?: number
  /** Whether it is reachable for its broker. */
  readonly isOnline?: boolean
}

/** A plug for 32 A delivers 7,360 W; more is no reading. */
const MOST_WATTS = 8_000
/** 1 GWh, which no household counter reaches. */
const MOST_WH = 1e9
/** Sensors without load report a little less than nothing. */
const NOISE_WATTS = -5
const LONGEST_TEXT = 16_384
const LONGEST_NUMBER = 32

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object in a text; undefined for anything else, and for one that is too long. */
export function fieldsIn (text: string): Fields | undefined {
  if (text.length > LONGEST_TEXT || !text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A member that is an object itself. */
export const part = (fields: Fields | undefined, name: string): Fields | undefined => {
  const value = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
  return isFields(value) ? value : undefined
}

/** A number as JSON or as text. */
function finite (value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NUMBER
  const number = typeof value === 'number' ? value : isText ? Number(value) : NaN
  return Number.isFinite(number) ? number : undefined
}

export function wattsOf (value: unknown): number | undefined {
  const watts = finite(value)
  if (watts === undefined || watts < NOISE_WATTS || watts > MOST_WATTS) return undefined
  return Math.max(0, watts)
}

/** @param factor Wh in one unit of the counter */
export function whOf (value: unknown, factor = 1): number | undefined {
  const wh = finite(value)
  return wh === undefined || wh < 0 || wh * factor > MOST_WH ? undefined : wh * factor
}

const ON = new Set(['on', 'true', '1', 'online'])
const OFF = new Set(['off', 'false', '0', 'offline'])

export function isOnOf (value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const word = (typeof value === 'string' || typeof value === 'number') ? String(value).slice(0, LONGEST_NUMBER).toLowerCase() : ''
  return ON.has(word) ? true : OFF.has(word) ? false : undefined
}

/** Without what is undefined; undefined for nothing at all. */
export function reading (of: { readonly [K in keyof Reading]?: Reading[K] | undefined }): Reading | undefined {
  const known = Object.entries(of).filter(([, value]) => value !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}
