/** A token bucket: `perSecond` on average, up to `burst` at once. @returns a function that takes a token if it can */
export function createRate (now: () => number, perSecond: number, burst: number): () => boolean {
  let left = burst
  let at = now()
  return () => {
    left = Math.min(burst, left + Math.max(0, now() - at) / 1000 * perSecond)
    at = now()
    if (left < 1) return false
    left--
    return true
  }
}
