/** With more than this missed, what was missed is left out. */
const MOST_BEHIND_MS = 500

/**
 * Calls at even intervals, with the moment that was due; what a busy process missed comes at once. Its timer holds no
 * process.
 *
 * @returns what ends it
 */
export function startTicker (everyMs: number, tick: (at: number) => void): () => void {
  let due = performance.now()
  let open = true

  const turn = (): void => {
    const now = performance.now()
    if (now - due > MOST_BEHIND_MS) due = now
    for (; due <= now; due += everyMs) {
      if (!open) return
      tick(due)
    }
    if (open) timer = setTimeout(turn, due - now).unref()
  }
  let timer = setTimeout(turn, 0).unref()
  return () => {
    open = false
    clearTimeout(timer)
  }
}
