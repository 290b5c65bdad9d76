import { isActive, jobNameKey, type Job, type StartRecord } from '../../core/index.js'
import type { Run } from './types.js'

type Identified = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName'>
type Reported = Identified & Pick<Job, 'gcodeState' | 'cancelled' | 'percent' | 'layer' | 'totalLayers'>

/** How far a print was seen to come. */
export interface Progress extends Pick<Job, 'percent' | 'layer'> {
  /** It was not only being prepared. */
  readonly hasRun: boolean
}

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
  /** What is known of the start command of this run; undefined when another one came after it. */
  readonly start: StartRecord | undefined
  /** What was seen of the job while it was active; undefined when it was not. */
  readonly ran: Progress | undefined
  /** The printer shows an error number. */
  readonly hasError: boolean
}

export interface Limits {
  /** What a report does not tell within this time, no later one does: a job that ran, an error after an end. */
  readonly startMs: number
  /** Reports bring a job piece by piece. */
  readonly settleMs: number
  /** A start that the printer never answered came to nothing after this time. */
  readonly unansweredMs: number
}

export type Verdict = 'printing' | 'finished' | 'failed' | 'cancelled' | 'not_started' | 'unknown' | undefined

const isSet = (id: string): boolean => id !== '' && id !== '0'

/** Tells one job of a printer from the next; empty for none. @param begun when it began, as the printer tells */
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

/** By the number that it was sent with, or by its name: each run has a name of its own. */
export function isOurs (run: Pick<Run, 'task' | 'path'>, { taskId, subtaskId, subtaskName }: Identified): boolean {
  return [taskId, subtaskId].includes(String(run.task)) || jobNameKey(subtaskName) === jobNameKey(nameOnPrinter(run))
}

/** Long enough for a print that nobody saw. */
const UNSEEN_MS = 600_000

/** It may have been printed while nobody looked. */
function isUnseen (run: Run, { sinceSent = 0, watchedMs, identity }: Look): boolean {
  return identity !== run.before || (identity === '' && sinceSent - watchedMs >= UNSEEN_MS)
}

const NEARLY_DONE_PERCENT = 95

/** It came to its end. Some printers forget percent and layers then, so what was seen before counts too. */
function isComplete ({ job: { percent, layer, totalLayers }, ran }: Look): boolean {
  const [percents, layers] = [Math.max(percent, ran?.percent ?? 0), Math.max(layer, ran?.layer ?? 0)]
  return percents >= NEARLY_DONE_PERCENT || (totalLayers > 0 && layers >= totalLayers - 1)
}

/** The printer says that ours is over. An error may come late, and tells why. */
function judgeEnd (look: Look, hasRun: boolean, { startMs, settleMs }: Limits): Verdict {
  const { job: { gcodeState, cancelled }, hasError, settledMs } = look
  if (gcodeState === 'FINISH' && !cancelled && hasRun && isComplete(look)) return 'finished'
  const wait = hasError || cancelled ? settleMs : startMs
  if (settledMs < wait) return undefined
  if (cancelled) return 'cancelled'
  return gcodeState === 'FAILED' ? 'failed' : 'unknown'
}

/** The printer does not show the run as running. */
function judgeSending (run: Run, look: Look, limits: Limits): Verdict {
  const { start, sinceSent = 0, watchedMs, isBeingStarted, job, ran } = look
  if (isBeingStarted) return undefined
  const isWatched = sinceSent >= limits.startMs && watchedMs >= limits.startMs
  if (start === undefined) { // somebody else has sent a start since
    const isAsBefore = look.identity === run.before && !isActive(job.gcodeState)
    return isWatched && !isAsBefore ? 'unknown' : undefined
  }
  switch (start.outcome) {
    case undefined: {
      const isGone = !start.accepted && Math.min(sinceSent, watchedMs) >= limits.unansweredMs
      return isGone ? isUnseen(run, look) ? 'unknown' : 'not_started' : undefined
    }
    case 'refused':
    case 'given_up':
      return 'not_started'
    case 'restarted':
      return sinceSent - watchedMs >= UNSEEN_MS ? 'unknown' : 'not_started'
    case 'failed':
    case 'ended':
      return isActive(job.gcodeState) ? isWatched ? 'unknown' : undefined : judgeEnd(look, ran?.hasRun === true, limits)
    case 'began':
    case 'other':
      if (isOurs(run, job)) return judgeEnd(look, ran?.hasRun ?? start.outcome === 'began', limits)
      return watchedMs >= limits.startMs && look.settledMs >= limits.settleMs ? 'unknown' : undefined
  }
}

/**
 * What a printer's report says of a run that it was told of; undefined as long as it says nothing new. Pure.
 * A run counts as finished only when it was seen to run and its end is that of a complete print.
 */
export function judge (run: Run, look: Look, limits: Limits): Verdict {
  const { job, sinceSent, settledMs, watchedMs, ran } = look
  if (sinceSent === undefined) return undefined
  if (isOurs(run, job) && isActive(job.gcodeState)) return run.state === 'printing' ? undefined : 'printing'
  if (run.state === 'sending') return judgeSending(run, look, limits)
  if (!isOurs(run, job)) return run.state === 'printing' && watchedMs >= limits.startMs ? 'unknown' : undefined
  if (job.cancelled || job.gcodeState === 'FINISH' || job.gcodeState === 'FAILED') {
    const verdict = judgeEnd(look, ran?.hasRun ?? (run.state === 'printing' || run.print !== ''), limits)
    return verdict === run.state ? undefined : verdict
  }
  return run.state === 'printing' && settledMs >= limits.startMs ? 'unknown' : undefined
}
