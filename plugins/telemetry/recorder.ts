import type { PrinterState } from '../../core/index.js'
import type { Collection } from './collections.js'
import { targetMarks, targetsOf, type Mark } from './marks.js'
import { createRing, type Ring } from './ring.js'

/** How long history goes back. Source: service overview, Limits. */
export const HISTORY_S = 3_600
/** Two points a second for an hour; a printer that reports faster loses its oldest points sooner. */
const MAX_POINTS = 7_200
const MAX_MARKS = 1_000

type Guard = (collection: Collection, state: PrinterState) => number | undefined

/** The last hour of one printer. */
export interface Recorder {
  readonly ring: Ring
  readonly marks: readonly Mark[]
  /** Seconds in each job state since the job began. */
  readonly durations: Readonly<Record<string, number>>
  /** Grows with every report: what was made of this history is good as long as it stands. */
  readonly version: number
  record (state: PrinterState): void
  /** Forgets what is older than the window. */
  prune (nowMs: number): void
}

/** @param guard reads a collection, and answers undefined for one that throws */
export function createRecorder (collections: readonly Collection[], guard: Guard): Recorder {
  const ring = createRing(collections.length, MAX_POINTS)
  let marks: Mark[] = []
  let durations: Record<string, number> = {}
  let targets: Readonly<Record<string, number>> = {}
  let before: PrinterState | undefined
  let jobName = ''
  let version = 0

  /** The time since the last report goes to the state that is reported now. */
  function addDuration ({ job, receivedAt }: PrinterState): void {
    if (job.subtaskName !== '' && job.subtaskName !== jobName) {
      jobName = job.subtaskName
      durations = {}
    }
    const seconds = before === undefined ? 0 : Math.max(0, receivedAt - before.receivedAt) / 1000
    durations = { ...durations, [job.gcodeState]: (durations[job.gcodeState] ?? 0) + seconds }
  }

  function prune (nowMs: number): void {
    const oldest = nowMs / 1000 - HISTORY_S
    ring.prune(oldest)
    if (marks[0] !== undefined && marks[0].t < oldest) marks = marks.filter(({ t }) => t >= oldest)
  }

  return {
    ring,
    get marks () { return marks },
    get durations () { return durations },
    get version () { return version },
    prune,
    record (state) {
      const t = state.receivedAt / 1000
      ring.push(t, collections.map(collection => guard(collection, state) ?? NaN))
      const now = targetsOf(state)
      const fresh = targetMarks(now, targets, t)
      if (fresh.length > 0) marks = [...marks, ...fresh].slice(-MAX_MARKS)
      targets = { ...targets, ...now }
      addDuration(state)
      before = state
      version++
      prune(state.receivedAt)
    }
  }
}
