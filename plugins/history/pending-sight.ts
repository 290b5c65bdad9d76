import { isActive, type Job, type PrinterState } from '../../core/index.js'
import type { Sight } from './follow.js'

/** Reports that told nothing new of a print but how far it is, as one look. */
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
 * Most reports of a print change nothing of its record but time and progress. They are added up, and taken as one look
 * when something else changes or somebody asks: a report costs a comparison then.
 */
export function createPendingSights () {
  const pending = new Map<string, Pending>()
  return {
    /** A report was looked at; the next ones are compared with it. */
    begin (serial: string, state: PrinterState): void {
      if (isActive(state.job.gcodeState)) pending.set(serial, pendingOf(state))
      else pending.delete(serial)
    },
    /** @returns false when the report wants a look of its own */
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
    /** What has been added since the last look; none of it is left. */
    take (serial: string): Sight | undefined {
      const known = pending.get(serial)
      if (known?.isNew !== true) return undefined
      const { job, at, elapsed, percent, layer } = known
      known.elapsed = 0
      known.isNew = false
      return { job: { ...job, percent, layer }, at, elapsed, faults: [] }
    },
    /** Nothing is known of what comes next. */
    forget: (serial: string): void => { pending.delete(serial) }
  }
}
