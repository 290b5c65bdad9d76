import { createHash, randomBytes } from 'node:crypto'
import { headerOf } from './rtsp-messages.js'

/** How a server wants to be shown the password. */
export type Challenge =
  | { readonly scheme: 'basic' }
  | { readonly scheme: 'digest', readonly realm: string, readonly nonce: string, readonly qop: boolean, readonly opaque?: string }

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const field = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="?([^",]*)"?`, 'i').exec(text)?.[1]

/** @returns the strongest scheme we speak, undefined when there is none */
export function challengeOf (headers: readonly string[]): Challenge | undefined {
  const offers = headers.filter(line => /^www-authenticate:/i.test(line)).map(line => line.slice(line.indexOf(':') + 1).trim())
  const digest = offers.find(offer => /^digest /i.test(offer) && /^(md5)?$/i.test(field(offer, 'algorithm') ?? ''))
  if (digest !== undefined) {
    const opaque = field(digest, 'opaque')
    return {
      scheme: 'digest',
      realm: field(digest, 'realm') ?? '',
      nonce: field(digest, 'nonce') ?? '',
      qop: /\bauth\b/.test(field(digest, 'qop') ?? ''),
      ...(opaque !== undefined && { opaque })
    }
  }
  return offers.some(offer => /^basic /i.test(offer)) ? { scheme: 'basic' } : undefined
}

interface Login { readonly user: string, readonly password: string }

/** The line that shows the password for one request. */
export function authorization (challenge: Challenge, { user, password }: Login, method: string, uri: string): string {
  if (challenge.scheme === 'basic') {
    return `Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }
  const { realm, nonce, qop, opaque } = challenge
  const secret = md5(`${user}:${realm}:${password}`)
  const request = md5(`${method}:${uri}`)
  const client = randomBytes(8).toString('hex')
  const response = qop
    ? md5(`${secret}:${nonce}:00000001:${client}:auth:${request}`)
    : md5(`${secret}:${nonce}:${request}`)
  return `Authorization: Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${uri}", ` +
    `response="${response}"${qop ? `, qop=auth, nc=00000001, cnonce="${client}"` : ''}` +
    (opaque === undefined ? '' : `, opaque="${opaque}"`)
}

/** True for the answer that asks for the password. */
export const asksForPassword = (start: string): boolean => / 401(\s|$)/.test(start)

export const sequenceOf = (headers: readonly string[]): string | undefined => headerOf(headers, 'CSeq')
