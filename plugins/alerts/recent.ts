/** When something last happened, by what it was, ms on a clock that never jumps; the oldest first. */
export type Recent<K> = ReadonlyMap<K, number>

/** A printer that makes up ever new codes must not make us remember them all. */
const MOST_REMEMBERED = 64

export const isRecent = <K>(recent: Recent<K>, key: K, at: number, windowMs: number): boolean =>
  at - (recent.get(key) ?? -Infinity) < windowMs

/** The same with these added; what the window no longer holds is forgotten, then the oldest. */
export function remember<K> (recent: Recent<K>, keys: Iterable<K>, at: number, windowMs: number): Recent<K> {
  const kept = new Map([...recent].filter(([, when]) => at - when < windowMs))
  for (const key of keys) {
    kept.delete(key)
    kept.set(key, at)
  }
  return kept.size > MOST_REMEMBERED ? new Map([...kept].slice(-MOST_REMEMBERED)) : kept
}
