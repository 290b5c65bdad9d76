import { isActive, type JsonStore, type PrinterSession } from '../../core/index.js'
import type { Monitor } from './monitor.js'

/** The last target and the printer that it was for; `serial` is empty before the first one. */
export interface StoredTarget { serial: string, celsius: number }

interface Options {
  readonly monitor: Pick<Monitor, 'aim' | 'assume'>
  readonly store: Pick<JsonStore<StoredTarget>, 'get' | 'set'>
  /** Whether the printer is in the chamber and has no heater of its own. */
  readonly serves: (session: PrinterSession) => boolean
  readonly warn: (error: Error) => void
}

/**
 * Passes targets on to the heater, and knows them over restarts and new sessions: the heater goes on meanwhile, and
 * must be switched off with the end of the job.
 */
export class ChamberTarget {
  readonly #options: Options

  constructor (options: Options) { this.#options = options }

  /** Call with each report. */
  see (session: PrinterSession): void {
    const { context, state, config: { serial } } = session
    const { monitor, store, serves } = this.#options
    if (!serves(session) || state === undefined) return
    const known = store.get()
    if (context.chamber.at > 0) {
      monitor.aim(context.chamber.targetC)
      this.#keep({ serial, celsius: context.chamber.targetC })
    } else if (known.serial === serial && known.celsius > 0 && state.job.gcodeState !== '') {
      // Published is only an end: somebody may have switched the heater off meanwhile.
      const goesOn = isActive(state.job.gcodeState)
      if (goesOn) monitor.assume(known.celsius)
      session.rememberChamberTarget(goesOn ? known.celsius : 0) // leads to a report, which is seen here
    }
  }

  /** The printer has left the chamber or the configuration: nobody else would switch the heater off. */
  leave (): void {
    if (this.#options.store.get().celsius === 0) return
    this.#options.monitor.aim(0)
    this.#keep({ serial: '', celsius: 0 })
  }

  #keep (target: StoredTarget): void {
    const { store, warn } = this.#options
    const { serial, celsius } = store.get()
    if (serial !== target.serial || celsius !== target.celsius) store.set(target).catch(warn)
  }
}
