import {
  Refused, SignatureRequired, wantsSignature, type Command, type CommandReply, type HmsCatalogue, type PrinterSession,
  type ServiceError
} from '../../core/index.js'

/** An action that the printer may refuse, worded for both interfaces. */
export interface Act {
  /** As in "'x1c' refused the load from AMS unit 0". */
  readonly what: string
  /** As in "printer refused the load". */
  readonly brief: string
}

/** The error for a reply that refuses a command. */
export function refusalOf (session: PrinterSession, faults: HmsCatalogue, reply: CommandReply,
  { what, brief }: Act): ServiceError {
  if (wantsSignature(reply)) return new SignatureRequired(session.name, what)
  const why = faults.explain(reply.errorNumber, reply.reason)
  return new Refused(session.name, what, why).with({ reason: `printer refused ${brief}: ${why}` })
}

/** How long a printer may take to refuse a load or an unload. */
const REFUSAL_MS = 5_000

/**
 * Sends a command that moves filament and waits for the printer's reply.
 * @throws PRN_ERR_REFUSED, PRN_ERR_SIGNATURE_REQUIRED, and those of the session's `send`
 */
export async function sendFeed (session: PrinterSession, faults: HmsCatalogue, command: Command, act: Act) {
  const reply = await session.send(command, { replyWithin: REFUSAL_MS })
  if (reply?.accepted === false) throw refusalOf(session, faults, reply, act)
  return { confirmed: reply !== undefined }
}
