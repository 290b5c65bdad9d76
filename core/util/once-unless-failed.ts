/**
 * Begins work when it is first asked for, and keeps what it gave. Work that failed, as without memory or file handles
 * for a moment, is begun again by the next caller.
 */
export function onceUnlessFailed<T> (begin: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () => (begun ??= begin().catch((error: unknown) => {
    begun = undefined
    throw error
  }))
}
