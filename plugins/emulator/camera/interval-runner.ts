/** Does something again and again, never twice at a time. */
export interface Loop {
  start (): void
  /** No further turn begins; one under way ends by itself. */
  stop (): void
}

/** A turn that took longer than the interval is followed by the next at once. Its timer holds no process. */
export function createLoop (everyMs: number, turn: () => Promise<void>): Loop {
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
