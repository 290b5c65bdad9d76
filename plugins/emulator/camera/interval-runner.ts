/** Runs a task at intervals, never twice at a time. */
export interface IntervalRunner {
  start (): void
  /** No further turn begins; one in progress finishes. */
  stop (): void
}

/** After a turn longer than the interval the next follows at once. The timer does not keep the process alive. */
export function createIntervalRunner (everyMs: number, turn: () => Promise<void>): IntervalRunner {
  let timer: NodeJS.Timeout | undefined
  let current: symbol | undefined
  let busy = Promise.resolve()

  const go = async (run: symbol): Promise<void> => {
    const began = performance.now()
    await busy
    if (current !== run) return
    busy = turn().catch(() => {})
    await busy
    if (current !== run) return
    timer = setTimeout(() => { void go(run) }, Math.max(0, everyMs - (performance.now() - began))).unref()
  }

  return {
    start () {
      if (current !== undefined) return
      current = Symbol('run')
      void go(current)
    },
    stop () {
      clearTimeout(timer)
      current = undefined
    }
  }
}
