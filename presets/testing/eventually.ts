/**
 * Waits until a condition holds.
 * @throws when it does not in time, with the last error of the condition as the cause
 */
export async function eventually (condition: () => unknown, withinMs = 10_000, everyMs = 10): Promise<void> {
  const deadline = Date.now() + withinMs
  let last: unknown
  while (Date.now() < deadline) {
    try {
      if (await condition()) return
      last = undefined
    } catch (error) {
      last = error
    }
    await new Promise(resolve => setTimeout(resolve, everyMs))
  }
  throw new Error(`did not come about within ${withinMs} ms: ${condition.toString()}`, { cause: last })
}
