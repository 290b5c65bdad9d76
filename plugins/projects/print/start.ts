import { Refused, type Command, type PrinterSession, type PrinterState } from '../../../core/index.js'

/** What became of a job that was sent. */
export type Outcome = 'started' | 'unconfirmed'

/** From the answer to the first report of the new job. Slow printers take some ten seconds. */
const WATCH_MS = 15_000

const SETTLE_MS = 1_500

const STARTED = new Set(['PREPARE', 'RUNNING', 'SLICING'])

const hasStarted = ({ job }: PrinterState): boolean => STARTED.has(job.gcodeState)

/**
 * Sends a job and watches the reports until it is under way.
 * @param explain the words for an error number
 * @returns `unconfirmed` when neither an answer nor a report told of it
 * @throws PRN_ERR_REFUSED with the printer's reason, PRN_ERR_SIGNATURE_REQUIRED, and those of sending
 */
export async function start (session: PrinterSession, command: Command, explain: (errorNumber: number) => string,
  watchMs = WATCH_MS): Promise<Outcome> {
  const before = session.state?.errors.printError ?? 0
  const failed = ({ errors: { printError } }: PrinterState) => printError !== 0 && printError !== before
  await session.perform('to start the print', command)
  await session.until(state => hasStarted(state) || failed(state), watchMs)
  // Printers look into the file only after they have taken the job.
  if (session.state?.job.gcodeState === 'PREPARE') await session.until(failed, Math.min(watchMs, SETTLE_MS))
  const { state } = session
  if (state && failed(state)) throw new Refused(session.name, 'to start the print', explain(state.errors.printError))
  return state && hasStarted(state) ? 'started' : 'unconfirmed'
}
