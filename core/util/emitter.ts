import { currentContext } from './execution-context.js'

export type Dispose = () => void

/** The shape of an event map: event name to the tuple of its arguments. */
export type EventMap<M> = { [K in keyof M]: unknown[] }

/**
 * Typed events. A listener that throws or rejects does not affect the others or the emitter; a plugin's listener is
 * suspended if it keeps failing.
 */
export interface Emitter<M extends EventMap<M>> {
  /** @returns removes the listener */
  on<K extends keyof M & string> (event: K, listener: (...args: M[K]) => void): Dispose
  /** Resolves with the next arguments; rejects with the signal's reason when aborted first. */
  once<K extends keyof M & string> (event: K, options?: { signal?: AbortSignal }): Promise<M[K]>
  emit<K extends keyof M & string> (event: K, ...args: M[K]): void
}

type Listener = (...args: unknown[]) => unknown

/** @param onError called for every error of a listener that belongs to no plugin, with the event's name */
export function createEmitter<M extends EventMap<M>> (
  onError: (error: unknown, event: string) => void = rethrowLater): Emitter<M> {
  const listeners = new Map<string, Set<Listener>>()

  function on<K extends keyof M & string> (event: K, listener: (...args: M[K]) => void): Dispose {
    const set = listeners.get(event) ?? new Set()
    listeners.set(event, set)
    const own = attributed(event, (...args) => listener(...args as M[K]))
    set.add(own)
    return () => { set.delete(own) }
  }

  function once<K extends keyof M & string> (event: K, { signal }: { signal?: AbortSignal } = {}): Promise<M[K]> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => { off(); reject(signal?.reason) }
      const off = on(event, (...args) => {
        off()
        signal?.removeEventListener('abort', abort)
        resolve(args)
      })
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Listeners added during an event are called from the next one on; those removed meanwhile are skipped. */
  function emit<K extends keyof M & string> (event: K, ...args: M[K]): void {
    const set = listeners.get(event)
    if (set === undefined || set.size === 0) return
    for (const listener of [...set]) {
      if (set.has(listener)) run(listener, args, event)
    }
  }

  function run (listener: Listener, args: unknown[], event: string): void {
    try {
      const outcome = listener(...args)
      if (outcome instanceof Promise) outcome.catch((error: unknown) => onError(error, event))
    } catch (error) {
      onError(error, event)
    }
  }

  return { on, once, emit }
}

/** A listener that is added while a plugin's code runs is attributed to that plugin. */
function attributed (event: string, listener: Listener): Listener {
  const guard = currentContext()?.guard('listener', event)
  return guard === undefined ? listener : (...args) => { guard.run(() => listener(...args)) }
}

/** Without a handler an error must not be lost: it becomes an uncaught exception. */
function rethrowLater (error: unknown): void {
  queueMicrotask(() => { throw error })
}
