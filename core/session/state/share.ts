type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Freezes `after` and puts the objects of `before` in place of equal ones, so that what did not change keeps
 * its identity. @returns `before` itself when everything is equal
 */
export function share<T> (before: T | undefined, after: T): T {
  if (Object.is(before, after)) return after
  if (Array.isArray(after)) return shareList(Array.isArray(before) ? before : undefined, after) as T
  if (isFields(after)) return shareFields(isFields(before) ? before : undefined, after) as T
  return after
}

function shareList (before: readonly unknown[] | undefined, after: readonly unknown[]): readonly unknown[] {
  const shared = after.map((item, at) => share(before?.[at], item))
  const same = before?.length === shared.length && shared.every((item, at) => Object.is(item, before[at]))
  return same ? before : Object.freeze(shared)
}

function shareFields (before: Fields | undefined, after: Fields): Fields {
  const shared: Record<string, unknown> = {}
  let same = before !== undefined
  let count = 0
  for (const key in after) {
    const value = share(before?.[key], after[key])
    shared[key] = value
    same &&= Object.is(value, before?.[key])
    count++
  }
  return same && before && Object.keys(before).length === count ? before : Object.freeze(shared)
}
