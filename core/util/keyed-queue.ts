/** Work under one key runs one after the other, in the order it came; work under different keys at the same time. */
export interface KeyedQueue<K> {
  /**
   * Runs work once everything that came before it under the same key has ended, however it ended. Work whose signal is
   * aborted while it waits never begins.
   * @throws the signal's reason, what the work throws
   */
  run<T> (key: K, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T>
  /** Keys under which something runs or waits. */
  keys (): Set<K>
}

interface Waiting<K> { readonly key: K, readonly begin: () => void }

/** @param concurrency how much may run at the same time under all keys together */
export function createKeyedQueue<K = string> (concurrency = Infinity): KeyedQueue<K> {
  const running = new Set<K>()
  const waiting: Waiting<K>[] = []

  function beginNext (): void {
    for (let at = 0; at < waiting.length && running.size < concurrency;) {
      const { key, begin } = waiting[at] as Waiting<K>
      if (running.has(key)) {
        at++
        continue
      }
      waiting.splice(at, 1)
      running.add(key)
      begin()
    }
  }

  function turnOf (key: K, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        waiting.splice(waiting.indexOf(mine), 1)
        reject(signal?.reason)
      }
      const begin = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const mine: Waiting<K> = { key, begin }
      signal?.addEventListener('abort', abort, { once: true })
      waiting.push(mine)
      beginNext()
    })
  }

  return {
    async run (key, work, signal) {
      signal?.throwIfAborted()
      await turnOf(key, signal)
      try {
        signal?.throwIfAborted() // between its turn and now
        return await work()
      } finally {
        running.delete(key)
        beginNext()
      }
    },
    keys: () => new Set([...running, ...waiting.map(({ key }) => key)])
  }
}
