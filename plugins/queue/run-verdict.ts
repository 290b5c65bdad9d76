import { isActive, jobNameKey, type Job, type StartRecord } from '../../core/index.js'
import type { Run } from './types.js'

type Identified = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName'>
type Reported = Identified & Pick<Job, 'gcodeState' | 'cancelled' | 'percent' | 'layer' | 'totalLayers'>

/** How far a print was observed to get. */
export interface Progress extends Pick<Job, 'percent' | 'layer'> {
  /** It was observed running, not only preparing. */
  readonly hasRun: boolean
}

/** What one printer reports of its job, and for how long it has reported that. */
export interface Observation {
  readonly job: Reported
  readonly identity: string
  /** ms since the start command was sent; undefined before that. */
  readonly sinceSent: number | undefined
  /** ms for which reports have arrived without a gap. */
  readonly watchedMs: number
  /** ms for which the state of the job has been the same. */
  readonly settledMs: number
  /** A service is starting this run right now. */
  readonly isBeingStarted: boolean
  /** The record of this run's start command; undefined when another start was sent after it. */
  readonly start: StartRecord | undefined
  /** What was observed of this run while it was active; undefined when it never was. */
  readonly ran: Progress | undefined
  /** The printer shows an error number. */
  readonly hasError: boolean
}

export interface Limits {
  /** What has not been reported within this time never will be: that a job ran, or an error after its end. */
  readonly startMs: number
  /** A job's fields arrive over several reports: wait this long for the rest. */
  readonly settleMs: number
  /** A start that the printer has not answered within this time has failed. */
  readonly unansweredMs: number
}

export type Verdict = 'printing' | 'finished' | 'failed' | 'cancelled' | 'not_started' | 'unknown' | undefined

const isSet = (id: string): boolean => id !== '' && id !== '0'

/** Distinguishes one job of a printer from the next; empty for none. @param begun start time reported by the printer */
export const identityOf = ({ taskId, subtaskId, subtaskName }: Identified, begun = ''): string => {
  const parts = [taskId, subtaskId, jobNameKey(subtaskName)].map(part => isSet(part) ? part : '')
  return parts.some(part => part !== '') ? [...parts, begun].join('|') : ''
}

/** The parts of an identity. */
export const partsOf = (identity: string): Identified => {
  const [taskId = '', subtaskId = '', subtaskName = ''] = identity.split('|')
  return { taskId, subtaskId, subtaskName }
}

export const nameOnPrinter = ({ path }: Pick<Run, 'path'>): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\.gcode\.3mf$/i, '')

/** Matches by the task number that was sent, or by name: each run has a unique file name. */
export function isOurs (run: Pick<Run, 'task' | 'path'>, { taskId, subtaskId, subtaskName }: Identified): boolean {
  return [taskId, subtaskId].includes(String(run.task)) || jobNameKey(subtaskName) === jobNameKey(nameOnPrinter(run))
}

/** A gap this long may hide a whole print. */
const UNSEEN_MS = 600_000

/** It may have been printed while the printer was not observed. */
function isUnseen (run: Run, { sinceSent = 0, watchedMs, identity }: Observation): boolean {
  return identity !== run.before || (identity === '' && sinceSent - watchedMs >= UNSEEN_MS)
}

const NEARLY_DONE_PERCENT = 95

/** The print was complete. Some printers reset percent and layers at the end, so earlier observations count too. */
function isComplete ({ job: { percent, layer, totalLayers }, ran }: Observation): boolean {
  const [percents, layers] = [Math.max(percent, ran?.percent ?? 0), Math.max(layer, ran?.layer ?? 0)]
  return percents >= NEARLY_DONE_PERCENT || (totalLayers > 0 && layers >= totalLayers - 1)
}

/** The printer reports that our run is over. The error that explains it may arrive late. */
function judgeEnd (observation: Observation, hasRun: boolean, { startMs, settleMs }: Limits): Verdict {
  const { job: { gcodeState, cancelled }, hasError, settledMs } = observation
  if (gcodeState === 'FINISH' && !cancelled && hasRun && isComplete(observation)) return 'finished'
  const wait = hasError || cancelled ? settleMs : startMs
  if (settledMs < wait) return undefined
  if (cancelled) return 'cancelled'
  return gcodeState === 'FAILED' ? 'failed' : 'unknown'
}

/** The printer does not show the run as running. */
function judgeSending (run: Run, observation: Observation, limits: Limits): Verdict {
  const { start, sinceSent = 0, watchedMs, isBeingStarted, job, ran } = observation
  if (isBeingStarted) return undefined
  const isWatched = sinceSent >= limits.startMs && watchedMs >= limits.startMs
  if (start === undefined) { // another client has sent a start since
    const isAsBefore = observation.identity === run.before && !isActive(job.gcodeState)
    return isWatched && !isAsBefore ? 'unknown' : undefined
  }
  switch (start.outcome) {
    case undefined: {
      const isGone = !start.accepted && Math.min(sinceSent, watchedMs) >= limits.unansweredMs
      return isGone ? isUnseen(run, observation) ? 'unknown' : 'not_started' : undefined
    }
    case 'refused':
    case 'given_up':
      return 'not_started'
    case 'restarted':
      return sinceSent - watchedMs >= UNSEEN_MS ? 'unknown' : 'not_started'
    case 'failed':
    case 'ended':
      return isActive(job.gcodeState) ? isWatched ? 'unknown' : undefined : judgeEnd(observation, ran?.hasRun === true, limits)
    case 'began':
    case 'other':
      if (isOurs(run, job)) return judgeEnd(observation, ran?.hasRun ?? start.outcome === 'began', limits)
      return watchedMs >= limits.startMs && observation.settledMs >= limits.settleMs ? 'unknown' : undefined
  }
}

/**
 * The next state of a run according to the printer's reports; undefined while they say nothing new. Pure.
 * A run counts as finished only when it was observed running and it ended as a complete print does.
 */
export function verdictOf (run: Run, observation: Observation, limits: Limits): Verdict {
  const { job, sinceSent, settledMs, watchedMs, ran } = observation
  if (sinceSent === undefined) return undefined
  if (isOurs(run, job) && isActive(job.gcodeState)) return run.state === 'printing' ? undefined : 'printing'
  if (run.state === 'sending') return judgeSending(run, observation, limits)
  if (!isOurs(run, job)) return run.state === 'printing' && watchedMs >= limits.startMs ? 'unknown' : undefined
  if (job.cancelled || job.gcodeState === 'FINISH' || job.gcodeState === 'FAILED') {
    const verdict = judgeEnd(observation, ran?.hasRun ?? (run.state === 'printing' || run.print !== ''), limits)
    return verdict === run.state ? undefined : verdict
  }
  return run.state === 'printing' && settledMs >= limits.startMs ? 'unknown' : undefined
}
