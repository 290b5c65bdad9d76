/** When each key last occurred, in ms of a monotonic clock; oldest first. */
export type Recent<K> = ReadonlyMap<K, number>

/** Bounds the memory against a printer that sends ever new codes. */
const MAX_ENTRIES = 64

export const isRecent = <K>(recent: Recent<K>, key: K, at: number, windowMs: number): boolean =>
  at - (recent.get(key) ?? -Infinity) < windowMs

/** Adds entries; drops those outside the window, then the oldest. */
export function remember<K> (recent: Recent<K>, keys: Iterable<K>, at: number, windowMs: number): Recent<K> {
  const remaining = new Map([...recent].filter(([, when]) => at - when < windowMs))
  for (const key of keys) {
    remaining.delete(key)
    remaining.set(key, at)
  }
  return remaining.size > MAX_ENTRIES ? new Map([...remaining].slice(-MAX_ENTRIES)) : remaining
}
