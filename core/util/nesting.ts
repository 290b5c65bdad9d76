/** Deeper than any request that means something; what goes deeper cannot be written out again. */
export const MOST_LEVELS = 64

/** True if lists and objects lie in each other at most so many levels deep; looks no deeper than that. */
export const isNestedWithin = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== 'object' || value === null ||
  (levels > 0 && Object.values(value).every(part => isNestedWithin(part, levels - 1)))
