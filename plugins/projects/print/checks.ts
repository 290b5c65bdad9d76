import { PrinterBusy, SignatureRequired, Unsupported, type Guard } from '../../../core/index.js'
import { JobWaits } from '../errors.js'

const BUSY = new Set(['RUNNING', 'PREPARE', 'SLICING'])

/** A second job is never sent: some printers drop the first for it. */
export const readyForJob: Guard = ({ session: { name, state } }) => {
  const now = state?.job.gcodeState ?? ''
  if (BUSY.has(now)) throw new PrinterBusy(name, now)
  if (now === 'PAUSE') throw new JobWaits(name, now)
}

/** Firmware that takes only signed commands would leave the job unanswered. */
export const takesCommands: Guard = ({ session: { name, state } }) => {
  if (state?.device.developerMode === 'off') throw new SignatureRequired(name, 'to start the print')
}

/** A printer that knows that it has no card. */
export const hasStorage: Guard = ({ session: { name, state } }) => {
  if (state?.device.storage === false) throw new Unsupported(`'${name}' has no card or stick to print from.`)
}
