type Fields = Readonly<Record<string, unknown>>

/** Deep equality down to a depth; deeper values count as different. */
export function boundedEqual (a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true
  if (depth === 0 || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (!boundedEqual((a as Fields)[key], (b as Fields)[key], depth - 1)) return false
  }
  return true
}

/** The character budget that remains after a value; negative if the value does not fit. */
export function sizeWithin (value: unknown, budget: number, depth: number): number {
  if (budget < 0 || depth < 0) return -1
  if (typeof value === 'string') return budget - value.length - 2
  if (typeof value !== 'object' || value === null) return budget - 8
  let left = budget - 2
  for (const key in value) {
    left = sizeWithin((value as Fields)[key], left - key.length, depth - 1)
    if (left < 0) return -1
  }
  return left
}
