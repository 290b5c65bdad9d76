/** When each thing last happened, in ms of a monotonic clock; oldest first. */
export type Recent<K> = ReadonlyMap<K, number>

/** Bounds the memory for a printer that keeps inventing codes. */
const MOST_REMEMBERED = 64

export const isRecent = <K>(recent: Recent<K>, key: K, at: number, windowMs: number): boolean =>
  at - (recent.get(key) ?? -Infinity) < windowMs

/** Adds entries; drops those outside the window, then the oldest. */
export function remember<K> (recent: Recent<K>, keys: Iterable<K>, at: number, windowMs: number): Recent<K> {
  const kept = new Map([...recent].filter(([, when]) => at - when < windowMs))
  for (const key of keys) {
    kept.delete(key)
    kept.set(key, at)
  }
  return kept.size > MOST_REMEMBERED ? new Map([...kept].slice(-MOST_REMEMBERED)) : kept
}
