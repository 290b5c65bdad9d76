/** Deeper than any valid request; much deeper values could not be serialised. */
export const MOST_LEVELS = 64

/** True if lists and objects are nested at most so many levels deep; checks no deeper than that. */
export const isNestedWithin = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== 'object' || value === null ||
  (levels > 0 && Object.values(value).every(part => isNestedWithin(part, levels - 1)))
