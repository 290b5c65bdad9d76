import { LoginRefused } from './refusals.js'

/** An error of the library. Its causes contain bodies and claims and must never be logged. */
interface Failure {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  /** The provider's error code and description. */
  readonly error?: unknown
  readonly error_description?: unknown
  readonly cause?: unknown
}

const DEEPEST = 5
const LONGEST = 200
const PASSING = new Set(['temporarily_unavailable', 'server_error'])

function inside (error: unknown): LoginRefused | undefined {
  let at = error
  for (let depth = 0; depth < DEEPEST && at !== undefined; depth++) {
    if (at instanceof LoginRefused) return at
    at = (at as Failure | null)?.cause
  }
  return undefined
}

const plain = (text: unknown) => String(text).replaceAll(/\s+/g, ' ').slice(0, LONGEST)

/** The issuer that the provider states, if it differs from the configured one, often by a trailing slash. */
function issuerIn (cause: unknown): string | undefined {
  const { attribute, body } = (cause ?? {}) as { attribute?: string, body?: { issuer?: unknown } }
  return attribute === 'issuer' && body?.issuer !== undefined ? plain(body.issuer) : undefined
}

function detailOf ({ code, message = '', error, error_description: description, cause }: Failure): string {
  const issuer = issuerIn(cause)
  if (issuer !== undefined) return `the provider calls itself '${issuer}': write it like this in issuer`
  if (error !== undefined) return `the provider said ${plain(error)}${description === undefined ? '' : `: ${plain(description)}`}`
  return plain(code === undefined ? message : `${message} (${code})`)
}

/** Translates an error of the library for the user. */
export function refusalOfFailure (failure: unknown): LoginRefused {
  const own = inside(failure)
  if (own !== undefined) return own
  const { error, code } = failure as Failure
  const detail = detailOf(failure as Failure)
  if (error === 'access_denied') return new LoginRefused('denied', detail)
  if (error === 'invalid_grant') return new LoginRefused('stale', detail)
  const isAway = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || (typeof error === 'string' && PASSING.has(error))
  return new LoginRefused(isAway ? 'unreachable' : 'unusable', detail)
}
