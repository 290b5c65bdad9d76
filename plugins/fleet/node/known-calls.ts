import type { Readable } from 'node:stream'
import { digestOf, encode, piecesOf, type End } from '../encoding.js'

/** A write that is repeated within this time is answered from memory, not run again. */
const REMEMBER_MS = 600_000
/** Larger answers are not retained; a repeated call then only learns that it was done. */
const MOST_RETAINED_BYTES = 64 * 1024

export interface Outcome { readonly bytes?: Buffer, readonly end: End, readonly stream?: Readable | undefined }

/** A call that is running or remembered. */
export interface KnownCall {
  readonly isRead: boolean
  readonly outcome: Promise<Outcome>
  readonly controller: AbortController
  /** Subjects of the attempts that wait for the outcome, in their order. */
  readonly replies: Set<string>
}

export const endOf = (bytes: Buffer): End => ({ pieces: piecesOf(bytes).length, digest: digestOf(bytes) })

function retained ({ bytes, end }: Outcome): Outcome {
  if (bytes === undefined) return { end }
  if (bytes.length <= MOST_RETAINED_BYTES) return { end, bytes }
  const { bytes: short } = encode({}, text => text)
  return { bytes: short, end: endOf(short) }
}

/** Calls by their keys: all while they run, and writes for a while afterwards, so that none runs twice. */
export class KnownCalls {
  readonly #calls = new Map<string, KnownCall>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  get (key: string): KnownCall | undefined { return this.#calls.get(key) }

  /** @param onForgotten called when a write is no longer remembered */
  add (key: string, call: KnownCall, onForgotten: () => void): void {
    this.#calls.set(key, call)
    void call.outcome.then(outcome => {
      if (call.isRead) this.#calls.delete(key)
      else this.#remember(key, { ...call, outcome: Promise.resolve(retained(outcome)) }, onForgotten)
    })
  }

  abort (key: string, reason: Error): void { this.#calls.get(key)?.controller.abort(reason) }

  close (reason: Error): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    for (const { controller } of this.#calls.values()) controller.abort(reason)
  }

  #remember (key: string, call: KnownCall, onForgotten: () => void): void {
    this.#calls.set(key, call)
    this.#timers.set(key, setTimeout(() => {
      this.#calls.delete(key)
      this.#timers.delete(key)
      onForgotten()
    }, REMEMBER_MS).unref())
  }
}
