/** Work with the same key runs sequentially, in order of arrival; work with different keys runs concurrently. */
export interface KeyedQueue<K> {
  /**
   * Runs work once all earlier work with the same key has ended, successfully or not. Work whose signal is aborted
   * while it waits never starts.
   * @throws the signal's reason, what the work throws
   */
  run<T> (key: K, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T>
  /** Keys with running or waiting work. */
  keys (): Set<K>
}

interface Waiting<K> { readonly key: K, readonly begin: () => void }

/** @param concurrency limit of concurrent work over all keys */
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
        signal?.throwIfAborted() // aborted after its turn came
        return await work()
      } finally {
        running.delete(key)
        beginNext()
      }
    },
    keys: () => new Set([...running, ...waiting.map(({ key }) => key)])
  }
}
