import type { FastifyInstance } from 'fastify'
import { Type, type Static } from 'typebox'
import { TooManyFromAddress, TooManyRequests } from './errors.js'
import { isOwnMachine } from './caller.js'
import { API_PREFIX, networkOf } from '../../core/index.js'

const WINDOW_MS = 60_000

const PerMinute = (most: number, what: string) =>
  Type.Integer({ minimum: 0, default: most, description: `${what} per minute and address; 0 for no limit` })

/** Several programs that poll every second stay far below these. */
export const LimitOptions = Type.Object({
  analysis: PerMinute(300, 'Analyses of the running job'),
  pictures: PerMinute(1200, 'Snapshots'),
  uploads: PerMinute(300, 'Files to the SD card'),
  archives: PerMinute(600, 'Reads of 3MF files'),
  catalogue: PerMinute(600, 'Reads of the filament catalogue')
}, { default: {}, additionalProperties: false })

type Kind = keyof Static<typeof LimitOptions>

/** Routes that are much more expensive than others for the service or the printer. */
const COSTLY: Readonly<Record<string, Kind>> = {
  '/analyze_active_job': 'analysis',
  '/snapshot': 'pictures',
  '/upload_file_to_printer': 'uploads',
  '/upload_file_to_host': 'uploads',
  '/get_3mf_props_for_file': 'archives',
  '/get_all_3mf_props_for_file': 'archives',
  '/filament_catalog': 'catalogue'
}

const kindOf = (url: string): Kind | undefined =>
  url.startsWith(API_PREFIX) ? COSTLY[url.slice(API_PREFIX.length)] : undefined

/** Whether the route at a URL is rate-limited. */
export const isLimited = (limits: Static<typeof LimitOptions>) => (url: string): boolean => {
  const kind = kindOf(url)
  return kind !== undefined && limits[kind] > 0
}

/** Applies to routes added afterwards, by any plugin. */
export async function installLimits (app: FastifyInstance, limits: Static<typeof LimitOptions>): Promise<void> {
  const { default: rateLimit } = await import('@fastify/rate-limit') // users of this module's types need not load it
  app.addHook('onRoute', route => {
    const kind = kindOf(route.url)
    const max = kind === undefined ? 0 : limits[kind]
    if (max > 0) route.config = { ...route.config, rateLimit: { max, timeWindow: WINDOW_MS } }
  })
  await app.register(rateLimit, {
    global: false,
    addHeaders: QUIET,
    addHeadersOnExceeding: QUIET,
    errorResponseBuilder (_request, { max, ttl }) {
      const waitS = Math.max(1, Math.ceil(ttl / 1000))
      return new TooManyRequests(max, waitS).with({ retry_after: waitS })
    }
  })
}

/** The error contains this information. */
const QUIET = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false, 'retry-after': false }

/** One remote address may have at most this fraction of all connections: 1/4. */
const ADDRESS_PART = 4
/** This fraction of all connections is reserved for local programs: 1/8. */
const LOCAL_PART = 8

interface ReachedLimit<T> {
  /** The limit of one address, of all remote addresses together, or of all. */
  readonly of: 'address' | 'remote' | 'all'
  readonly members: readonly T[]
}

/** The limit for one remote address. */
const shareOf = (most: number): number => Math.max(1, Math.floor(most / ADDRESS_PART))

/**
 * The limit that a new connection from an address would exceed, with the connections that count towards it; undefined
 * if there is none. Local addresses have no limit of their own, since a local proxy may act for many clients.
 * @param present the open connections, without the new one
 */
export function connectionLimitReached<T extends { readonly address: string }> (address: string,
  present: readonly T[], most: number): ReachedLimit<T> | undefined {
  if (!isOwnMachine(address)) {
    const network = networkOf(address)
    const same = present.filter(other => networkOf(other.address) === network)
    if (same.length >= shareOf(most)) return { of: 'address', members: same }
    const remote = present.filter(other => !isOwnMachine(other.address))
    if (remote.length >= Math.max(1, most - Math.ceil(most / LOCAL_PART))) return { of: 'remote', members: remote }
  }
  return present.length >= most ? { of: 'all', members: present } : undefined
}

/** Open connections with their addresses. */
type Present = readonly { readonly address: string }[]

/**
 * @param present the open connections, without the new one
 * @param full the error if a limit of the service, not of the address, is reached
 * @throws PRN_ERR_TOO_MANY_FROM_ADDRESS if the limit of the address is reached, or `full`
 */
export function checkRoom (address: string, present: Present, most: number, full: () => Error): void {
  const reached = connectionLimitReached(address, present, most)
  if (reached?.of === 'address') throw new TooManyFromAddress(shareOf(most))
  if (reached) throw full()
}
