import { messageOf } from './error-text.js'

const LOST = 'The connection to the printer service was lost. Whether the request was carried out is not known: ' +
  'check before repeating it.'
const ABSENT = 'The printer service does not answer. It may be starting: try again in a moment, or start it with: prnd daemon'

/** The service never received the message: none is running, or it does not know the session any more. */
export function wasNotTaken (error: unknown): boolean {
  const { code, cause } = error as { code?: unknown, cause?: { code?: unknown } }
  return code === 404 || cause?.code === 'ECONNREFUSED'
}

/** In words for a client why a request has no answer; without an error the connection ended. */
export function failureReason (error?: unknown): string {
  if (error === undefined) return LOST
  if (wasNotTaken(error)) return ABSENT
  const { cause, name } = error as { cause?: unknown, name?: unknown }
  return cause !== undefined || name === 'AbortError' ? LOST : `The printer service refused: ${messageOf(error)}`
}
