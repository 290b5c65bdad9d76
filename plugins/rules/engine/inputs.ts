import type { Plain } from '../types.js'
import { Problem } from '../words/why.js'

const LONGEST_FIELD = 200

/** The field that `{from: 'event.FIELD'}` names; undefined for a plain value. */
export function sourceOf (value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const keys = Object.keys(value)
  const { from } = value as { from?: unknown }
  return keys.length === 1 && typeof from === 'string' && from.startsWith('event.') ? from.slice('event.'.length) : undefined
}

/** What every occurrence has, beside its fields. */
export interface Given { readonly printer: string | undefined, readonly fields: Readonly<Record<string, Plain>> }

export function fieldIn ({ printer, fields }: Given, field: string): Plain | undefined {
  if (field === 'printer') return printer
  return Object.hasOwn(fields, field) ? fields[field] : undefined
}

/**
 * The input with values of the event in their places, each of its own type.
 * @throws Problem for a field that is missing
 */
export function inputWith (input: Readonly<Record<string, unknown>> | undefined,
  given: Given): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input ?? {}).map(([key, value]) => {
    const source = sourceOf(value)
    if (source === undefined) return [key, value]
    const found = fieldIn(given, source)
    if (found === undefined || found === null) throw new Problem('no_field', { field: source })
    return [key, found]
  }))
}

/** Names in braces, as they stand in the text of a message. */
export const placeholdersIn = (text: string): string[] => [...text.matchAll(/\{([a-z_]{1,40})\}/g)].map(([, name = '']) => name)

/** The text with fields in their places, as plain text on one line: what comes from outside is never read again. */
export const textWith = (text: string, given: Given, rule: string): string =>
  text.replace(/\{([a-z_]{1,40})\}/g, (whole, name: string) => {
    const value = name === 'rule' ? rule : fieldIn(given, name)
    if (value === undefined || value === null) return whole
    return String(value).slice(0, LONGEST_FIELD).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
  })
