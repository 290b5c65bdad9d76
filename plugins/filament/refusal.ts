import {
  Refused, SignatureRequired, wantsSignature, type Command, type CommandReply, type HmsCatalogue, type PrinterSession,
  type ServiceError
} from '../../core/index.js'

/** An act that the printer may turn down, in the words of either interface. */
export interface Act {
  /** As in "'x1c' refused the load from AMS unit 0". */
  readonly what: string
  /** As in "printer refused the load". */
  readonly brief: string
}

/** The error for an answer that turns a command down. */
export function refusalOf (session: PrinterSession, faults: HmsCatalogue, reply: CommandReply,
  { what, brief }: Act): ServiceError {
  if (wantsSignature(reply)) return new SignatureRequired(session.name, what)
  const why = faults.explain(reply.errorNumber, reply.reason)
  return new Refused(session.name, what, why).with({ reason: `printer refused ${brief}: ${why}` })
}

/** How long a printer may take to turn down a load or an unload. */
const REFUSAL_MS = 5_000

/**
 * Sends a command that moves filament and waits for what the printer says to it; its consent ends the wait.
 * @throws PRN_ERR_REFUSED, PRN_ERR_SIGNATURE_REQUIRED, and those of the session's `send`
 */
export async function sendFeed (session: PrinterSession, faults: HmsCatalogue, command: Command, act: Act) {
  const reply = await session.send(command, { replyWithin: REFUSAL_MS })
  if (reply?.accepted === false) throw refusalOf(session, faults, reply, act)
  return { confirmed: reply !== undefined }
}
