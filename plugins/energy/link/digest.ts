import { createHash, randomBytes } from 'node:crypto'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const LONGEST_CHALLENGE = 1_024

/** A quoted or plain value of a challenge. */
function valueIn (challenge: string, name: string): string | undefined {
  for (const part of challenge.slice(0, LONGEST_CHALLENGE).replace(/^Digest /i, '').split(',')) {
    const at = part.indexOf('=')
    if (at < 0 || part.slice(0, at).trim().toLowerCase() !== name) continue
    return part.slice(at + 1).trim().replaceAll('"', '')
  }
  return undefined
}

/** Characters that could end the value that they stand in. */
const isPlain = (text: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e ]{1,200}$/.test(text)

export interface Login { readonly user: string, readonly password: string }

/**
 * The answer to a challenge of RFC 7616 with SHA-256, the only algorithm of Shelly.
 * @returns undefined for a challenge that cannot be answered
 */
export function digestOf (challenge: string, { method, path }: { readonly method: string, readonly path: string },
  { user, password }: Login, cnonce = randomBytes(8).toString('hex')): string | undefined {
  const realm = valueIn(challenge, 'realm')
  const nonce = valueIn(challenge, 'nonce')
  const isKnown = /^digest /i.test(challenge) && valueIn(challenge, 'algorithm')?.toUpperCase() === 'SHA-256'
  if (!isKnown || realm === undefined || nonce === undefined || !isPlain(realm) || !isPlain(nonce)) return undefined
  const count = '00000001'
  const secret = sha256(`${user}:${realm}:${password}`)
  const response = sha256(`${secret}:${nonce}:${count}:${cnonce}:auth:${sha256(`${method}:${path}`)}`)
  return `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${path}", algorithm=SHA-256, ` +
    `qop=auth, nc=${count}, cnonce="${cnonce}", response="${response}"`
}
