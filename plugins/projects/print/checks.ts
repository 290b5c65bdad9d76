import {
  isStarting, JobActive, requireCurrentState, SignatureRequired, Unsupported, type Guard, type PrinterContext
} from '../../../core/index.js'
import { JobStarting, JobWaits } from '../errors.js'

const BUSY = new Set(['RUNNING', 'PREPARE', 'SLICING'])

/** A second job is never sent: some printers drop the first for it. */
export function readyForJob (context: Pick<PrinterContext, 'session' | 'kernel'>): void {
  requireCurrentState(context)
  const { session: { name, state, context: memory }, kernel } = context
  const now = state?.job.gcodeState ?? ''
  if (BUSY.has(now)) throw new JobActive(name, now)
  if (now === 'PAUSE') throw new JobWaits(name, now)
  if (isStarting(memory, kernel.now())) throw new JobStarting(name)
}

/** Firmware that says of itself that it takes only signed commands would leave the job unanswered. */
export const takesCommands: Guard = ({ session: { name, state } }) => {
  if (state?.device.signedOnly === true) throw new SignatureRequired(name, 'to start the print')
}

/** A printer that knows that it has no card. */
export const hasStorage: Guard = ({ session: { name, state } }) => {
  if (state?.device.storage === false) throw new Unsupported(`'${name}' has no card or stick to print from.`)
}
