import type { PrinterState } from '../../../core/index.js'
import { HEALTH_SERIES, SERIES } from './series.js'
import { createThinned, type Points } from './thinned.js'

/** Where telemetry is stored. */
export interface TelemetryStore {
  read (print: string): Promise<Points | undefined>
  write (print: string, startedAt: number, points: Points): Promise<void>
}

/** The telemetry of one print, from its first sample until it is completely written. */
export class TelemetryEntry {
  /** The print has ended or its printer is gone. */
  hasEnded = false
  readonly #print: string
  readonly #startedAt: number
  readonly #thinned = createThinned()
  #state: PrinterState | undefined
  #seconds = 0
  #isChanged = false
  /** False while a part from before a restart may be stored; it is read before anything overwrites it. */
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

  /** Adds the score of the job monitor at the time of the last sample. */
  judge (score: number): void {
    this.#thinned.add(HEALTH_SERIES, this.#seconds, score)
    this.#isChanged = true
  }

  /** Includes what was stored before a restart. */
  async read (store: TelemetryStore): Promise<Points> {
    await this.#complete(store)
    return this.#thinned.points()
  }

  /** Writes changes. @throws the error of the store; the next call tries again */
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
