/** Lets `perSecond` pass, and `burst` at once after a while of quiet. @returns whether one more may */
export function createRate (now: () => number, perSecond: number, burst: number): () => boolean {
  let left = burst
  let at = now()
  return () => {
    left = Math.min(burst, left + (now() - at) / 1000 * perSecond)
    at = now()
    if (left < 1) return false
    left--
    return true
  }
}
