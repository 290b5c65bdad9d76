import { BadInput } from '../../core/index.js'

export const LIMITS = {
  /** Nesting of lists and objects. */
  depth: 16,
  /** Bytes of a value as JSON. */
  value: 16 * 1024,
  /** Characters of printer and key together. */
  key: 200,
  count: 2_000
} as const

type Preferences = Readonly<Record<string, unknown>>

/** Checks level by level, because recursion would overflow the stack on a deeply nested value. */
function isShallow (value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.depth) return false
    level = level.flatMap(item => typeof item === 'object' && item !== null ? Object.values(item) : [])
  }
  return true
}

/** @returns why a preference cannot be stored, or undefined */
function problemOf (key: string, value: unknown): string | undefined {
  if (key.length > LIMITS.key) return `printer and key together may have ${LIMITS.key} characters`
  if (!isShallow(value)) return `value may be nested ${LIMITS.depth} levels deep`
  const size = Buffer.byteLength(JSON.stringify(value))
  return size > LIMITS.value ? `value may take ${LIMITS.value} bytes as JSON, not ${size}` : undefined
}

/**
 * The preferences with one added or changed. `null` removes one, and is also the value of one that is not set.
 * @throws PRN_ERR_BAD_INPUT
 */
export function withPreference (all: Preferences, key: string, value: unknown): Preferences {
  const { [key]: _replaced, ...others } = all
  if (value === null) return others
  const problem = problemOf(key, value)
  if (problem !== undefined) throw new BadInput(problem)
  if (Object.keys(others).length < LIMITS.count) return { ...others, [key]: value }
  throw new BadInput(`There are ${LIMITS.count} preferences already; remove some by setting them to null`)
}

/** Splits stored preferences into those within the limits and the keys of the others. */
export function splitValid (all: Preferences): { readonly valid: Preferences, readonly invalid: readonly string[] } {
  const fits = ([key, value]: readonly [string, unknown]) => problemOf(key, value) === undefined
  const entries = Object.entries(all)
  return {
    valid: Object.fromEntries(entries.filter(fits)),
    invalid: entries.filter(entry => !fits(entry)).map(([key]) => key)
  }
}
