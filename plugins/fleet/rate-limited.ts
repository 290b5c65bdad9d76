const QUIET_MS = 60_000

/** Limits a log call to once a minute, because failures tend to repeat. */
export function rateLimited<A extends readonly unknown[]> (log: (...given: A) => void): (...given: A) => void {
  let loggedAt = -Infinity
  return (...given) => {
    if (performance.now() - loggedAt < QUIET_MS) return
    loggedAt = performance.now()
    log(...given)
  }
}
