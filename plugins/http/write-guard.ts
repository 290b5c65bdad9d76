import type { IncomingHttpHeaders } from 'node:http'
import { defineError } from '../../core/index.js'
import { hostName, isLoopbackName } from './origin-check.js'

export const WriteRefused = defineError<[reason: string]>('PRN_ERR_WRITE_REFUSED', '%s', 403)

export interface WriteRules {
  /** Browsers must prove that the request comes from one of our pages. */
  readonly strict: boolean
  /** Other origins that may write. */
  readonly corsOrigins: readonly string[]
}

const one = (value: string | string[] | undefined): string => [value].flat()[0] ?? ''

function originOf (address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}

const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some(name => one(headers[name]).includes('prefetch'))

/** Browsers send one of these; scripts and command-line programs do not by default. */
const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  one(headers['user-agent']).startsWith('Mozilla/') || headers.origin !== undefined || headers.referer !== undefined ||
  Object.keys(headers).some(name => name.startsWith('sec-fetch-'))

/** Browsers send `Sec-Fetch-Site` only to trustworthy origins: loopback and TLS. */
export const isLoopbackHost = (headers: IncomingHttpHeaders): boolean => isLoopbackName(hostName(headers.host ?? ''))

/**
 * A write by GET can be caused by an image or a link in any web page. Hosts and the `Origin` header are checked
 * elsewhere; images do not send `Origin`, but other headers reveal where they come from.
 * @returns why a write is refused, or undefined
 */
export function refusalOf (headers: IncomingHttpHeaders, { strict, corsOrigins }: WriteRules): string | undefined {
  if (isPrefetch(headers)) return 'A browser may not change anything by prefetching'
  const site = one(headers['sec-fetch-site'])
  const host = one(headers.host).toLowerCase()
  const from = originOf(one(headers.origin)) ?? originOf(one(headers.referer))
  const isListed = from !== undefined && corsOrigins.includes(from)
  const isOwn = from !== undefined && new URL(from).host === host
  if (isListed) return undefined
  if (site === 'same-site' || site === 'cross-site') return 'Another web site may not change anything here'
  if (from !== undefined && !isOwn) return `A page of ${from} may not change anything here; add it to PRN_CORS_ORIGINS if it is yours`
  const isProven = site === 'same-origin' || isOwn || headers.authorization !== undefined
  return strict && isBrowser(headers) && !isProven ? 'In strict mode only pages of this application may change anything' : undefined
}
