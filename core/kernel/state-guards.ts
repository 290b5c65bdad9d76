import { NotConnected, PrinterBusy, StateNotCurrent } from '../errors.js'
import { isStartPending } from '../printer/state/start.js'
import type { PrinterSession } from '../printer/types.js'
import type { Guard, PrinterContext } from './types.js'

/** Whether the state is current, rather than the last one before reports stopped. */
export const hasCurrentState = ({ service, live, state }: PrinterSession): boolean =>
  service === 'CONNECTED' && live && state !== undefined

const RESUME = 'its session is paused. Resume it (PATCH /api/toggle_session, tool resume_mqtt_session) and try again.'
const REFRESH = 'A report was requested: try again in a moment. If that does not help, request a report ' +
  '(POST /api/trigger_printer_refresh, tool trigger_printer_refresh) or check the printer.'

function staleReason ({ service, lastMessageAt, problem }: PrinterSession): string {
  if (service === 'PAUSED') return RESUME
  const silence = lastMessageAt === undefined ? 'it has not reported its state yet' : 'it has stopped reporting its state'
  return `${silence}${problem === undefined ? '' : ` (${problem.message})`}. ${REFRESH}`
}

/**
 * For actions that depend on reported state, such as whether a job is running.
 * @throws PRN_ERR_NOT_CONNECTED without a connection, PRN_ERR_STATE_NOT_CURRENT while the session is paused or silent
 */
export function requireCurrentState ({ session }: Pick<PrinterContext, 'session'>): void {
  if (hasCurrentState(session)) return
  const { name, service, problem } = session
  if (service === 'CONNECTED' || service === 'PAUSED') throw new StateNotCurrent(name, staleReason(session))
  throw new NotConnected(name).with(problem === undefined ? {} : { detail: problem.message })
}

/** Refuses while a job is starting or running, and when that is unknown. A paused job is allowed. */
export const notPrinting: Guard = context => {
  requireCurrentState(context)
  const { session: { name, state, context: { start } }, kernel } = context
  const now = state?.job.gcodeState ?? ''
  if (now === 'RUNNING' || now === 'PREPARE') throw new PrinterBusy(name, now)
  if (isStartPending(start, kernel.now())) throw new PrinterBusy(name, `about to print '${start.subtaskName}'`)
}
