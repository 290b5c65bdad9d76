import { LoginRefused } from './refusals.js'

/** Of what the library throws. Causes hold bodies and claims: they are never written anywhere. */
interface Failure {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  /** What the provider said. */
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

/** The provider calls itself something else than the configuration does: a slash at the end, often. */
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

/** What a failure of the library means for the person who logs in. */
export function refusalFor (failure: unknown): LoginRefused {
  const own = inside(failure)
  if (own !== undefined) return own
  const { error, code } = failure as Failure
  const detail = detailOf(failure as Failure)
  if (error === 'access_denied') return new LoginRefused('denied', detail)
  if (error === 'invalid_grant') return new LoginRefused('stale', detail)
  const isAway = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || (typeof error === 'string' && PASSING.has(error))
  return new LoginRefused(isAway ? 'unreachable' : 'unusable', detail)
}
