import { Type } from 'typebox'
import { isServiceError, sentenceOf, type Route } from '../../core/index.js'
import type { Dialect } from '../../plugins/http/index.js'

const Text = Type.String()
/** The body of a failure; it may include the document of a printer. */
const Failure = Type.Object({
  status: Type.Literal('error'),
  message: Type.String({ description: 'What went wrong and what to do' }),
  reason: Type.String({ description: 'The message once more' }),
  stacktrace: Type.Optional(Type.String({ description: 'Empty unless the log level is DEBUG' })),
  detail: Type.Optional(Text)
}, { 'x-name': 'Failure', additionalProperties: true })

/** Every failure is 500 here, except requests that are rejected before they are handled, and these two. */
const FOUND_NOTHING = new Set(['PRN_ERR_NO_ROUTE', 'PRN_ERR_NO_PROJECT_FILE', 'PRN_ERR_NO_JOB_PROJECT'])
const OWN_STATUS = new Set([401, 403, 405, 413, 415, 429, 503])

function statusOf (error: unknown): number {
  const { statusCode = 500, code = '' } = error as { statusCode?: number, code?: string }
  if (statusCode === 404 && FOUND_NOTHING.has(code)) return 404
  return OWN_STATUS.has(statusCode) ? statusCode : 500
}

const nameOf = ({ path }: Route): string => path.slice(1)

function messageOf (error: unknown, route: Route | undefined): string {
  if (isServiceError(error)) return sentenceOf(error, route && nameOf(route))
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/**
 * Response format of the standalone application: one printer; failures have both the documented and the daemon's
 * members.
 */
export const dialect: Dialect = {
  onePrinter: true,
  described: { statusOf, body: Failure },
  success: output => output,
  failure (error, route, debug) {
    const message = messageOf(error, route)
    const extra = isServiceError(error) ? error.extra : {}
    const status = statusOf(error)
    const body = { ...extra, status: 'error', message, reason: message }
    if (status < 500) return { status, body }
    return { status, body: { ...body, stacktrace: debug && error instanceof Error ? error.stack ?? '' : '' } }
  }
}
