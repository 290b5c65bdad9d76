/**
 * Waits for work, but no longer than a time or a signal allows. A promise is then abandoned. Work that takes a signal
 * is aborted and still awaited, so that nothing it had opened stays open.
 * @throws what `late` returns after `ms`; the signal's reason if it is aborted first; what the work throws
 */
export async function withTimeout<T> (ms: number, work: Promise<T> | ((signal: AbortSignal) => Promise<T>),
  late: () => Error, signal?: AbortSignal): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(late()), ms)
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  try {
    return await (typeof work === 'function' ? abortable(work, controller.signal) : unlessAborted(work, controller.signal))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Errors of aborted work are mere consequences: the signal's reason counts. */
async function abortable<T> (work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    signal.throwIfAborted()
    return await work(signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

function unlessAborted<T> (work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject)
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
