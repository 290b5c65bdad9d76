import { isNestedWithin } from '../../core/index.js'

/** What a scale says. */
export interface Reading {
  readonly grams: number
  /** Id of the spool on it; empty when it does not know. */
  readonly spool: string
  /** Number of its tag; empty when it does not know. */
  readonly tag: string
  /** The scale has waited itself until the value was steady. */
  readonly isSteady: boolean
}

/** A reading, or why it is none. */
export type Read = { readonly reading: Reading } | { readonly problem: string }

const MOST_BYTES = 1_024
const MOST_LEVELS = 3
/** No spool weighs more, and no kitchen scale bears more. */
const MOST_GRAMS = 20_000
const NUMBER = /^[+-]?\d{1,9}(\.\d{1,9})?$/
const ID = /^[\w-]{1,64}$/

const refused = (problem: string): Read => ({ problem })

function fieldsIn (text: string): Record<string, unknown> | undefined {
  if (NUMBER.test(text)) return { grams: Number(text) }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number') return { grams: value }
    return typeof value === 'object' && value !== null && !Array.isArray(value) && isNestedWithin(value, MOST_LEVELS)
      ? value as Record<string, unknown>
      : undefined
  } catch {
    return undefined
  }
}

const named = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? '' : typeof value === 'string' && ID.test(value) ? value : undefined

/** Reads a message of a scale: a plain number, or JSON with `grams`. Never throws. */
export function readMessage (payload: Buffer): Read {
  if (payload.length === 0) return refused('the message is empty')
  if (payload.length > MOST_BYTES) return refused('the message is too long')
  const fields = fieldsIn(payload.toString('utf8').trim())
  if (fields === undefined) return refused('the message is neither a number nor JSON with grams')
  const { grams } = fields
  if (typeof grams !== 'number' || !Number.isFinite(grams)) return refused('grams is no number')
  if (grams < 0) return refused('grams is negative: set the scale to zero')
  if (grams > MOST_GRAMS) return refused(`grams is more than ${MOST_GRAMS}`)
  const [spool, tag] = [named(fields.spool), named(fields.tag)]
  if (spool === undefined || tag === undefined) return refused('spool and tag have letters, digits and hyphens only')
  return { reading: { grams, spool, tag, isSteady: fields.stable === true } }
}
