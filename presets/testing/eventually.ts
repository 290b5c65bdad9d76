/** Ample: a busy machine takes several times as long as a quiet one, and only a failure waits for all of it. */
const WITHIN_MS = 30_000
const SOON_MS = 10
const LATER_MS = 50
/** The interval grows: polling takes processor time that the awaited work may need. */
const SLOWER = 1.2

/**
 * Waits until a condition holds, polling every 10 ms at first, later every 50.
 * @param withinMs 30 s if left out
 * @param everyMs a constant interval instead
 * @throws if it does not hold in time, with the last error of the condition as the cause
 */
export async function eventually (condition: () => unknown, withinMs = WITHIN_MS, everyMs?: number): Promise<void> {
  const deadline = Date.now() + withinMs
  let last: unknown
  let pauseMs = everyMs ?? SOON_MS
  while (Date.now() < deadline) {
    try {
      if (await condition()) return
      last = undefined
    } catch (error) {
      last = error
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs))
    pauseMs = everyMs ?? Math.min(LATER_MS, pauseMs * SLOWER)
  }
  throw new Error(`did not come about within ${withinMs} ms: ${condition.toString()}`, { cause: last })
}
