/**
 * Waits for work no longer than a time, and no longer than a signal allows. The work itself goes on.
 * @throws what `late` makes after `ms`; the signal's reason when it is aborted first
 */
export async function withTimeout<T> (ms: number, work: Promise<T>, late: () => Error,
  signal?: AbortSignal): Promise<T> {
  if (signal?.aborted) {
    work.catch(() => {}) // nobody waits for it any more
    throw signal.reason
  }
  let timer: NodeJS.Timeout | undefined
  let abort = () => {}
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
    abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
  })
  return await Promise.race([work, end]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  })
}
