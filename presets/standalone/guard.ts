import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defineError } from '../../core/index.js'

export const WriteRefused = defineError<[reason: string]>('PRN_ERR_WRITE_REFUSED', '%s', 403)

export interface WriteRules {
  /** Browsers must prove that a page of ours asks. */
  readonly strict: boolean
  /** Origins of other sites that may write. */
  readonly corsOrigins: readonly string[]
}

type Headers = FastifyRequest['headers']

const one = (value: string | string[] | undefined): string => [value].flat()[0] ?? ''

function originOf (address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}

const isAhead = (headers: Headers): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some(name => one(headers[name]).includes('prefetch'))

/** Browsers say one of these; scripts and command-line programs say none unless told to. */
const isBrowser = (headers: Headers): boolean =>
  one(headers['user-agent']).startsWith('Mozilla/') || headers.origin !== undefined || headers.referer !== undefined ||
  Object.keys(headers).some(name => name.startsWith('sec-fetch-'))

/**
 * Writes are plain GET requests here, which any web page can make a browser send with an image or a link. Hosts and
 * the `Origin` header are looked at elsewhere; an image sends none, but says where it stands in other ways.
 * @returns why a write is refused, or undefined
 */
export function refusalOf (headers: Headers, { strict, corsOrigins }: WriteRules): string | undefined {
  if (isAhead(headers)) return 'A browser may not change anything ahead of its user'
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

/** Looks at every request that changes something, whatever its method. */
export function guardWrites (app: FastifyInstance, rules: WriteRules): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const { face } = request.routeOptions.config
    const reads = face === undefined ? ['GET', 'HEAD', 'OPTIONS'].includes(request.method) : face.operation.effect === 'read'
    const refusal = reads ? undefined : refusalOf(request.headers, rules)
    next(refusal === undefined ? undefined : new WriteRefused(refusal))
  })
}
