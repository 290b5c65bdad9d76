import { int, text, type Raw } from '../state/raw.js'

/** A request to a printer: the section of the message, and the fields in it. */
export interface Command {
  /** `print`, `system`, `info`, `pushing`, `xcam`, `camera`, `upgrade`, `update`. */
  readonly section: string
  /** Absent for the one request without a name, `update`. */
  readonly command?: string
  readonly [field: string]: unknown
}

/** A printer's reply to a command. */
export interface CommandReply {
  readonly section: string
  readonly command: string
  readonly accepted: boolean
  /** The meaning of `errno`, else the printer's own text; empty if it gave neither. */
  readonly reason: string
  /** 32-bit error number; 0 none. */
  readonly errorNumber: number
  /** Negative for refusals of some AMS and chamber commands; 0 none. */
  readonly errno: number
  /** The whole body of the reply. */
  readonly body: Raw
}

/** The message of a command. Sequence ids are sent as decimal text. */
export const envelope = ({ section, ...fields }: Command, sequenceId: string): Record<string, unknown> =>
  ({ [section]: { ...fields, sequence_id: sequenceId } })

/** Some AMS and chamber commands are refused with a small negative `errno` and no error number. */
const ERRNO_REASONS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  ams_change_filament: {
    [-2]: 'the chamber is too hot for that filament; let it cool down first',
    [-4]: 'the AMS is too hot; let it cool down first',
    [-9]: 'the AMS is drying; stop that first'
  },
  set_ctt: {
    [-2]: 'a filament that is loaded does not stand such a warm chamber; unload it first',
    [-4]: 'the chamber is not heated below 40 °C; the target counts as off'
  }
}

/** The meaning of a command's `errno`; undefined if it is not documented. */
export const errnoReason = (command: string, errno: number): string | undefined => ERRNO_REASONS[command]?.[errno]

/** `result` of a refusal: `fail`, `FAIL`, `failed` … */
const FAIL = /^fail/i

/** Reads a reply; in some sections `result` is a number, with 0 for success. */
export function readReply (section: string, body: Raw): CommandReply {
  const result = body.result
  const errorNumber = int(body.err_code) >>> 0
  const errno = int(body.errno)
  const failed = errno < 0 || (typeof result === 'number' ? result !== 0 : FAIL.test(text(result)))
  const command = text(body.command)
  const reason = errnoReason(command, errno) ?? text(body.reason)
  return {
    section,
    command,
    accepted: errorNumber === 0 && (!failed || isTakenAsZero(body)),
    reason: /^success$/i.test(reason) ? '' : reason,
    errorNumber,
    errno,
    body
  }
}

const TOO_LOW = -4

/** A chamber target below the heater's range: the printer reports an error, and switches the heater off. */
export const isTakenAsZero = ({ command, errno }: Raw): boolean => command === 'set_ctt' && int(errno) === TOO_LOW

/**
 * A reply contains a result or an error number; everything else on the topic is a report. An echo with only "no error"
 * is no reply: some firmware sends it for commands that it refuses.
 */
export const isReply = (section: string, body: Raw): boolean => body.command !== 'push_status' &&
  section !== 'pushing' && (body.result !== undefined || int(body.err_code) !== 0 || int(body.errno) !== 0)

/** The command carried no valid signature. */
const SIGNATURE_ERRORS = { first: 0x05024007, last: 0x0502400C }
export const wantsSignature = ({ errorNumber, reason }: Pick<CommandReply, 'errorNumber' | 'reason'>): boolean =>
  (errorNumber >= SIGNATURE_ERRORS.first && errorNumber <= SIGNATURE_ERRORS.last) ||
  /mqtt message verify failed/i.test(reason)
