import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { timeoutSignal, wordsOfFailure } from '../../core/index.js'
import { isPublicAddress } from './public-address.js'

const MOST_BYTES = 10_240
const MOST_MS = 5_000
const MOST_CHARS = 300
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

type Address = Awaited<ReturnType<typeof lookup>>

/** For tests: how names are looked up, and what counts as public. */
export interface DocumentDeps {
  readonly resolve?: (host: string) => Promise<Address[]>
  readonly isPublic?: (address: string) => boolean
  /** Certificate of the authority, PEM. */
  readonly ca?: string
  readonly port?: number
  readonly mostMs?: number
}

/** @returns why no document is fetched from an address; undefined for one that may be asked */
export function documentUrlProblem (text: string): string | undefined {
  if (text.length > MOST_CHARS || !URL.canParse(text)) return 'it is not an address'
  const { protocol, hostname, pathname, port, username, password, href } = new URL(text)
  if (protocol !== 'https:' || port !== '' || username + password !== '' || text.includes('#')) return 'it is not a plain https:// address'
  if (href !== text || pathname === '/') return 'it is not written in full'
  if (isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.')) return 'it names no host of the Internet'
  return undefined
}

const allOf = (host: string): Promise<Address[]> => lookup(host, { all: true, verbatim: true })

/** All addresses of a name must be public: an attacker's name may have one of each. */
async function publicAddressesOf (host: string, deps: DocumentDeps): Promise<Address[]> {
  const { resolve = allOf, isPublic = isPublicAddress } = deps
  const addresses = await resolve(host)
  if (addresses.length === 0) throw new Error('it has no address')
  if (!addresses.every(({ address }) => isPublic(address))) throw new Error('it is not a host of the Internet')
  return addresses
}

async function textOf (response: IncomingMessage): Promise<string> {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new Error(`it answered ${statusCode}`)
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw new Error('it did not answer with JSON')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MOST_BYTES) throw new Error(`its answer is larger than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const send = (url: URL, addresses: Address[], { ca, port }: DocumentDeps, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const [first] = addresses
    // The addresses that were checked are those that are connected to: a second look-up could have another answer.
    const pinned: LookupFunction = (_host, { all }, done) => all === true
      ? done(null, addresses)
      : done(null, first?.address ?? '', first?.family)
    request(url, {
      agent: false,
      lookup: pinned,
      signal,
      headers: { accept: 'application/json', 'user-agent': 'prnd' },
      ...(ca !== undefined && { ca }),
      ...(port !== undefined && { port })
    }, resolve).on('error', reject).end()
  })

/**
 * Fetches a JSON document that a stranger named, from the Internet only: never from this machine or its network,
 * without redirects, with limits of size and time.
 * @throws Error with the reason
 */
export async function fetchDocument (address: string, deps: DocumentDeps = {}): Promise<unknown> {
  const problem = documentUrlProblem(address)
  if (problem !== undefined) throw new Error(problem)
  const url = new URL(address)
  const signal = timeoutSignal(deps.mostMs ?? MOST_MS)
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => { reject(new Error('it did not answer in time')) }, { once: true })
  })
  const work = async (): Promise<unknown> => {
    const response = await send(url, await publicAddressesOf(url.hostname, deps), deps, signal)
    try {
      return JSON.parse(await textOf(response))
    } finally {
      response.destroy()
    }
  }
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    throw new Error(error instanceof SyntaxError ? 'it did not answer with JSON' : wordsOfFailure(error), { cause: error })
  }
}
