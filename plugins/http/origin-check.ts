import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** The origin of a request, as stated by its headers. */
export interface RequestOrigin {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`, sent by browsers. */
  readonly site: string | undefined
  /** The request changes something. */
  readonly writes: boolean
  /** The connection is encrypted by this service itself, not by a proxy. */
  readonly isEncrypted?: boolean
}

export interface OriginRules {
  readonly allowedHosts: readonly string[]
  readonly corsOrigins: readonly string[]
}

export type OriginVerdict =
  | { readonly allowed: true, readonly cors?: string }
  | { readonly allowed: false, readonly reason: string }

/** The names of this machine on the network: in full, without domain, and by multicast DNS. */
function namesOf (machine: string): string[] {
  const [first = ''] = machine.split('.')
  return [machine, first, `${first}.local`]
}

const OWN_NAMES = new Set(namesOf(hostname().toLowerCase()))

/** Caches the last result of a pure function, as nearly every request has the same input. */
export function cacheLast<T> (answer: (text: string) => T): (text: string) => T {
  let last: { readonly text: string, readonly value: T } | undefined
  return text => {
    if (last?.text !== text) last = { text, value: answer(text) }
    return last.value
  }
}

/** The host of a `Host` header: without the port and the brackets of IPv6. */
export const hostName = cacheLast((header: string): string =>
  header.toLowerCase().replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''))

/** A name or address of the loopback interface. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (name.startsWith('127.') && isIP(name) === 4)

/** A name of this machine on the network. */
export const isOwnName = (name: string): boolean => OWN_NAMES.has(name)

/**
 * Hosts that a foreign web page cannot use for this service: IP addresses, this machine's names, and those the operator
 * lists. Against DNS rebinding: a page that points its own domain to our address still sends its own name.
 */
function isOwnHost (name: string, { allowedHosts }: OriginRules): boolean {
  return isIP(name) !== 0 || isLoopbackName(name) || isOwnName(name) ||
    allowedHosts.some(allowed => allowed.toLowerCase() === name)
}

/** The last allowed host for each set of rules, as nearly every request has the same one. */
const passed = new WeakMap<OriginRules, string>()

function isKnownHost (host: string, rules: OriginRules): boolean {
  if (passed.get(rules) === host) return true
  if (!isOwnHost(hostName(host), rules)) return false
  passed.set(rules, host)
  return true
}

/** Decides whether a request is allowed, and which other origin may read the answer. */
export function checkOrigin (request: RequestOrigin, rules: OriginRules): OriginVerdict {
  const { host, origin, site, writes, isEncrypted = false } = request
  if (host === undefined || !isKnownHost(host, rules)) {
    return { allowed: false, reason: `Host '${host ?? ''}' is not allowed; add it to PRN_ALLOWED_HOSTS if it is yours` }
  }
  if (origin !== undefined) {
    if (rules.corsOrigins.includes(origin)) return { allowed: true, cors: origin }
    if (!isSameSite(origin, host, isEncrypted)) {
      return { allowed: false, reason: `Origin '${origin}' is not allowed; add it to PRN_CORS_ORIGINS if it is yours` }
    }
  }
  if (writes && site === 'cross-site') {
    return { allowed: false, reason: 'Another web site may not change anything here' }
  }
  return { allowed: true }
}

/** A page that came without encryption may have been changed on its way: it is foreign to the encrypted service. */
function isSameSite (origin: string, host: string, isEncrypted: boolean): boolean {
  try {
    const { protocol, host: from } = new URL(origin)
    return from === host.toLowerCase() && (!isEncrypted || protocol === 'https:')
  } catch {
    return false // 'null' or another value that is not a URL
  }
}
