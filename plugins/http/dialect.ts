import type { TSchema } from 'typebox'
import { isServiceError, sentenceOf, type Route, type AnyErrorClass } from '../../core/index.js'

/** A kind of failure, as far as the description tells of it. */
export type Failing = Pick<AnyErrorClass, 'code' | 'statusCode'>

/** How one HTTP interface says success and failure. */
export interface Dialect {
  /** There is one printer, and no parameter that names it. */
  readonly onePrinter?: boolean
  /** How the API description shows failures; by default as the daemon answers them. */
  readonly described?: {
    statusOf (failing: Failing): number
    readonly body: TSchema
  }
  success (output: unknown, route: Route): unknown
  failure (error: unknown, route: Route | undefined, debug: boolean): { status: number, body: unknown }
}

/** Last part of a route's path: the name callers know it by. */
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

/** An error nobody foresaw; its stack is for the operator who debugs, not for the network. */
export function unexpected (error: unknown, debug: boolean) {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stacktrace = debug && error instanceof Error ? error.stack ?? '' : ''
  return { status: 'error', message: reason, reason, stacktrace }
}
