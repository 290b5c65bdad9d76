import { AsyncLocalStorage } from 'node:async_hooks'
import { ClaimExpired, NotConnected, PrinterClaimed } from '../errors.js'

export interface ExclusiveOptions {
  /** The lock is released when it is aborted. */
  readonly signal?: AbortSignal
  /** The lock is released after this time at the latest, ms. @default 15 minutes */
  readonly withinMs?: number
}

/** Runs work while it holds the printer's lock: see `PrinterSession.exclusively`. */
export type Exclusively = <T>(purpose: string, work: (signal: AbortSignal) => Promise<T>, options?: ExclusiveOptions) =>
Promise<T>

interface Hold { readonly purpose: string }

/** Long enough to read a large archive from a slow card. */
const MAX_HOLD_MS = 15 * 60_000

/**
 * The holds of the running work, of all printers. On Node 20 and 22 every enabled storage slows down all promises of
 * the process, so there is one, and only while something is held.
 */
const own = new AsyncLocalStorage<readonly Hold[]>()
let held = 0

/**
 * A reentrant lock that fails instead of waiting.
 * @param ending aborted when the session ends
 */
export function createExclusiveLock (name: string, ending: AbortSignal): Exclusively {
  /** The outermost hold first, then those acquired within it. */
  const holds: Hold[] = []

  function acquire (purpose: string): Hold {
    const holder = holds.at(-1)
    const isOwn = holder === undefined || own.getStore()?.includes(holder) === true
    if (!isOwn) throw new PrinterClaimed(outermostPurpose(holds), name)
    const hold = { purpose }
    holds.push(hold)
    held++
    return hold
  }

  /** Releases a hold and those acquired within it. */
  function release (hold: Hold): void {
    if (!holds.includes(hold)) return
    held -= holds.splice(holds.indexOf(hold)).length
    if (held === 0) own.disable()
  }

  return async (purpose, work, { signal, withinMs = MAX_HOLD_MS } = {}) => {
    if (ending.aborted) throw new NotConnected(name)
    signal?.throwIfAborted()
    const hold = acquire(purpose)
    const controller = new AbortController()
    const abort = (reason: unknown) => {
      release(hold)
      controller.abort(reason)
    }
    const timer = setTimeout(() => abort(new ClaimExpired(purpose, name, withinMs / 1000)), withinMs).unref()
    const sessionEnded = () => abort(new NotConnected(name))
    const callerAborted = () => abort(signal?.reason)
    ending.addEventListener('abort', sessionEnded, { once: true })
    signal?.addEventListener('abort', callerAborted, { once: true })
    try {
      return await own.run([...own.getStore() ?? [], hold], work, controller.signal)
    } finally {
      clearTimeout(timer)
      ending.removeEventListener('abort', sessionEnded)
      signal?.removeEventListener('abort', callerAborted)
      release(hold)
    }
  }
}

/** Others see the outermost purpose, of which inner work is a part. */
const outermostPurpose = ([first]: readonly Hold[]): string => first?.purpose ?? ''
