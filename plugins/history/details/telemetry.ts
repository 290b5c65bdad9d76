import type { PrinterState } from '../../../core/index.js'
import { TelemetryEntry, type TelemetryStore } from './telemetry-entry.js'
import type { Points } from './thinned.js'

/** A running print, and the state of its printer. */
export interface Running {
  readonly print: string
  readonly startedAt: number
  /** Since its start. */
  readonly seconds: number
  readonly state: PrinterState
}

export interface TelemetryOptions {
  readonly store: TelemetryStore
  readonly running: () => Iterable<Running>
  /** Monotonic clock, s. */
  readonly steady: () => number
  readonly onProblem: (error: Error) => void
}

/** What may be lost when the service is killed. */
const WRITE_EVERY_S = 60
/** Ended prints that could not be written yet; the oldest are dropped. */
const MOST_WAITING = 50

/**
 * Stores the telemetry of prints. It samples the states of printers at intervals, which adds no cost to reports, and
 * writes in batches.
 */
export class Telemetry {
  readonly #options: TelemetryOptions
  readonly #entries = new Map<string, TelemetryEntry>()
  /** When an entry was last written or tried, by the monotonic clock. */
  readonly #triedAt = new WeakMap<TelemetryEntry, number>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor (options: TelemetryOptions) { this.#options = options }

  /** Samples all running prints, and writes what is due. */
  sample (): void {
    const now = new Set<string>()
    for (const running of this.#options.running()) {
      this.#add(running)
      now.add(running.print)
    }
    for (const [print, entry] of this.#entries) {
      if (!now.has(print)) entry.hasEnded = true // its printer is no longer configured
      if (this.#options.steady() - (this.#triedAt.get(entry) ?? 0) >= WRITE_EVERY_S) void this.#write(print, entry)
    }
  }

  /** The job monitor has judged a running print. */
  judge (print: string, score: number): void { this.#entries.get(print)?.judge(score) }

  /** A print has ended. @param last the final state of its printer */
  end (last: Running): void {
    const entry = this.#add(last)
    entry.hasEnded = true
    this.#dropOldest()
    void this.#write(last.print, entry)
  }

  drop (print: string): void { this.#entries.delete(print) }

  /** Includes what is not written yet. */
  async read (print: string): Promise<Points> {
    const { store } = this.#options
    return await this.#entries.get(print)?.read(store) ?? await store.read(print) ?? {}
  }

  /** Writes everything now, as far as possible. */
  async flush (): Promise<void> {
    for (const [print, entry] of this.#entries) void this.#write(print, entry)
    await this.#writing
  }

  #add ({ print, startedAt, seconds, state }: Running): TelemetryEntry {
    const entry = this.#entries.get(print) ?? this.#begin(print, startedAt)
    entry.hasEnded = false
    entry.sample(state, seconds)
    return entry
  }

  #begin (print: string, startedAt: number): TelemetryEntry {
    const entry = new TelemetryEntry(print, startedAt)
    this.#entries.set(print, entry)
    this.#triedAt.set(entry, this.#options.steady())
    return entry
  }

  /** One write at a time, as they share one database. */
  #write (print: string, entry: TelemetryEntry): Promise<unknown> {
    const { store, steady, onProblem } = this.#options
    const isListed = () => this.#entries.get(print) === entry
    this.#triedAt.set(entry, steady())
    this.#writing = this.#writing.then(async () => {
      if (!isListed()) return
      this.#triedAt.set(entry, steady())
      await entry.write(store)
      if (entry.hasEnded && isListed()) this.#entries.delete(print)
    }).catch(onProblem)
    return this.#writing
  }

  #dropOldest (): void {
    const ended = [...this.#entries].filter(([, entry]) => entry.hasEnded)
    for (const [print] of ended.slice(0, Math.max(0, ended.length - MOST_WAITING))) this.#entries.delete(print)
  }
}
