import type { PrinterState } from '../../../core/index.js'
import { HEALTH_SERIES, SERIES } from './series.js'
import { createThinned, type Points } from './thin.js'

/** Where telemetry is stored. */
export interface TelemetryStore {
  read (print: string): Promise<Points | undefined>
  write (print: string, startedAt: number, points: Points): Promise<void>
}

/** The telemetry of one print, from its first sample until all of it is written. */
export class TelemetryEntry {
  /** Its printer no longer prints it. */
  hasEnded = false
  readonly #print: string
  readonly #startedAt: number
  readonly #thinned = createThinned()
  #state: PrinterState | undefined
  #seconds = 0
  #isChanged = false
  /** False: an earlier service may have written a part, which is read before anything is put in its place. */
  #isComplete = false

  constructor (print: string, startedAt: number) {
    this.#print = print
    this.#startedAt = startedAt
  }

  /** @param seconds since the start of the print */
  sample (state: PrinterState, seconds: number): void {
    if (this.#state === state) return
    this.#state = state
    this.#seconds = seconds
    this.#isChanged = true
    for (const { name, read } of SERIES) {
      const value = read(state)
      if (value !== undefined) this.#thinned.add(name, seconds, value)
    }
  }

  /** The score of the job monitor, at the time of the last sample. */
  judge (score: number): void {
    this.#thinned.add(HEALTH_SERIES, this.#seconds, score)
    this.#isChanged = true
  }

  /** With what earlier services have written. */
  async read (store: TelemetryStore): Promise<Points> {
    await this.#complete(store)
    return this.#thinned.points()
  }

  /** Writes it where it has changed. @throws what the store throws; it is written again the next time */
  async write (store: TelemetryStore): Promise<void> {
    await this.#complete(store)
    if (!this.#isChanged) return
    this.#isChanged = false
    await store.write(this.#print, this.#startedAt, this.#thinned.points())
      .catch((error: unknown) => { this.#isChanged = true; throw error })
  }

  async #complete (store: TelemetryStore): Promise<void> {
    if (this.#isComplete) return
    for (const [name, points] of Object.entries(await store.read(this.#print) ?? {})) {
      for (const [seconds, value] of points) this.#thinned.add(name, seconds, value)
    }
    this.#isComplete = true
  }
}
