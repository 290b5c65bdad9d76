import type { Command } from '../mqtt/command.js'
import { isCancellation, isRealError } from './cancellation.js'
import { gcodeStateOf, isActive, isStartOf, jobNameKey } from './job.js'
import type { ShownJob, StartOutcome, StartRecord } from './context.js'
import { int, text, type Raw } from './raw.js'

/** Firmware was seen to show the previous job for 210 s; an unanswered start is not waited for after this time. */
export const LONGEST_START_MS = 600_000

/** The reply to a start command during a job, which concerns its sender only. */
const BUSY = 0x05004004
/** The mainboard, which reads the file: all of its errors concern the job. */
const MAINBOARD = 0x05
/** Errors of this class end a job; milder ones of other modules have other causes. */
const ENDS_JOB = 4

export const shownJob = (raw: Raw): ShownJob => ({
  gcodeState: gcodeStateOf(raw),
  taskId: text(raw.task_id),
  subtaskId: text(raw.subtask_id),
  subtaskName: text(raw.subtask_name),
  printError: int(raw.print_error) >>> 0
})

export const isProjectFile = ({ section, command }: Command): boolean =>
  section === 'print' && command === 'project_file'

export const startOf = (fields: Raw, before: ShownJob | undefined, at: number, accepted: boolean): StartRecord => ({
  taskId: text(fields.task_id),
  subtaskName: text(fields.subtask_name),
  at,
  accepted,
  before,
  outcome: undefined,
  printError: 0
})

/** Whether it is the same start; unknown without a number. */
export const isSameStart = (start: StartRecord | undefined, fields: Raw): start is StartRecord => {
  const id = text(fields.task_id)
  return start !== undefined && id !== '' && id !== '0' && start.taskId === id
}

const isSameJob = (one: ShownJob, other: ShownJob): boolean =>
  one.taskId === other.taskId && one.subtaskId === other.subtaskId &&
  jobNameKey(one.subtaskName) === jobNameKey(other.subtaskName)

const isNamed = ({ taskId, subtaskName }: ShownJob): boolean => subtaskName !== '' || (taskId !== '' && taskId !== '0')

const isOwn = (start: StartRecord, { taskId, subtaskId, subtaskName }: ShownJob): boolean =>
  (start.taskId !== '' && start.taskId !== '0' && start.taskId === subtaskId) ||
  (start.subtaskName !== '' && jobNameKey(start.subtaskName) === jobNameKey(subtaskName)) ||
  isStartOf(start, { taskId, subtaskName })

/** A new error that concerns the job. */
function endsStart (number: number, accepted: boolean, before: ShownJob): boolean {
  if (!isRealError(number) || number === before.printError || (number === BUSY && accepted)) return false
  return number >>> 24 === MAINBOARD || (number >>> 12 & 0xF) === ENDS_JOB || isCancellation(number)
}

/** A printer that was switched off has no job; one that briefly lost its connection still has the previous one. */
const RESTARTED = new Set(['IDLE', 'INIT', ''])

function outcomeOf (start: StartRecord, before: ShownJob, shown: ShownJob, isFirst: boolean, now: number):
StartOutcome | undefined {
  const { gcodeState } = shown
  const isOther = isNamed(shown) && !isSameJob(shown, before) && !isOwn(start, shown)
  if (isActive(gcodeState)) return isOther ? 'other' : 'began'
  if (endsStart(shown.printError, start.accepted, before)) return 'failed'
  if (isFirst && isOther) return 'other'
  if (gcodeState === before.gcodeState) {
    const isShown = isOwn(start, shown) && !isSameJob(shown, before)
    return isShown && now - start.at >= LONGEST_START_MS ? 'ended' : undefined
  }
  if (gcodeState === 'FAILED') return 'failed'
  if (gcodeState === 'FINISH') return 'ended'
  return isFirst && RESTARTED.has(gcodeState) ? 'restarted' : undefined
}

/**
 * What a further report reveals about a start. Firmware may show the previous job for minutes, with its own names or
 * with those of the new one, which reveals nothing.
 * @param isFirst the first report of a connection
 */
export function followStart (start: StartRecord | undefined, raw: Raw, isFirst: boolean, now: number):
StartRecord | undefined {
  if (start === undefined || start.outcome !== undefined) return start
  const shown = shownJob(raw)
  const before = start.before ?? shown
  const outcome = outcomeOf(start, before, shown, isFirst, now)
  if (outcome !== undefined) return { ...start, before, outcome, printError: outcome === 'failed' ? shown.printError : 0 }
  // An error that was cleared counts if it returns.
  const isCleared = before.printError !== 0 && shown.printError === 0
  return start.before && !isCleared ? start : { ...start, before: isCleared ? { ...before, printError: 0 } : before }
}

/**
 * The printer accepted a start, or may have, and no report has shown it since: any further command could cause a second
 * print. @param now ms since the epoch
 */
export const isStartPending = (start: StartRecord | undefined, now: number): start is StartRecord =>
  start !== undefined && start.outcome === undefined && (start.accepted || now - start.at < LONGEST_START_MS)

/** The pending start, for callers; null without one. @param now ms since the epoch */
export const pendingStart = (start: StartRecord | undefined, now: number): { job: string, since: number } | null =>
  isStartPending(start, now) ? { job: start.subtaskName, since: start.at } : null
