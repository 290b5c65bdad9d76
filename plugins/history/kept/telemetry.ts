import type { PrinterState } from '../../../core/index.js'
import { createThinned, type Points, type Thinned } from './thin.js'
import { HEALTH_SERIES, SERIES } from './series.js'

/** Where telemetry lies. */
export interface TelemetryStore {
  read (print: string): Promise<Points | undefined>
  write (print: string, startedAt: number, points: Points): Promise<void>
}

/** A print that goes on now, and what its printer reports. */
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
  /** Seconds of a clock that never jumps. */
  readonly steady: () => number
  readonly onProblem: (error: Error) => void
}

/** As much as a kill of the service may lose. */
const WRITE_EVERY_S = 60
/** Of prints that have ended and could not be written; the oldest are given up. */
const MOST_WAITING = 50

interface Entry {
  readonly startedAt: number
  readonly thinned: Thinned
  seen: PrinterState | undefined
  seconds: number
  isChanged: boolean
  /** False: an earlier service may have written a part, which is read before anything is put in its place. */
  isComplete: boolean
  hasEnded: boolean
  triedAt: number
}

/**
 * Keeps the telemetry of prints. It looks at what is known of printers from time to time, so that reports pay nothing
 * for it, and writes in steps.
 */
export function createTelemetry ({ store, running, steady, onProblem }: TelemetryOptions) {
  const entries = new Map<string, Entry>()
  let writing: Promise<unknown> = Promise.resolve()

  function entryOf (print: string, startedAt: number): Entry {
    const known = entries.get(print)
    if (known) {
      known.hasEnded = false
      return known
    }
    const made: Entry = {
      startedAt,
      thinned: createThinned(),
      seen: undefined,
      seconds: 0,
      isChanged: false,
      isComplete: false,
      hasEnded: false,
      triedAt: steady()
    }
    entries.set(print, made)
    return made
  }

  function see ({ print, startedAt, seconds, state }: Running): void {
    const entry = entryOf(print, startedAt)
    if (entry.seen === state) return
    entry.seen = state
    entry.seconds = seconds
    entry.isChanged = true
    for (const { name, read } of SERIES) {
      const value = read(state)
      if (value !== undefined) entry.thinned.add(name, seconds, value)
    }
  }

  async function complete (print: string, entry: Entry): Promise<void> {
    if (entry.isComplete) return
    for (const [name, points] of Object.entries(await store.read(print) ?? {})) {
      for (const [seconds, value] of points) entry.thinned.add(name, seconds, value)
    }
    entry.isComplete = true
  }

  async function write (print: string, entry: Entry): Promise<void> {
    entry.triedAt = steady()
    await complete(print, entry)
    if (entry.isChanged) {
      entry.isChanged = false
      await store.write(print, entry.startedAt, entry.thinned.points())
        .catch((error: unknown) => { entry.isChanged = true; throw error })
    }
    if (entry.hasEnded && entries.get(print) === entry) entries.delete(print)
  }

  /** One after the other: they share one database. */
  function writeSoon (print: string, entry: Entry): Promise<unknown> {
    entry.triedAt = steady()
    writing = writing.then(() => entries.get(print) === entry ? write(print, entry) : undefined).catch(onProblem)
    return writing
  }

  function giveUpOldest (): void {
    const ended = [...entries].filter(([, entry]) => entry.hasEnded)
    for (const [print] of ended.slice(0, Math.max(0, ended.length - MOST_WAITING))) entries.delete(print)
  }

  return {
    /** Looks at all prints that run, and writes what is due. */
    sample (): void {
      const now = new Set<string>()
      for (const one of running()) {
        see(one)
        now.add(one.print)
      }
      for (const [print, entry] of entries) {
        if (!now.has(print)) entry.hasEnded = true // its printer is no longer configured
        if (steady() - entry.triedAt >= WRITE_EVERY_S) void writeSoon(print, entry)
      }
    },
    /** The job monitor has judged a print that runs. */
    judged (print: string, score: number): void {
      const entry = entries.get(print)
      if (!entry) return
      entry.thinned.add(HEALTH_SERIES, entry.seconds, score)
      entry.isChanged = true
    },
    /** A print has ended, with what its printer reported last. */
    end (last: Running): void {
      see(last)
      const entry = entryOf(last.print, last.startedAt)
      entry.hasEnded = true
      giveUpOldest()
      void writeSoon(last.print, entry)
    },
    drop (print: string): void { entries.delete(print) },
    /** With what is not written yet. */
    async read (print: string): Promise<Points> {
      const entry = entries.get(print)
      if (!entry) return await store.read(print) ?? {}
      await complete(print, entry)
      return entry.thinned.points()
    },
    /** Resolves when all that can be written is written. */
    async flush (): Promise<void> {
      for (const [print, entry] of entries) void writeSoon(print, entry)
      await writing
    }
  }
}
