/** Why a session has no connection, classified by the remedy. */
export const CONNECTION_ERROR_CODES = ['unreachable', 'access_code_rejected', 'wrong_serial', 'certificate_changed',
  'certificate_untrusted', 'not_a_printer', 'login_refused', 'connection_lost', 'no_reports', 'takes_no_commands'] as const
export type ConnectionErrorCode = (typeof CONNECTION_ERROR_CODES)[number]

export interface SessionProblem {
  readonly code: ConnectionErrorCode
  /** One sentence for the user, including the remedy. */
  readonly message: string
  /** ms since the epoch. */
  readonly at: number
}

/** Why an attempt to connect failed, or a connection ended. */
export class ConnectionError extends Error {
  readonly code: ConnectionErrorCode
  constructor (code: ConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConnectionError'
    this.code = code
  }
}

/** The login succeeded, but no report ever arrived. */
export const neverReported = (where: string, serial: string) => new ConnectionError('no_reports',
  `${where} accepts the login but sends no report. Check the serial number '${serial}': ` +
  'it must be written exactly as on the printer.')

/** Reports arrived earlier, so the serial number is right. */
export const fellSilent = (where: string) => new ConnectionError('no_reports',
  `${where} has stopped sending reports. If this persists, close other programs that are connected to it, ` +
  'or switch the printer off and on.')

/** Reports arrive, but neither commands nor the version request are answered. */
export const takesNoCommands = (where: string) => new ConnectionError('takes_no_commands',
  `${where} sends reports but answers no command. The connection is opened anew; if this persists, ` +
  'switch the printer off and on.')

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers on that port; is it switched on, and is LAN mode enabled?',
  EHOSTUNREACH: 'no route to that address; is it switched on and on the same network?',
  ENETUNREACH: 'no route to that network',
  ETIMEDOUT: 'no answer; is it switched on and on the same network?',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was closed during the handshake'
}

const TLS_CODE = /^(EPROTO|ERR_SSL_|ERR_TLS_)/
const TLS_TEXT = /SSL routines|:error:[0-9A-F]{8}:/

const isTlsFailure = (error: unknown): boolean =>
  TLS_CODE.test(String((error as { code?: unknown } | undefined)?.code)) || TLS_TEXT.test(String(error))

/** The errors of the TLS library that a user can do something about. */
const TLS_WORDS: readonly (readonly [RegExp, string])[] = [
  [/PROTOCOL/, 'it speaks another version of TLS'],
  [/CIPHER|HANDSHAKE_FAILURE/, 'it offers no encryption that both sides know'],
  [/CERT|UNKNOWN_CA/, 'the certificates do not fit'],
  [/BAD_RECORD|DECRYPT|UNEXPECTED_EOF/, 'the encrypted data were damaged on the way']
]

/** A connection error in words for users, never the TLS library's own. */
export function wordsOf (error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!isTlsFailure(error)) return message
  const code = `${String((error as { code?: unknown } | undefined)?.code)} ${message.toUpperCase().replaceAll(' ', '_')}`
  return TLS_WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'it does not answer in TLS'
}

/** Converts any connection failure to an error with a reason for the user. */
export function connectionErrorOf (error: unknown, where: string): ConnectionError {
  if (error instanceof ConnectionError) return error
  const { code: given } = (error ?? {}) as { code?: unknown }
  const code = typeof given === 'string' ? given : '' // MQTT return codes and DOMException codes are numbers
  const words = Object.hasOwn(UNREACHABLE, code) ? UNREACHABLE[code] : undefined
  if (words !== undefined) return new ConnectionError('unreachable', `${where}: ${words}`, { cause: error })
  return isTlsFailure(error)
    ? new ConnectionError('not_a_printer', `${where}: no encrypted connection: ${wordsOf(error)}. Check the address and the port.`, { cause: error })
    : new ConnectionError('unreachable', `${where}: ${wordsOf(error)}`, { cause: error })
}
