/** Longest time one printer may keep the process busy in each window. */
const SHARE_MS = 50
const WINDOW_MS = 100

/**
 * Keeps one flooding printer from starving the others: work is timed, and once a window's share is used up
 * the next message waits for the next window. Nothing is dropped; TCP holds back the sender.
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
      if (usedMs < SHARE_MS) return done()
      timer = setTimeout(done, Math.max(1, windowStart + WINDOW_MS - clock()))
    },
    stop: () => clearTimeout(timer)
  }
}
