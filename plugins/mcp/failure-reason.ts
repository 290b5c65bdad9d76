import { errorText } from './error-text.js'

const LOST = 'The connection to the printer service was lost. It is not known whether the request was carried out: ' +
  'check before repeating it.'
const ABSENT = 'The printer service does not answer. It may be starting: try again in a moment, or start it with: prnd daemon'

/** The service never processed the message: it is not running, or it no longer knows the session. */
export function wasNotAccepted (error: unknown): boolean {
  const { code, cause } = error as { code?: unknown, cause?: { code?: unknown } }
  return code === 404 || cause?.code === 'ECONNREFUSED'
}

/** Tells a client why its request has no answer; without an error, the connection ended. */
export function failureReason (error?: unknown): string {
  if (error === undefined) return LOST
  if (wasNotAccepted(error)) return ABSENT
  const { cause, name } = error as { cause?: unknown, name?: unknown }
  return cause !== undefined || name === 'AbortError' ? LOST : `The printer service refused: ${errorText(error)}`
}
