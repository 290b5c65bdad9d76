import type { SessionContext } from './context.js'
import { gcodeStateOf, isActive, percentOf } from './job.js'
import { int, list, type Raw } from './raw.js'

/** Numbers of a job that a person cancelled, at the printer or remotely. */
const CANCELLED: ReadonlySet<number> = new Set([0x0300400C, 0x0500400E])
/** True for the error number of a cancelled job, which is no fault. */
export const isCancellation = (number: number): boolean => CANCELLED.has(number >>> 0)

/** Module and number of an entry without the middle: printers repeat their error number in the list like this. */
export const shortNumber = (attr: number, code: number): number => ((attr & 0xFFFF0000) | (code & 0xFFFF)) >>> 0
/** Listed next to a cancellation by several families, and in no public list of faults. */
const ECHO = 0x0C00001B

/** An entry of the health list that repeats a cancellation. */
export const repeatsCancellation = (attr: number, code: number): boolean => isCancellation(shortNumber(attr, code))
/** An entry without meaning next to a cancellation; alone it could be a fault. */
export const isCancellationEcho = (attr: number, code: number): boolean => shortNumber(attr, code) === ECHO

const inList = (raw: Raw): boolean =>
  list(raw.hms).some(({ attr, code }) => repeatsCancellation(int(attr) >>> 0, int(code) >>> 0))

/** From this class on, a number is an error that stops or pauses; lower ones are phases of a job. */
const FIRST_ERROR_CLASS = 0x4000
export const isRealError = (number: number): boolean => number !== 0 && (number & 0xFFFF) >= FIRST_ERROR_CLASS

/** A printer ends the job within this time after a stop command, or after reporting a cancellation. */
const STOPS_WITHIN_MS = 600_000

type Cancellation = Pick<SessionContext, 'stopped' | 'stopSeenAt' | 'cancelMarks'>

/** Where the report contains the number of a cancellation, one bit each. */
const marksOf = (raw: Raw): number => [
  isCancellation(int(raw.print_error)), inList(raw), isCancellation(int(raw.fail_reason))
].reduce((marks, shown, at) => shown ? marks | 1 << at : marks, 0)

/** A job cannot get from here to its end between two reports. */
const NEARLY_DONE_PERCENT = 95

/** A job that is stopped in its last moments may have completed nevertheless. */
const cameToItsEnd = (raw: Raw, reached: SessionContext['reached']): boolean =>
  percentOf(raw) >= 100 && reached.percent >= NEARLY_DONE_PERCENT

/**
 * Whether a person cancelled the job. Printers of all families end it as `FAILED`, P1 printers also as `IDLE`; one that
 * reports `FINISH` after a stop command, before the job was complete, has not finished it either. The number appears as
 * `print_error`, which is cleared after seconds, as an entry of the health list (H2), or as `fail_reason`, which stays;
 * in the same report as the state, before it, or after it. A number that was already there belongs to the previous job.
 * @param wasActive in the previous report; undefined for the first report
 */
export function cancellationOf (context: Cancellation & Pick<SessionContext, 'reached'>, raw: Raw, wasActive: boolean | undefined,
  now: number): Cancellation {
  const state = gcodeStateOf(raw)
  const error = int(raw.print_error) >>> 0
  const cancelMarks = marksOf(raw)
  if (isActive(state) && wasActive !== true) return { stopped: false, stopSeenAt: undefined, cancelMarks }
  const failedOtherwise = isRealError(error) && !isCancellation(error)
  const isNews = !failedOtherwise && (cancelMarks & ~context.cancelMarks) !== 0
  const stopSeenAt = isNews ? now : context.stopSeenAt
  const hasStopped = stopSeenAt !== undefined && now - stopSeenAt < STOPS_WITHIN_MS && (wasActive === true || isNews)
  const isNamed = state === 'FAILED' && isCancellation(error)
  const isCut = state === 'FINISH' && wasActive === true && !cameToItsEnd(raw, context.reached)
  const ended = state === 'FAILED' || state === 'IDLE' || isCut
  return { stopped: context.stopped || (ended && (hasStopped || isNamed)), stopSeenAt, cancelMarks }
}
