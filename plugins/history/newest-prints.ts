import type { PrinterState } from '../../core/index.js'
import { follow } from './follow.js'
import { createPendingObservations } from './pending-observations.js'
import type { Owner } from './tables.js'
import type { Print } from './types.js'

/** The newest print of each printer, by serial, from which a restarted service continues even without the database. */
export type Newest = Readonly<Record<string, Print>>

export interface NewestPrintsOptions {
  readonly newest: Newest
  /** Stores them for the next start. Never rejects. */
  readonly persist: (newest: Newest) => Promise<void>
  /** Records the current version of a print. */
  readonly save: (print: Print, owner: Owner) => void
  /** Completes a print that is stored with what is known of its plate. */
  readonly count?: (print: Print) => Print
  /** Monotonic clock, s. */
  readonly steady: () => number
}

const SAVE_EVERY_S = 30

/**
 * The newest print of each printer. Most reports change only its progress; they are accumulated and merged into the
 * print when it is read, and the print is saved every 30 s.
 */
export class NewestPrints {
  readonly #options: NewestPrintsOptions
  readonly #prints: Map<string, Print>
  readonly #pending = createPendingObservations()
  readonly #savedAt = new Map<string, number>()
  /** When this service last saw the newest print of a printer running, by the monotonic clock. */
  readonly #lastSeen = new Map<string, number>()
  #saving: Promise<void> = Promise.resolve()

  constructor (options: NewestPrintsOptions) {
    this.#options = options
    this.#prints = new Map(Object.entries(options.newest))
  }

  get all (): readonly Print[] { return [...this.#prints.values()] }

  has (serial: string): boolean { return this.#prints.has(serial) }

  /** Without the reports that are not merged yet, which change only the progress, not the identity or the result. */
  peek (serial: string): Print | undefined { return this.#prints.get(serial) }

  isRunning (serial: string): boolean { return this.peek(serial)?.result === 'running' }

  serialOf (id: string): string | undefined {
    return [...this.#prints].find(([, print]) => print.id === id)?.[0]
  }

  /** Includes all reports so far. */
  get (serial: string): Print | undefined {
    const print = this.#prints.get(serial)
    const observation = this.#pending.take(serial)
    if (print === undefined || observation === undefined) return print
    const known = follow(print, observation).at(-1) ?? print
    this.#prints.set(serial, known)
    return known
  }

  /** Puts another print in its place, without the pending reports of the old one. */
  replace (serial: string, print: Print): void {
    this.#pending.forget(serial)
    this.#lastSeen.delete(serial)
    this.#prints.set(serial, print)
  }

  /** Updates a print in memory until it is saved the next time. */
  update (serial: string, print: Print): void { this.#prints.set(serial, print) }

  store (known: Print, owner: Owner): void {
    const { persist, save, steady, count } = this.#options
    for (const serial of this.#prints.keys()) this.get(serial)
    const print = count?.(known) ?? known
    this.#prints.set(owner.serial, print)
    this.#savedAt.set(owner.serial, steady())
    // In this order, so that after a crash the next service recognises everything in the record as its own.
    this.#saving = persist(Object.fromEntries(this.#prints)).then(() => save(print, owner))
  }

  isSaveDue (serial: string): boolean {
    return this.#options.steady() - (this.#savedAt.get(serial) ?? -Infinity) >= SAVE_EVERY_S
  }

  /** Later reports are compared with this state. */
  beginPending (serial: string, state: PrinterState): void { this.#pending.begin(serial, state) }

  /** @returns false when the report changes more than progress and must be processed on its own */
  addPending (serial: string, state: PrinterState, elapsed: number): boolean {
    return this.#pending.add(serial, state, elapsed)
  }

  dropPending (serial: string): void { this.#pending.forget(serial) }

  noteSeen (serial: string): void { this.#lastSeen.set(serial, this.#options.steady()) }

  /** Seconds since this service last saw it running; undefined if never. */
  unseenFor (serial: string): number | undefined {
    const seen = this.#lastSeen.get(serial)
    return seen === undefined ? undefined : this.#options.steady() - seen
  }

  remove (serial: string): void {
    this.#pending.forget(serial)
    this.#lastSeen.delete(serial)
    this.#prints.delete(serial)
  }

  /** Resolves when everything stored is saved. */
  saved (): Promise<void> { return this.#saving }
}
