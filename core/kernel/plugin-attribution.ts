import {
  createEmitter as createPlainEmitter, type Emitter, type EventMap, type Listener, type OnListenerError
} from '../util/emitter.js'
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
    return work()
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

/** A listener that is added while code of a plugin runs is that plugin's: it is disabled when it goes on failing. */
function attributed (event: string, listener: Listener): Listener {
  const who = owner()
  if (who === undefined) return listener
  const part = who.part('listener', event)
  return (...args) => { guarded(who, part, () => listener(...args)) }
}

/** @param onError told of every error that a listener of no plugin throws, with the event's name */
export const createEmitter = <M extends EventMap<M>>(onError?: OnListenerError): Emitter<M> =>
  createPlainEmitter<M>(onError, attributed)
