interface Running<T> { readonly result: Promise<T>, readonly stop: AbortController, readers: number }

/**
 * Turns work into work that runs once for all who ask while it runs. It ends early only when all of them went away.
 */
export function singleFlight<T> (work: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let current: Running<T> | undefined

  function begin (): Running<T> {
    const stop = new AbortController()
    const made: Running<T> = { stop, readers: 0, result: work(stop.signal) }
    const over = () => { if (current === made) current = undefined }
    made.result.then(over, over)
    return made
  }

  return async (signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted()
    const listing = current ??= begin()
    listing.readers++
    let leave = (): void => {}
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => {
        reject(signal?.reason)
        if (--listing.readers === 0) {
          if (current === listing) current = undefined
          listing.stop.abort(signal?.reason)
        }
      }
      signal?.addEventListener('abort', leave, { once: true })
    })
    left.catch(() => {})
    return await Promise.race([listing.result, left]).finally(() => signal?.removeEventListener('abort', leave))
  }
}
