import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** What a request says of where it comes from. */
export interface RequestOrigin {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`, sent by browsers. */
  readonly site: string | undefined
  /** The request changes something. */
  readonly writes: boolean
}

export interface OriginRules {
  readonly allowedHosts: readonly string[]
  readonly corsOrigins: readonly string[]
}

export type OriginVerdict =
  | { readonly allowed: true, readonly cors?: string }
  | { readonly allowed: false, readonly reason: string }

/** As the network knows it: whole, without its domain, and by multicast DNS. No other `.local` name is ours. */
function namesOf (machine: string): string[] {
  const [first = ''] = machine.split('.')
  return [machine, first, `${first}.local`]
}

const OWN_NAMES = new Set(namesOf(hostname().toLowerCase()))

/** Remembers the last answer, as nearly every request asks the same. Only for what depends on the text alone. */
export function forTheSame<T> (answer: (text: string) => T): (text: string) => T {
  let last: { readonly text: string, readonly value: T } | undefined
  return text => {
    if (last?.text !== text) last = { text, value: answer(text) }
    return last.value
  }
}

/** The name part of a Host header: without port, IPv6 without brackets. */
export const hostName = forTheSame((header: string): string =>
  header.toLowerCase().replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''))

/** A name or address that never leaves this machine. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (name.startsWith('127.') && isIP(name) === 4)

/** A name that the network has for this machine. */
export const isOwnName = (name: string): boolean => OWN_NAMES.has(name)

/**
 * Names that no foreign web page can point at this service: addresses, this machine's own names, and what the
 * operator lists. A page that rebinds its own domain to our address still says its own name.
 */
function isOwnHost (name: string, { allowedHosts }: OriginRules): boolean {
  return isIP(name) !== 0 || isLoopbackName(name) || isOwnName(name) ||
    allowedHosts.some(allowed => allowed.toLowerCase() === name)
}

/** The last host that passed by rules: nearly every request names the same one. */
const passed = new WeakMap<OriginRules, string>()

function isKnownHost (host: string, rules: OriginRules): boolean {
  if (passed.get(rules) === host) return true
  if (!isOwnHost(hostName(host), rules)) return false
  passed.set(rules, host)
  return true
}

/** Decides whether a request may be answered at all, and which other site may read the answer. */
export function checkOrigin ({ host, origin, site, writes }: RequestOrigin, rules: OriginRules): OriginVerdict {
  if (host === undefined || !isKnownHost(host, rules)) {
    return { allowed: false, reason: `Host '${host ?? ''}' is not allowed; add it to PRN_ALLOWED_HOSTS if it is yours` }
  }
  if (origin !== undefined) {
    if (rules.corsOrigins.includes(origin)) return { allowed: true, cors: origin }
    if (!isSameSite(origin, host)) {
      return { allowed: false, reason: `Origin '${origin}' is not allowed; add it to PRN_CORS_ORIGINS if it is yours` }
    }
  }
  if (writes && site === 'cross-site') {
    return { allowed: false, reason: 'Another web site may not change anything here' }
  }
  return { allowed: true }
}

function isSameSite (origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host.toLowerCase()
  } catch {
    return false // 'null' and whatever else is no address
  }
}
