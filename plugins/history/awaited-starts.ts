import { belongsTo, type Start, type Starts } from './starts.js'
import type { Print } from './types.js'

/** Prints that were sent from here and are not seen to run yet, at most one for each printer. */
export class AwaitedStarts {
  readonly #starts: Map<string, Start>
  readonly #keep: (starts: Starts) => void

  /** @param keep stores them for the next start of the service */
  constructor (starts: Starts, keep: (starts: Starts) => void) {
    this.#starts = new Map(Object.entries(starts))
    this.#keep = keep
  }

  add (serial: string, start: Start): void {
    this.#starts.set(serial, start)
    this.#store()
  }

  /**
   * The print with who started it, where it is the one that was sent. Asked at each report: reports bring a new job
   * piece by piece, and its name or number may come after its state.
   */
  claim (serial: string, print: Print, now: number): Print {
    const start = this.#starts.get(serial)
    if (start === undefined || print.asked !== undefined || !belongsTo(start, print, now)) return print
    this.#starts.delete(serial)
    this.#store()
    return { ...print, startedBy: start.by, asked: start.asked }
  }

  #store (): void { this.#keep(Object.fromEntries(this.#starts)) }
}
