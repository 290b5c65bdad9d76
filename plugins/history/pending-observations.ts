import { isActive, type Job, type PrinterState } from '../../core/index.js'
import type { Observation } from './follow.js'

/** Reports that changed only the progress of a print, merged into one observation. */
interface Pending {
  job: Job
  spools: PrinterState['spools']
  activeTray: PrinterState['activeTray']
  at: number
  elapsed: number
  isNew: boolean
  percent: number
  layer: number
}

const pendingOf = ({ job, spools, activeTray, receivedAt }: PrinterState): Pending =>
  ({ job, spools, activeTray, at: receivedAt, elapsed: 0, isNew: false, percent: job.percent, layer: job.layer })

const goesOn = (before: Job, job: Job): boolean => before === job || (
  before.gcodeState === job.gcodeState && before.cancelled === job.cancelled &&
  before.taskId === job.taskId && before.subtaskId === job.subtaskId && before.subtaskName === job.subtaskName &&
  before.plate === job.plate && before.gcodeFile === job.gcodeFile && before.printType === job.printType &&
  before.mapping === job.mapping && before.totalLayers === job.totalLayers &&
  (before.remainingMinutes > 0) === (job.remainingMinutes > 0)
)

/**
 * Most reports change only the time and progress of a print. They are accumulated and processed as one observation when
 * something else changes or the print is read, so that such a report costs only one comparison.
 */
export function createPendingObservations () {
  const pending = new Map<string, Pending>()
  return {
    /** A report was processed; the next ones are compared with it. */
    begin (serial: string, state: PrinterState): void {
      if (isActive(state.job.gcodeState)) pending.set(serial, pendingOf(state))
      else pending.delete(serial)
    },
    /** @returns false when the report must be processed on its own */
    add (serial: string, { job, spools, activeTray, receivedAt }: PrinterState, elapsed: number): boolean {
      const known = pending.get(serial)
      if (known === undefined || known.spools !== spools || known.activeTray !== activeTray) return false
      if (!goesOn(known.job, job)) return false
      known.job = job
      known.at = receivedAt
      known.elapsed += elapsed
      known.isNew = true
      if (job.percent > known.percent) known.percent = job.percent
      if (job.layer > known.layer) known.layer = job.layer
      return true
    },
    /** Takes and clears what was accumulated since the last call. */
    take (serial: string): Observation | undefined {
      const known = pending.get(serial)
      if (known?.isNew !== true) return undefined
      const { job, at, elapsed, percent, layer } = known
      known.elapsed = 0
      known.isNew = false
      return { job: { ...job, percent, layer }, at, elapsed, faults: [] }
    },
    /** The next report must be processed on its own. */
    forget: (serial: string): void => { pending.delete(serial) }
  }
}
