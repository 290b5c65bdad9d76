type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Freezes `after` and replaces equal objects by those of `before`, so that unchanged parts keep their identity.
 * @returns `before` itself if everything is equal
 */
export function share<T> (before: T | undefined, after: T): T {
  if (Object.is(before, after)) return after
  if (Array.isArray(after)) return shareList(Array.isArray(before) ? before : NONE, after, before !== undefined) as T
  if (isFields(after)) return shareFields(isFields(before) ? before : EMPTY, after, before !== undefined) as T
  return after
}

const NONE: readonly unknown[] = []
const EMPTY: Fields = {}

/** Changes `after` in place: it was just created and is not shared yet, unless it is frozen. */
function shareList (before: readonly unknown[], after: unknown[], known: boolean): readonly unknown[] {
  const open = !Object.isFrozen(after)
  let same = known && before.length === after.length
  for (let at = 0; at < after.length; at++) {
    const value = share(before[at], after[at])
    if (open && !Object.is(value, after[at])) after[at] = value
    same &&= Object.is(value, before[at])
  }
  return same ? before : Object.freeze(after)
}

function shareFields (before: Fields, after: Fields, known: boolean): Fields {
  const open = !Object.isFrozen(after)
  let same = known
  let count = 0
  for (const key in after) {
    const value = share(before[key], after[key])
    if (open && !Object.is(value, after[key])) (after as Record<string, unknown>)[key] = value
    same &&= Object.is(value, before[key])
    count++
  }
  return same && Object.keys(before).length === count ? before : Object.freeze(after)
}
