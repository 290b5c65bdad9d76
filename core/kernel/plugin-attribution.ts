import { runInContext, type ExecutionContext } from '../util/execution-context.js'
import type { FaultGuard } from './plugin-faults.js'

/** Whose code runs: what is added meanwhile and fails later is told to it. */
export interface Owner { part (kind: string, name: string): FaultGuard }

/** Only ever set while code runs that does not wait. */
let current: Owner | undefined

export const owner = (): Owner | undefined => current

/** Runs work for an owner, up to its first wait. */
export function as<T> (who: Owner | undefined, work: () => T): T {
  const before = current
  current = who
  try {
    return runInContext(who && contextOf(who), work)
  } finally {
    current = before
  }
}

/** Calls something of an owner: what it throws, now or later, is told to its part and goes no further. */
export function guarded<T> (who: Owner, part: FaultGuard, work: () => T, where?: Readonly<Record<string, unknown>>):
T | undefined {
  if (part.isDisabled) return undefined
  try {
    const outcome = as(who, work)
    if (outcome instanceof Promise) outcome.catch((error: unknown) => part.failed(error, where))
    return outcome
  } catch (error) {
    part.failed(error, where)
    return undefined
  }
}

/** What an owner adds meanwhile is guarded as its own. */
const contextOf = (who: Owner): ExecutionContext => ({
  guard (kind, name) {
    const part = who.part(kind, name)
    return { run: (work, where) => guarded(who, part, work, where) }
  }
})
