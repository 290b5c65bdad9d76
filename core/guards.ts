import { PrinterBusy } from './errors.js'
import type { AnyOperation, PrinterContext } from './operation.js'

/** A precondition shared by every face of the operations that list it; throws or rejects when it does not hold. */
export type Guard = (context: PrinterContext, operation: AnyOperation) => void | Promise<void>

/** Refuses while a job is starting or running. A paused job is no hindrance. */
export const notPrinting: Guard = ({ session }) => {
  const now = session.state?.job.gcodeState
  if (now === 'RUNNING' || now === 'PREPARE') throw new PrinterBusy(session.name, now)
}
