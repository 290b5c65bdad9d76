import { currentContext } from './execution-context.js'

export type Dispose = () => void

/** What a map of events must look like: event name to the tuple of its arguments. */
export type EventMap<M> = { [K in keyof M]: unknown[] }

/**
 * Typed events. A listener that throws or rejects never stops the others or the emitting code; one that a plugin
 * added is disabled when it goes on doing so.
 */
export interface Emitter<M extends EventMap<M>> {
  /** @returns the function that removes the listener again */
  on<K extends keyof M & string> (event: K, listener: (...args: M[K]) => void): Dispose
  /** Resolves with the next arguments; rejects with the signal's reason when aborted first. */
  once<K extends keyof M & string> (event: K, options?: { signal?: AbortSignal }): Promise<M[K]>
  emit<K extends keyof M & string> (event: K, ...args: M[K]): void
}

type Listener = (...args: unknown[]) => unknown

/** @param onError told of every error that a listener of no plugin throws, with the event's name */
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

  /** Listeners added meanwhile wait for the next time; those removed meanwhile are passed over. */
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

/** A listener that is added while code of a plugin runs is that plugin's. */
function attributed (event: string, listener: Listener): Listener {
  const guard = currentContext()?.guard('listener', event)
  return guard === undefined ? listener : (...args) => { guard.run(() => listener(...args)) }
}

/** Without a handler an error must not vanish: it surfaces as an uncaught exception. */
function rethrowLater (error: unknown): void {
  queueMicrotask(() => { throw error })
}
