interface Shared<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  callers: number
}

/** Work that several callers ask for at the same time is done once. It is aborted when the last of them gives up. */
export class OngoingWork<T> {
  readonly #running = new Map<string, Shared<T>>()

  /** @throws what the work throws, or the reason of the caller's own signal */
  async run (key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const shared = this.#running.get(key) ?? this.#begin(key, work)
    shared.callers++
    let abort: (() => void) | undefined
    const aborted = new Promise<never>((_resolve, reject) => {
      abort = () => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
    })
    try {
      return await Promise.race([shared.result, aborted])
    } finally {
      signal?.removeEventListener('abort', abort!)
      shared.callers--
      if (shared.callers === 0 && this.#running.get(key) === shared) {
        this.#running.delete(key)
        shared.controller.abort()
      }
    }
  }

  #begin (key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const controller = new AbortController()
    const result = work(controller.signal)
    const shared: Shared<T> = { result, controller, callers: 0 }
    this.#running.set(key, shared)
    const end = () => { if (this.#running.get(key) === shared) this.#running.delete(key) }
    result.then(end, end)
    return shared
  }
}
