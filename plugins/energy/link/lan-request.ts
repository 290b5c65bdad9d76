import { lookup, type LookupAddress } from 'node:dns'
import { request } from 'node:http'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { timeoutSignal, wordsOfFailure } from '../../../core/index.js'

/** Addresses of the own network: a plug is never elsewhere, and no name may lead out of it. */
const LOCAL = new BlockList()
for (const [network, bits] of [['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['127.0.0.0', 8], ['100.64.0.0', 10]] as const) {
  LOCAL.addSubnet(network, bits, 'ipv4')
}
LOCAL.addSubnet('fc00::', 7, 'ipv6')
LOCAL.addSubnet('::1', 128, 'ipv6')

const MOST_BYTES = 32_768
const WITHIN_MS = 5_000

export const isLocal = (address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && LOCAL.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

export class NotLocal extends Error {
  constructor (host: string) { super(`'${host}' is not on the local network`) }
}

/** Looks up a name, and refuses what leads out of the local network, also if it changes after a check. */
const localOnly: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0)
    const local = (found as LookupAddress[]).filter(({ address }) => isLocal(address))
    const [first] = local
    if (first === undefined) return done(new NotLocal(host), '', 0)
    return options.all === true ? done(null, local) : done(null, first.address, first.family)
  })
}

export interface LanAnswer { readonly status: number, readonly text: string, readonly challenge: string }

export interface LanRequest {
  /** Host, with a port unless it is 80. */
  readonly host: string
  /** Path with query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON by POST. */
  readonly body?: string
}

/**
 * One request to a device on the local network: its size and time are bounded, and redirects are not followed.
 * @throws Error with words for people
 */
export function lanRequest ({ host, path, headers = {}, body }: LanRequest, signal: AbortSignal): Promise<LanAnswer> {
  const address = new URL(`http://${host}`)
  const name = address.hostname.replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0 && !isLocal(name)) return Promise.reject(new NotLocal(name))
  const within = AbortSignal.any([signal, timeoutSignal(WITHIN_MS)])
  return new Promise<LanAnswer>((resolve, reject) => {
    const sent = request({
      host: name,
      port: address.port === '' ? 80 : Number(address.port),
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) },
      lookup: localOnly,
      agent: false,
      signal: within
    }, response => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MOST_BYTES) return response.destroy(new Error('its answer is too long for a plug'))
        chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => resolve({
        status: response.statusCode ?? 0,
        text: Buffer.concat(chunks).toString(),
        challenge: response.headers['www-authenticate'] ?? ''
      }))
    })
    sent.on('error', reject)
    sent.end(body)
  }).catch((error: Error) => {
    if (signal.aborted) throw signal.reason
    throw new Error(within.aborted ? `it does not answer within ${WITHIN_MS / 1_000} s` : wordsOfFailure(error))
  })
}
