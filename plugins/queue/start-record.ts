import type { PrinterSession, StartRecord } from '../../core/index.js'
import { partsOf } from './run-verdict.js'
import type { Run } from './types.js'

/** The record of the run's start command, unless another one was sent since. */
export const startOfRun = ({ context: { start } }: PrinterSession, run: Run): StartRecord | undefined =>
  start?.taskId === String(run.task) ? start : undefined

/** What the printer showed before the run was sent, as far as it was recorded; the state is the current one. */
export const shownBefore = ({ state }: PrinterSession, { before }: Run): StartRecord['before'] => state && {
  gcodeState: state.job.gcodeState,
  printError: state.errors.printError,
  ...partsOf(before ?? '')
}
