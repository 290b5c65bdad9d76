/** Messages by the error code of a failed connection. */
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused): check address and port, and that it runs',
  ECONNRESET: 'it ended the connection: check that address, port and protocol fit',
  ENOTFOUND: 'there is no host of that name: check the address',
  EAI_AGAIN: 'its name cannot be looked up: check the address, and the name server',
  ETIMEDOUT: 'it does not answer: check the address, and that it is switched on',
  EHOSTUNREACH: 'there is no way to that host: check the address and the network',
  ENETUNREACH: 'there is no way to that network: check the address and the network',
  EPROTO: 'it does not speak TLS there: check the port, or use the address without TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there: check the port, or use the address without TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there: check the port, or use the address without TLS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself: name it as ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority: name that as ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority: name that as ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an unknown authority: name that as ca',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name: use the name that it was made for',
  EAUTH: 'user or password is wrong',
  EDNS: 'its name cannot be looked up: check the address, and the name server',
  ETLS: 'it does not offer the encryption that is asked for: check the port, and the way of encryption',
  ESOCKETTIMEDOUT: 'it does not answer: check the address, and that it is switched on',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer: check the address, and that it is switched on',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer: check the address, and that it is switched on',
  UND_ERR_SOCKET: 'it ended the connection: check that address, port and protocol fit',
  '28P01': 'user or password is wrong',
  28000: 'user or password is wrong',
  '3D000': 'there is no database of that name',
  57300: 'it is starting up or shutting down'
}

/** Messages by the error text of libraries that give no code. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/bad user ?name or password|not authorized|authorization violation|user authentication|authentication (failed|expired)/i,
    'user or password is wrong'],
  [/wrong version number|packet length too long|unknown protocol|record layer failure|SSL routines|:error:[0-9A-F]{8}:/i,
    CODES.EPROTO ?? ''],
  [/self-signed certificate in certificate chain|unable to verify the first certificate|unable to get local issuer/i,
    CODES.SELF_SIGNED_CERT_IN_CHAIN ?? ''],
  [/self-signed certificate/i, CODES.DEPTH_ZERO_SELF_SIGNED_CERT ?? ''],
  [/certificate has expired/i, CODES.CERT_HAS_EXPIRED ?? ''],
  [/does not match certificate's altnames/i, CODES.ERR_TLS_CERT_ALTNAME_INVALID ?? ''],
  [/socket hang up|other side closed|connection closed|unexpected socket close/i, CODES.ECONNRESET ?? ''],
  [/keepalive timeout|connack timeout|timeout exceeded|timed? ?out/i, CODES.ETIMEDOUT ?? '']
]

type Failure = Readonly<Record<'code' | 'message' | 'cause' | 'errors', unknown>>

/** A user-readable message of an external failure, from the innermost cause. */
export function wordsOfFailure (error: unknown, depth = 0): string {
  const { code, message, cause, errors } = (error ?? {}) as Partial<Failure>
  const known = CODES[String(code)]
  if (known !== undefined) return known
  const inner = cause ?? (Array.isArray(errors) ? errors[0] : undefined) // one error for each address of a host
  if (inner !== undefined && depth < 4) return wordsOfFailure(inner, depth + 1)
  const said = typeof message === 'string' ? message : String(error ?? '')
  if (said === '' || said === 'undefined') return 'it does not answer, and does not say why'
  const [named = ''] = /\b(?:E[A-Z]{4,}|EAI_AGAIN)\b/.exec(said) ?? []
  return CODES[named] ?? TEXTS.find(([pattern]) => pattern.test(said))?.[1] ?? said
}
