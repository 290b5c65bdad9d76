/** Above what clocks are corrected by at once while a service runs, ms. */
const SUSPENDED_MS = 5_000

/**
 * A monotonic clock that counts the time while the machine was suspended, which the steady one does not: what was sent
 * before that must not look recent afterwards. A wall clock that is set forward counts as a suspend, too.
 */
export function countSuspends (steady: () => number, wall: () => number): () => number {
  let [lastSteady, lastWall] = [steady(), wall()]
  let suspendedMs = 0
  return () => {
    const [nowSteady, nowWall] = [steady(), wall()]
    const ahead = (nowWall - lastWall) - (nowSteady - lastSteady)
    if (ahead > SUSPENDED_MS) suspendedMs += ahead
    lastSteady = nowSteady
    lastWall = nowWall
    return nowSteady + suspendedMs
  }
}
