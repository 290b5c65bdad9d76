interface Flight<T> { readonly result: Promise<T>, readonly controller: AbortController, callers: number }

/**
 * Shares one run of the work among all callers while it runs. It is aborted only when all of them have aborted.
 */
export function singleFlight<T> (work: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let current: Flight<T> | undefined

  function begin (): Flight<T> {
    const controller = new AbortController()
    const made: Flight<T> = { controller, callers: 0, result: work(controller.signal) }
    const over = () => { if (current === made) current = undefined }
    made.result.then(over, over)
    return made
  }

  return async (signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted()
    const flight = current ??= begin()
    flight.callers++
    let leave = (): void => {}
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => {
        reject(signal?.reason)
        if (--flight.callers === 0) {
          if (current === flight) current = undefined
          flight.controller.abort(signal?.reason)
        }
      }
      signal?.addEventListener('abort', leave, { once: true })
    })
    left.catch(() => {})
    return await Promise.race([flight.result, left]).finally(() => signal?.removeEventListener('abort', leave))
  }
}
