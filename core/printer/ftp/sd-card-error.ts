import { FTPError } from 'basic-ftp'
import { tooManyClients } from '../plain-answer.js'
import { ConnectionError, connectionErrorOf, wordsOf, type ConnectionErrorCode } from '../connection-error.js'

/** Errors of a card, classified by the remedy. */
export const SD_CARD_ERROR_CODES = ['unreachable', 'access_code_rejected', 'certificate', 'connection_lost', 'not_found',
  'full', 'not_writable', 'unsupported', 'incomplete', 'bad_path', 'is_file', 'is_folder', 'no_folder', 'too_much',
  'too_many_clients', 'refused'] as const
export type SdCardErrorCode = (typeof SD_CARD_ERROR_CODES)[number]

const TRANSIENT: ReadonlySet<SdCardErrorCode> = new Set(['connection_lost', 'incomplete', 'too_many_clients'])

export class SdCardError extends Error {
  readonly code: SdCardErrorCode
  constructor (code: SdCardErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SdCardError'
    this.code = code
  }

  /** A retry over a new connection may succeed. */
  get isTransient (): boolean { return TRANSIENT.has(this.code) }
}

/** From replies of printers' servers, and RFC 959. */
const REPLIES: Readonly<Record<number, readonly [SdCardErrorCode, string]>> = {
  421: ['connection_lost', 'the printer ended the connection'],
  425: ['connection_lost', 'the printer opened no data connection; another client may be using it'],
  426: ['connection_lost', 'the transfer was cut off'],
  450: ['not_found', 'there is no such file or folder, or it is in use'],
  451: ['connection_lost', 'the printer gave up on the transfer'],
  452: ['full', 'the card is full'],
  500: ['unsupported', 'this printer cannot do that'],
  502: ['unsupported', 'this printer cannot do that'],
  504: ['unsupported', 'this printer cannot do that'],
  522: ['refused', 'the printer did not accept the protected data connection'],
  530: ['access_code_rejected', 'the printer does not accept the access code for its card'],
  550: ['not_found', 'there is no such file or folder, or the printer refuses access to it'],
  552: ['full', 'the card is full'],
  553: ['not_writable', 'the printer cannot create that file; is a card inserted, and does the folder exist?']
}

/** The message includes the server's own text, without its reply code. */
function ofReply (error: FTPError, what: string): SdCardError {
  const [code, words] = REPLIES[error.code] ?? ['refused', 'the printer refused it']
  const said = error.message.replace(/^\d{3}[ -]/, '').trim().slice(0, 200)
  return new SdCardError(code, `${what}: ${words} (${error.code} ${said})`, { cause: error })
}

const CONNECT_CODES: Readonly<Partial<Record<ConnectionErrorCode, SdCardErrorCode>>> = {
  wrong_serial: 'certificate',
  certificate_changed: 'certificate',
  certificate_untrusted: 'certificate',
  login_refused: 'too_many_clients'
}
const codeOf = ({ code }: ConnectionError): SdCardErrorCode => CONNECT_CODES[code] ?? 'unreachable'

/** Converts any failure to an SdCardError. @param what the action: `Uploading /a.3mf` */
export function toSdCardError (error: unknown, what: string): SdCardError {
  if (error instanceof SdCardError) return error
  if (error instanceof FTPError) return ofReply(error, what)
  if (error instanceof ConnectionError) return new SdCardError(codeOf(error), error.message, { cause: error })
  return new SdCardError('connection_lost', `${what}: the connection to the card was lost (${wordsOf(error)})`, { cause: error })
}

/** Why no connection could be opened. */
export function connectFailure (error: unknown, where: string): SdCardError {
  if (error instanceof SdCardError) return error
  if (error instanceof FTPError && error.code === 421) return toSdCardError(tooManyClients(where, error.message), where)
  if (error instanceof FTPError) return ofReply(error, where)
  const code = (error as { code?: unknown } | undefined)?.code
  if (code === 'ECONNRESET') return toSdCardError(error, where)
  return toSdCardError(connectionErrorOf(error, where), where)
}
