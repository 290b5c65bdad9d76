/** Observations of two services that are no further apart are one occurrence. */
export const SAME_MS = 10_000

/** Keys of an occurrence that only the clocks of services tell apart from the next one. */
export function clockKey (name: string, at: number, sameMs = SAME_MS):
{ readonly key: string, readonly aliases: readonly string[] } {
  const bucket = Math.floor(at / sameMs)
  const keyOf = (number: number): string => `${name}:${number}`
  return { key: keyOf(bucket), aliases: [keyOf(bucket - 1), keyOf(bucket + 1)] }
}
