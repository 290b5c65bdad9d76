import { jobNameKey, type Command, type Fault, type Job, type PrinterState } from '../../../core/index.js'

/** Whose job a report shows: the one that was sent, another client's, or still the previous one. */
export type Whose = 'ours' | 'other' | 'before'

type Identity = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName'>

const UNREPORTED = new Set(['', '0'])

/** Compares task ids where the printer reports them, else names. */
export function whoseJob (job: Identity, sent: Command, before: Identity | undefined): Whose {
  const reported = [job.taskId, job.subtaskId].filter(id => !UNREPORTED.has(id))
  if (reported.includes(String(sent.task_id))) return 'ours'
  if (reported.some(id => id !== before?.taskId && id !== before?.subtaskId)) return 'other'
  if (job.subtaskName === '' || jobNameKey(job.subtaskName) === jobNameKey(String(sent.subtask_name))) return 'ours'
  return job.subtaskName === before?.subtaskName ? 'before' : 'other'
}

/** Outcome of a start according to the reports: `pending` while they say nothing about it. */
export type StartOutcome = 'pending' | 'started' | 'failed' | 'other'

const ACTIVE = new Set(['PREPARE', 'RUNNING', 'SLICING', 'PAUSE'])

/** Error for a start during another job: the running job has not failed, whichever client sent the start. */
const BUSY = '05004004'

export interface Sent {
  readonly command: Command
  /** The job that was reported before the start was sent. */
  readonly before: Identity | undefined
  /** The printer confirmed exactly this command. */
  readonly confirmed: boolean
  /** The device error that appeared after it was sent. */
  readonly raised: Fault | undefined
}

/** Judges by the current report and the error that appeared since the start. */
export function judgeStart ({ job }: Pick<PrinterState, 'job'>, { command, before, confirmed, raised }: Sent): StartOutcome {
  const whose = whoseJob(job, command, before)
  const busy = raised?.digits === BUSY
  if (!ACTIVE.has(job.gcodeState)) {
    if (raised === undefined || (busy && confirmed)) return 'pending'
    return whose === 'other' ? 'other' : 'failed'
  }
  if (whose !== 'ours') return whose === 'other' ? 'other' : 'pending'
  const stops = raised?.severity === 'Error' || job.gcodeState === 'PAUSE'
  return raised !== undefined && !busy && stops ? 'failed' : 'started'
}
