const SOON_MS = 10
const LATER_MS = 50
/** What takes long is asked for less often: asking costs processor time that what is waited for may need. */
const SLOWER = 1.2

/**
 * Waits until a condition holds, at first looking every 10 ms, later every 50.
 * @param everyMs looks as often as that all the time
 * @throws when it does not in time, with the last error of the condition as the cause
 */
export async function eventually (condition: () => unknown, withinMs = 10_000, everyMs?: number): Promise<void> {
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
