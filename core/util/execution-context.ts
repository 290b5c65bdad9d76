/** On whose behalf code runs: what it registers meanwhile, and what fails of that later, is attributed to it. */
export interface ExecutionContext {
  /** For one thing that is called later, such as a listener. */
  guard (kind: string, name: string): {
    run<T> (work: () => T, where?: Readonly<Record<string, unknown>>): T | undefined
  }
}

let current: ExecutionContext | undefined

export const currentContext = (): ExecutionContext | undefined => current

/**
 * Runs work in a context, up to its first `await`. An AsyncLocalStorage would reach further, but slows down every
 * promise of the process on the Node versions that are supported.
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
