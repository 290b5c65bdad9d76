import type { PrinterSession } from '../../core/index.js'
import type { Database } from '../database/index.js'
import type { FollowedPrinters } from './followed-printers.js'
import type { Observer } from './observer.js'
import { newestOf, type Db } from './queries.js'
import type { Recorder } from './recorder.js'
import { ownerOf, type Owner } from './tables.js'
import { createWriters } from './writers.js'

export interface SharedRecordingOptions {
  readonly database: Pick<Database, 'query'>
  readonly followed: FollowedPrinters
  readonly recorder: Recorder
  readonly observer: Observer
  /** Of this service, across restarts. */
  readonly instance: string
  /** From now on this service records the prints of a printer. */
  readonly record: (session: PrinterSession) => void
  /** Closes prints of this printer that are still open in the record and not the newest one. */
  readonly closeForgotten: (serial: string) => void
  /** Called after each round with the printers that are recorded here. */
  readonly onHeld: (held: readonly string[]) => Promise<void>
  readonly onProblem: (error: Error) => void
}

/** Decides which of several services that share a database records a printer. */
export class SharedRecording {
  readonly #options: SharedRecordingOptions
  readonly #writers: ReturnType<typeof createWriters>
  /** Serials of printers whose record this service has taken over, with or without a session here. */
  readonly #taken = new Set<string>()
  /** Printers removed before it was known which service records them; if it is this one, it closes their prints. */
  readonly #removed = new Map<string, Owner>()
  /** Those of them that the current round claims. */
  #asked: readonly string[] = []

  constructor (options: SharedRecordingOptions) {
    const { database, instance, onProblem } = options
    this.#options = options
    this.#writers = createWriters({
      query: database.query,
      instance,
      wanted: () => this.#wanted(),
      begin: serial => this.#takeOver(serial),
      end: serial => this.#handOver(serial),
      renewed: held => this.#renewed(held),
      onProblem
    })
  }

  /** @returns stops following the session */
  add (session: PrinterSession): () => void {
    const owner = ownerOf(session)
    this.#removed.delete(owner.serial)
    this.#options.followed.observe(session)
    const off = session.events.on('live', live => { if (live) this.#writers.renew(); else this.suspend(owner) })
    if (session.live) this.#writers.renew()
    return off
  }

  /** Another service may take over a printer that is offline here. */
  suspend (owner: Owner): void {
    const { followed, recorder, onProblem } = this.#options
    if (!followed.isRecorded(owner.serial)) return
    recorder.flush([owner]).catch(onProblem)
    this.#taken.delete(owner.serial)
    this.#writers.suspend(owner.serial)
    const session = followed.get(owner.serial)
    if (session) followed.observe(session)
  }

  /** A printer is no longer configured. */
  remove (owner: Owner): void {
    if (this.#taken.has(owner.serial)) {
      this.#options.recorder.forget(owner)
    } else {
      this.#removed.set(owner.serial, owner)
      this.#writers.renew()
    }
  }

  async close (): Promise<void> { await this.#writers.close() }

  #wanted (): string[] {
    this.#asked = [...this.#removed.keys()]
    return [...this.#options.followed.live(), ...this.#asked]
  }

  /** Continues the record of the previous service, as after a restart. */
  async #takeOver (serial: string): Promise<void> {
    const { database, followed, recorder, observer, instance, record, closeForgotten, onProblem } = this.#options
    const last = await database.query((db: Db) => newestOf(db, serial)).catch(onProblem)
    const own = recorder.newest(serial)
    const recorded = last && last.writer !== instance ? last.print : own ?? last?.print
    const next = observer.handOver(serial, recorded)
    if (next && next !== own) recorder.continueFrom(serial, next)
    this.#taken.add(serial)
    const session = followed.get(serial) // may have changed meanwhile
    const removed = this.#removed.get(serial)
    this.#removed.delete(serial)
    if (session) {
      if (next && next !== recorded) recorder.adopt(next, recorded, session)
      record(session)
      if (session.live) recorder.observe(session)
      closeForgotten(serial)
    } else {
      this.#writers.suspend(serial) // taken over again if it comes back under another name
      if (removed) recorder.forget(removed)
    }
  }

  #handOver (serial: string): void {
    const { followed, recorder } = this.#options
    this.#taken.delete(serial)
    recorder.leave(serial)
    const session = followed.get(serial)
    if (session) followed.observe(session)
  }

  async #renewed (held: readonly string[]): Promise<void> {
    for (const serial of this.#asked) this.#removed.delete(serial) // another service records the rest of them
    await this.#options.onHeld(held)
    await this.#options.observer.checkEnded()
  }
}
