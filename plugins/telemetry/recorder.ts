import type { PrinterState } from '../../core/index.js'
import { createDurations } from './durations.js'
import { createMarks, type Mark } from './marks.js'
import { createRing, type Ring } from './ring.js'

/** Length of the recorded history, s. */
export const HISTORY_S = 3_600
/** Two points a second for an hour; a printer that reports faster loses its oldest points sooner. */
const MAX_POINTS = 7_200

/** Reads one collection and never throws. @returns undefined for no value */
export type Reader = (state: PrinterState) => number | undefined

/** The last hour of one printer. */
export interface Recorder {
  readonly ring: Ring
  readonly marks: readonly Mark[]
  /** Seconds in each job state since the job began. */
  readonly durations: Readonly<Record<string, number>>
  /** Incremented with every change, so that derived documents can be cached. */
  readonly version: number
  record (state: PrinterState): void
  /** Drops everything older than the recorded period. */
  prune (nowMs: number): void
}

export function createRecorder (readers: readonly Reader[]): Recorder {
  const ring = createRing(readers.length, MAX_POINTS)
  const marks = createMarks()
  const durations = createDurations()
  let version = 0

  function prune (nowMs: number): void {
    const oldest = nowMs / 1000 - HISTORY_S
    const { length } = ring
    const { length: marked } = marks.list
    ring.prune(oldest)
    marks.keep(oldest, Infinity)
    if (ring.length !== length || marks.list.length !== marked) version++
  }

  return {
    ring,
    get marks () { return marks.list },
    get durations () { return durations.seconds() },
    get version () { return version },
    prune,
    record (state) {
      const t = state.receivedAt / 1000
      const place = ring.push(t)
      for (let column = 0; column < readers.length; column++) {
        const value = readers[column]?.(state)
        if (value !== undefined) ring.put(column, place, Number.isFinite(value) ? value : 0)
      }
      marks.keep(-Infinity, t)
      marks.see(state, t)
      durations.add(state)
      version++
      prune(state.receivedAt)
    }
  }
}
