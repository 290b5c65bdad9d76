/** The owner of running code: what it registers, and later failures of that, are attributed to the owner. */
export interface ExecutionContext {
  /** For something that is called later, such as a listener. */
  guard (kind: string, name: string): {
    run<T> (work: () => T, where?: Readonly<Record<string, unknown>>): T | undefined
  }
}

let current: ExecutionContext | undefined

export const currentContext = (): ExecutionContext | undefined => current

/**
 * Runs work in a context, up to its first `await`. An AsyncLocalStorage would reach further, but slows down every
 * promise of the process on supported Node versions.
 */
export function runInContext<T> (context: ExecutionContext | undefined, work: () => T): T {
  const before = current
  current = context
  try {
    return work()
  } finally {
    current = before
  }
}
