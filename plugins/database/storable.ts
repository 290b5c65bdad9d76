/** PostgreSQL stores no U+0000, and a printer or a login may send one; the same character stands in both databases. */
const NUL = /\0/g
const REPLACEMENT = '\uFFFD'

/** A parameter of a statement as both databases can store it. */
export const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replace(NUL, REPLACEMENT) : value
