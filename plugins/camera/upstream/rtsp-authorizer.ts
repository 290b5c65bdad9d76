import { createHash, randomBytes } from 'node:crypto'
import { headersOf } from './rtsp-messages.js'

/** The authentication that a server asks for. */
export type Challenge = BasicChallenge | DigestChallenge
interface BasicChallenge { readonly scheme: 'basic' }
interface DigestChallenge {
  readonly scheme: 'digest'
  readonly hash: 'md5' | 'sha256'
  /** As the server spells it; undefined when it names none. */
  readonly algorithm: string | undefined
  readonly realm: string
  readonly nonce: string
  readonly qop: boolean
  readonly opaque: string | undefined
  /** The password may be right; only the nonce has expired. */
  readonly stale: boolean
}

/** Limit against slow matching of hostile input; real servers send less. */
const MOST_CHARS = 1_024

/** Parameters of a challenge, quoted or not. */
function fieldsOf (text: string): Map<string, string> {
  const found = text.slice(0, MOST_CHARS).matchAll(/([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]*))/gi)
  return new Map([...found].map(([, name = '', quoted, plain = '']) =>
    [name.toLowerCase(), (quoted?.replace(/\\(.)/g, '$1') ?? plain).replace(/[^ -~]/g, '')]))
}

const HASHES: Readonly<Record<string, 'md5' | 'sha256'>> = { '': 'md5', md5: 'md5', 'sha-256': 'sha256' }

function toDigest (offer: string): DigestChallenge | undefined {
  const fields = fieldsOf(offer)
  const algorithm = fields.get('algorithm')
  const hash = HASHES[algorithm?.toLowerCase() ?? '']
  const nonce = fields.get('nonce')
  return hash && nonce !== undefined
    ? {
        scheme: 'digest',
        hash,
        algorithm,
        realm: fields.get('realm') ?? '',
        nonce,
        qop: /(^|[\s,])auth($|[\s,])/i.test(fields.get('qop') ?? ''),
        opaque: fields.get('opaque'),
        stale: fields.get('stale')?.toLowerCase() === 'true'
      }
    : undefined
}

/** @returns the strongest supported scheme, undefined when there is none */
export function challengeOf (headers: readonly string[]): Challenge | undefined {
  // A server may offer several schemes in one header.
  const offers = headersOf(headers, 'WWW-Authenticate').flatMap(line => line.split(/,\s*(?=(?:digest|basic)\s)/i))
  const digests = offers.filter(offer => /^digest\s/i.test(offer)).flatMap(offer => toDigest(offer) ?? [])
  return digests.find(({ hash }) => hash === 'sha256') ?? digests[0] ??
    (offers.some(offer => /^basic(\s|$)/i.test(offer)) ? { scheme: 'basic' } : undefined)
}

interface Login { readonly user: string, readonly password: string }

/** Creates the Authorization of each request, with the request count for servers that ask for it. */
export function createAuthorizer (challenge: Challenge, login: Login): (method: string, uri: string) => string {
  let count = 0
  return (method, uri) => challenge.scheme === 'basic'
    ? `Authorization: Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
    : digestLine(challenge, login, { method, uri, count: (++count).toString(16).padStart(8, '0') })
}

const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

function digestLine ({ hash, algorithm, realm, nonce, qop, opaque }: DigestChallenge, { user, password }: Login,
  { method, uri, count }: { method: string, uri: string, count: string }): string {
  const digest = (text: string) => createHash(hash).update(text).digest('hex')
  const secret = digest(`${user}:${realm}:${password}`)
  const request = digest(`${method}:${uri}`)
  const client = randomBytes(8).toString('hex')
  const response = qop
    ? digest(`${secret}:${nonce}:${count}:${client}:auth:${request}`)
    : digest(`${secret}:${nonce}:${request}`)
  return `Authorization: Digest username=${quote(user)}, realm=${quote(realm)}, nonce=${quote(nonce)}, ` +
    `uri=${quote(uri)}, response="${response}"` +
    (algorithm === undefined ? '' : `, algorithm=${algorithm}`) +
    (qop ? `, qop=auth, nc=${count}, cnonce="${client}"` : '') +
    (opaque === undefined ? '' : `, opaque=${quote(opaque)}`)
}
