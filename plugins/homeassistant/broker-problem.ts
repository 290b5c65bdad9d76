import { Type, type Static } from 'typebox'
import { wordsOfFailure } from '../../core/index.js'

const CAUSES = ['login', 'host', 'refused', 'silent', 'ended', 'tls', 'untrusted', 'expired', 'wrong_name', 'other'] as const
type Cause = typeof CAUSES[number]

export const BrokerProblem = Type.Object({
  cause: Type.Enum(CAUSES, {
    description: '`host`: no such name; `refused`: nothing listens there; `silent`: no answer; `ended`: it ' +
      'ended the connection; `tls`: it does not speak TLS there; `untrusted`, `expired`, `wrong_name`: its certificate'
  }),
  reason: Type.String({ description: 'For display, without secrets' })
})
export type BrokerProblem = Static<typeof BrokerProblem>

const CODES: Readonly<Record<string, Cause>> = {
  4: 'login', // MQTT 3.1.1: bad user name or password
  5: 'login', // not authorized
  ENOTFOUND: 'host',
  EAI_AGAIN: 'host',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'ended',
  ETIMEDOUT: 'silent',
  EHOSTUNREACH: 'silent',
  ENETUNREACH: 'silent',
  EPROTO: 'tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls',
  CERT_HAS_EXPIRED: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted'
}

/** For errors without a known code. */
const TEXTS: readonly (readonly [RegExp, Cause])[] = [
  [/bad user ?name or password|not authorized/i, 'login'],
  [/certificate has expired/i, 'expired'],
  [/altname/i, 'wrong_name'],
  [/certificate/i, 'untrusted'],
  [/wrong version number|packet length too long|:SSL/i, 'tls'],
  [/timeout|timed out/i, 'silent'],
  [/connection closed|unexpected socket close|socket hang up/i, 'ended']
]

interface Failure {
  readonly code?: unknown
  readonly message?: string
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

function causeOf (error: unknown, depth = 0): Cause {
  const { code, message = '', cause, errors } = (error ?? {}) as Failure
  const known = CODES[String(code)]
  if (known !== undefined) return known
  const inner = cause ?? errors?.[0] // one error for each address of a host
  if (inner !== undefined && depth < 4) return causeOf(inner, depth + 1)
  return TEXTS.find(([pattern]) => pattern.test(message))?.[1] ?? 'other'
}

/** Why a broker cannot be used, by the error of the MQTT library. */
export const brokerProblem = (error: unknown, redact: (text: string) => string): BrokerProblem =>
  ({ cause: causeOf(error), reason: redact(wordsOfFailure(error)) })
