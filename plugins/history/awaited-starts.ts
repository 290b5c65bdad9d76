import { belongsTo, type Start, type Starts } from './starts.js'
import type { Print } from './types.js'

/** Prints that were sent from here but have not been seen running yet, at most one for each printer. */
export class AwaitedStarts {
  readonly #starts: Map<string, Start>
  readonly #persist: (starts: Starts) => void

  /** @param persist stores them for the next start of the service */
  constructor (starts: Starts, persist: (starts: Starts) => void) {
    this.#starts = new Map(Object.entries(starts))
    this.#persist = persist
  }

  add (serial: string, start: Start): void {
    this.#starts.set(serial, start)
    this.#store()
  }

  /**
   * Adds who started the print, if it is the one that was sent. Tried at each report, because the reports of a new job
   * arrive piece by piece: its name or number may come after its state.
   */
  claim (serial: string, print: Print, now: number): Print {
    const start = this.#starts.get(serial)
    if (start === undefined || print.asked !== undefined || !belongsTo(start, print, now)) return print
    this.#starts.delete(serial)
    this.#store()
    return { ...print, startedBy: start.by, asked: start.asked }
  }

  #store (): void { this.#persist(Object.fromEntries(this.#starts)) }
}
