/** Lets work on one thing happen one after the other, and only so much of it at the same time. */
export function createLimiter (most: number) {
  const last = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let running = 0

  async function enter (): Promise<void> {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
  }

  /** A place is handed on, so that nobody slips in between. */
  function leave (): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return async function inTurn<T> (key: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(async () => {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    })
    const settled = mine.then(() => {}, () => {})
    last.set(key, settled)
    try {
      return await mine
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}
