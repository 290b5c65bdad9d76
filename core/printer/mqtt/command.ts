import { errnoReason } from '../hms/errno.js'
import { int, text, type Raw } from '../state/read.js'

/** A request to a printer: the section of the wire envelope, and what goes into it. */
export interface Command {
  /** `print`, `system`, `info`, `pushing`, `xcam`, `camera`, `upgrade`, `update`. */
  readonly section: string
  /** Absent for the one request without a name, `update`. */
  readonly command?: string
  readonly [field: string]: unknown
}

/** What a printer answered to a command of ours. */
export interface CommandReply {
  readonly section: string
  readonly command: string
  readonly accepted: boolean
  /** What its reason number means, else the printer's own words; empty when it gave neither. */
  readonly reason: string
  /** 32-bit error number; 0 none. */
  readonly errorNumber: number
  /** Negative reason number of some AMS and chamber commands; 0 none. */
  readonly errno: number
  /** Everything the reply carried. */
  readonly body: Raw
}

/** The wire form of a command. Sequence ids are decimal text. */
export const envelope = ({ section, ...fields }: Command, sequenceId: string): Record<string, unknown> =>
  ({ [section]: { ...fields, sequence_id: sequenceId } })

/** Refusals begin like this, whatever the letter case. */
const FAIL = /^fail/i

/** Reads an answer; some sections answer with a number, of which 0 is good. */
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

/** A chamber target too low to be heated to: the printer says so, and takes it for "off". */
export const isTakenAsZero = ({ command, errno }: Raw): boolean => command === 'set_ctt' && int(errno) === TOO_LOW

/**
 * An answer has a result or an error number; everything else on the topic is news. An echo that only says "no
 * error" is none: some firmware sends it for commands that it turns away.
 */
export const isReply = (section: string, body: Raw): boolean => body.command !== 'push_status' &&
  section !== 'pushing' && (body.result !== undefined || int(body.err_code) !== 0 || int(body.errno) !== 0)

/** 0x05024007 and its relatives: the command carried no valid signature. */
const SIGNATURE_ERRORS = { first: 0x05024007, last: 0x0502400C }
export const wantsSignature = ({ errorNumber, reason }: Pick<CommandReply, 'errorNumber' | 'reason'>): boolean =>
  (errorNumber >= SIGNATURE_ERRORS.first && errorNumber <= SIGNATURE_ERRORS.last) ||
  /mqtt message verify failed/i.test(reason)
