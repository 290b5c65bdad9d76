import type { TSchema } from 'typebox'
import { isServiceError, sentenceOf, type Route, type AnyErrorClass } from '../../core/index.js'

/** A kind of failure, as in the API description. */
export type Failing = Pick<AnyErrorClass, 'code' | 'statusCode'>

/** How an HTTP interface represents success and failure. */
export interface Dialect {
  /** There is a single printer and no `printer` parameter. */
  readonly onePrinter?: boolean
  /** How the API description represents failures; by default like the daemon. */
  readonly described?: {
    statusOf (failing: Failing): number
    readonly body: TSchema
  }
  success (output: unknown, route: Route): unknown
  failure (error: unknown, route: Route | undefined, debug: boolean): { status: number, body: unknown }
}

/** Last part of a route's path, by which callers know it. */
export const routeName = (route: Route): string => route.path.split('/').pop() ?? ''

export const daemonDialect: Dialect = {
  success: output => output,
  failure (error, route, debug) {
    if (isServiceError(error)) {
      const reason = sentenceOf(error, route && routeName(route))
      const spoken = route?.errors === 'text' && error.code !== 'PRN_ERR_NOT_CONNECTED'
      const slug = spoken ? reason : error.slug
      return { status: error.statusCode, body: { status: 'error', error: slug, reason, ...error.extra } }
    }
    const { statusCode, message, code } = error as { statusCode?: number, message?: string, code?: string }
    if (statusCode !== undefined && statusCode < 500) {
      return { status: statusCode, body: { status: 'error', error: clientSlug(statusCode, code), reason: message ?? '' } }
    }
    return { status: 500, body: unexpected(error, debug) }
  }
}

const CLIENT_SLUGS: Readonly<Record<number, string>> =
  { 403: 'forbidden', 404: 'not_found', 405: 'method_not_allowed', 413: 'too_large', 415: 'unsupported_media_type', 429: 'too_many_requests' }
const clientSlug = (status: number, code: string | undefined) =>
  CLIENT_SLUGS[status] ?? (code?.startsWith('FST_') ? 'bad_input' : code?.toLowerCase() ?? 'bad_input')

/** An unexpected error; its stack is included only at log level DEBUG. */
export function unexpected (error: unknown, debug: boolean) {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stacktrace = debug && error instanceof Error ? error.stack ?? '' : ''
  return { status: 'error', message: reason, reason, stacktrace }
}
