const QUIET_MS = 60_000

/** What fails fails often: the log has one line a minute. */
export function quieted<A extends readonly unknown[]> (tell: (...given: A) => void): (...given: A) => void {
  let toldAt = -Infinity
  return (...given) => {
    if (performance.now() - toldAt < QUIET_MS) return
    toldAt = performance.now()
    tell(...given)
  }
}
