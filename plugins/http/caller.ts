import { networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../core/index.js'
import { cacheLast, hostName, isLoopbackName, isOwnName } from './origin-check.js'

/** Headers that proxies add. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-server',
  'x-real-ip', 'x-client-ip', 'forwarded', 'via', 'cf-connecting-ip', 'true-client-ip']

/** Without the zone of a link-local address and the prefix of an IPv4-mapped IPv6 address. */
const plain = cacheLast((address: string): string =>
  address.toLowerCase().replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/, ''))

const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).flat().some(known => known !== undefined && plain(known.address) === address)

export function isOwnMachine (address: string): boolean {
  const known = plain(address)
  return isLoopbackName(known) || isOwnAddress(known)
}

/**
 * Whether the client runs on this machine. Through a proxy, only the client address from a proxy in `api.trustProxy`
 * counts; behind any other proxy the client is unknown. The same is assumed for a loopback connection with another host
 * name, and for HTTP/1.0, the default of some proxies.
 */
export function isFromHere ({ headers, ip, socket, raw }: FastifyRequest): boolean {
  const peer = plain(socket.remoteAddress ?? '')
  if (FORWARDED.some(name => headers[name] !== undefined)) {
    const client = plain(ip)
    return client !== peer && isOwnAddress(client)
  }
  if (raw.httpVersion === '1.0') return false
  const host = hostName(headers.host ?? '')
  if (isLoopbackName(peer)) return isLoopbackName(host)
  return isOwnAddress(peer) && (isOwnName(host) || isLoopbackName(host) || isOwnAddress(host))
}

/**
 * The `Host` header, after `https://` on an encrypted connection, unless it is a loopback name. It has passed the host
 * check before any route runs.
 */
export function hostOf ({ protocol, headers: { host } }: FastifyRequest): string | undefined {
  if (host === undefined || isLoopbackName(hostName(host))) return undefined
  return protocol === 'https' ? `https://${host}` : host
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller, if credentials are required. */
    identified?: Caller
    /** Where the request comes from; determined on first use. */
    place?: 'local' | 'network'
  }
}

/** The authenticated caller, or else where the request comes from. */
export const callerOf = (request: FastifyRequest): Caller =>
  request.identified ?? (request.place ??= isFromHere(request) ? 'local' : 'network')
