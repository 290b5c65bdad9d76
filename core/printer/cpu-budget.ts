/** CPU time that one printer may use in each window. */
const BUDGET_MS = 50
const WINDOW_MS = 100

/**
 * Prevents a flooding printer from starving the others: once a window's budget is used up, its next message is handled
 * in the next window. Nothing is dropped: TCP flow control slows the sender down.
 */
export function createCpuBudget (clock: () => number = () => performance.now()) {
  let windowStart = -Infinity
  let usedMs = 0
  let timer: NodeJS.Timeout | undefined

  return {
    run (work: () => void, done: () => void): void {
      const begin = clock()
      if (begin - windowStart >= WINDOW_MS) {
        windowStart = begin
        usedMs = 0
      }
      work()
      usedMs += clock() - begin
      if (usedMs < BUDGET_MS) return done()
      timer = setTimeout(done, Math.max(1, windowStart + WINDOW_MS - clock()))
    },
    stop: () => clearTimeout(timer)
  }
}
