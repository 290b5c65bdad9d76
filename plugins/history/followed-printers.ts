import type { PrinterSession } from '../../core/index.js'
import type { Observer } from './observer.js'
import type { Recorder } from './recorder.js'

interface Following { readonly end: () => void, readonly isRecorded: boolean }

/**
 * Printers with a session here. Each is followed by the recorder, or by the observer as long as another service records
 * it or may do so.
 */
export class FollowedPrinters {
  readonly #recorder: Pick<Recorder, 'watch'>
  readonly #observer: Pick<Observer, 'watch'>
  readonly #sessions = new Map<string, PrinterSession>()
  readonly #following = new Map<string, Following>()

  constructor (recorder: Pick<Recorder, 'watch'>, observer: Pick<Observer, 'watch'>) {
    this.#recorder = recorder
    this.#observer = observer
  }

  /** A later session of the same printer replaces the earlier one. */
  add (session: PrinterSession): void { this.#sessions.set(session.config.serial, session) }

  get (serial: string): PrinterSession | undefined { return this.#sessions.get(serial) }

  has (session: PrinterSession): boolean { return this.get(session.config.serial) === session }

  isRecorded (serial: string): boolean { return this.#following.get(serial)?.isRecorded === true }

  /** Serials of the printers that are online. */
  live (): string[] { return [...this.#sessions].flatMap(([serial, { live }]) => live ? serial : []) }

  /** Sessions whose prints are recorded here. */
  recorded (): PrinterSession[] {
    return [...this.#sessions].flatMap(([serial, session]) => this.isRecorded(serial) ? session : [])
  }

  record (session: PrinterSession): void { this.#follow(session, true) }

  observe (session: PrinterSession): void { this.#follow(session, false) }

  remove (serial: string): void {
    this.#sessions.delete(serial)
    this.#unfollow(serial)
  }

  #follow (session: PrinterSession, isRecorded: boolean): void {
    const { serial } = session.config
    this.#unfollow(serial)
    const end = isRecorded ? this.#recorder.watch(session) : this.#observer.watch(session)
    this.#following.set(serial, { end, isRecorded })
  }

  #unfollow (serial: string): void {
    this.#following.get(serial)?.end()
    this.#following.delete(serial)
  }
}
