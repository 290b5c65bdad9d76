import { isActive, jobNameKey, type Job } from '../../core/index.js'
import type { Run } from './types.js'

type Reported = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName' | 'gcodeState' | 'cancelled'>

/** What one printer tells of its job, and for how long. */
export interface Look {
  readonly job: Reported
  readonly identity: string
  /** ms since the printer was told; undefined for a run that has not come so far. */
  readonly sinceSent: number | undefined
  /** ms for which reports have come without a gap. */
  readonly watchedMs: number
  /** ms for which the state of the job has been the same. */
  readonly settledMs: number
  /** The service that starts this run is at it now. */
  readonly isBeingStarted: boolean
}

export interface Limits {
  /** Printers report a job within this time, or never. */
  readonly startMs: number
  /** Reports bring a job piece by piece. */
  readonly settleMs: number
}

export type Verdict = 'printing' | 'finished' | 'failed' | 'cancelled' | 'not_started' | 'unknown' | undefined

const isSet = (id: string): boolean => id !== '' && id !== '0'

/** Tells one job of a printer from the next; empty for none. @param begun when it began, as the printer tells */
export const identityOf = ({ taskId, subtaskId, subtaskName }: Reported, begun = ''): string => {
  const parts = [taskId, subtaskId, jobNameKey(subtaskName)].map(part => isSet(part) ? part : '')
  return parts.some(part => part !== '') ? [...parts, begun].join('|') : ''
}

export const nameOnPrinter = ({ path }: Pick<Run, 'path'>): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\.gcode\.3mf$/i, '')

/** By the number that it was sent with, or by its name: each run has a name of its own. */
export function isOurs (run: Run, { taskId, subtaskId, subtaskName }: Reported): boolean {
  return [taskId, subtaskId].includes(String(run.task)) || jobNameKey(subtaskName) === jobNameKey(nameOnPrinter(run))
}

function ended ({ gcodeState, cancelled }: Reported): Verdict {
  if (gcodeState === 'FINISH') return 'finished'
  if (cancelled) return 'cancelled'
  return gcodeState === 'FAILED' ? 'failed' : undefined
}

/** Long enough for a print that nobody saw. */
const UNSEEN_MS = 600_000

/** It is not there. Whether it ever was, the time tells in which nobody looked. */
function judgeAbsent (run: Run, look: Look, { startMs }: Limits): Verdict {
  const { sinceSent = 0, watchedMs, identity, isBeingStarted, job } = look
  if (isBeingStarted || sinceSent < startMs || watchedMs < startMs) return undefined
  const unseenMs = sinceSent - watchedMs
  const isAsBefore = identity === run.before && (identity !== '' || unseenMs < UNSEEN_MS)
  return isAsBefore && !isActive(job.gcodeState) ? 'not_started' : 'unknown'
}

/** What a printer's report says of a run that it was told of; undefined as long as it says nothing new. Pure. */
export function judge (run: Run, look: Look, limits: Limits): Verdict {
  const { job, sinceSent, settledMs, watchedMs } = look
  if (sinceSent === undefined) return undefined
  if (!isOurs(run, job)) {
    if (run.state === 'sending') return judgeAbsent(run, look, limits)
    return run.state === 'printing' && watchedMs >= limits.startMs ? 'unknown' : undefined
  }
  if (isActive(job.gcodeState)) return run.state === 'printing' ? undefined : 'printing'
  const end = ended(job)
  // The name of a new job may come before its state: then the state is that of the job before.
  const wait = run.state === 'sending' ? limits.startMs : limits.settleMs
  if (end === undefined) return run.state === 'printing' && settledMs >= limits.startMs ? 'unknown' : undefined
  return end === 'finished' && run.state === 'printing' ? end : settledMs >= wait ? end : undefined
}
