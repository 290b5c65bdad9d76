import { networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../core/index.js'
import { forTheSame, hostName, isLoopbackName, isOwnName } from './origin-check.js'

/** What proxies add. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-server',
  'x-real-ip', 'x-client-ip', 'forwarded', 'via', 'cf-connecting-ip', 'true-client-ip']

/** Without the zone of a link-local address and the prefix of an IPv4 address in an IPv6 socket. */
const plain = forTheSame((address: string): string =>
  address.toLowerCase().replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/, ''))

const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).flat().some(known => known !== undefined && plain(known.address) === address)

/** The address is one of this machine. */
export function isOwnMachine (address: string): boolean {
  const known = plain(address)
  return isLoopbackName(known) || isOwnAddress(known)
}

/**
 * The other end is a program of this very machine. Of a request that came through a proxy the address counts that a
 * proxy of `api.trustProxy` gives; from any other proxy it could be anybody. So could what comes over loopback under
 * another name than loopback's, or in the old version of the protocol that proxies speak unless told otherwise.
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

/** Host and port that a request asked for, unless that is this machine's loopback. Hosts are checked before routes. */
export function hostOf ({ headers: { host } }: FastifyRequest): string | undefined {
  return host === undefined || isLoopbackName(hostName(host)) ? undefined : host
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who showed credentials, where they are required. */
    identified?: Caller
    /** Where it comes from, once somebody has asked. */
    place?: 'local' | 'network'
  }
}

/** Who was let in, or where the request comes from where everybody is. */
export const callerOf = (request: FastifyRequest): Caller =>
  request.identified ?? (request.place ??= isFromHere(request) ? 'local' : 'network')
