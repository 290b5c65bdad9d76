import { jobNameKey, type Command, type Fault, type Job, type PrinterState } from '../../../core/index.js'

/** Whose job a report shows: the one that was sent, another, or still the one of before. */
export type Whose = 'ours' | 'other' | 'before'

type Identity = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName'>

const UNREPORTED = new Set(['', '0'])

/** Compared by the number that each job is sent with where the printer reports it, else by name. */
export function whoseJob (job: Identity, sent: Command, before: Identity | undefined): Whose {
  const reported = [job.taskId, job.subtaskId].filter(id => !UNREPORTED.has(id))
  if (reported.includes(String(sent.task_id))) return 'ours'
  if (reported.some(id => id !== before?.taskId && id !== before?.subtaskId)) return 'other'
  if (job.subtaskName === '' || jobNameKey(job.subtaskName) === jobNameKey(String(sent.subtask_name))) return 'ours'
  return job.subtaskName === before?.subtaskName ? 'before' : 'other'
}

/** What one report says of a job that was sent: `pending` as long as it says nothing. */
export type StartOutcome = 'pending' | 'started' | 'failed' | 'other'

const ACTIVE = new Set(['PREPARE', 'RUNNING', 'SLICING', 'PAUSE'])

/** The printer was asked to start a job while it had one: whoever asked, the job that runs is not what failed. */
const BUSY = '05004004'

export interface Sent {
  readonly command: Command
  /** The job that was reported before it was sent. */
  readonly before: Identity | undefined
  /** The printer confirmed that it took this very command. */
  readonly confirmed: boolean
  /** The device error that came up since it was sent. */
  readonly raised: Fault | undefined
}

/** Judges by the present report and by the error that came up since. */
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
