import { createHash, randomBytes } from 'node:crypto'

/** Digest authentication (RFC 2617) with MD5 and without `qop`. */
export interface Digest {
  /** Header that asks for credentials; each one makes the last void. */
  challenge (): string
  /** The user that the header proves to know the code, if it does. */
  check (authorization: string | undefined, method: string, code: string): string | undefined
}

const REALM = 'LIVE555 Streaming Media'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

const fieldsOf = (header: string): Record<string, string> =>
  Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))

export function createDigest (): Digest {
  let nonce = ''
  return {
    challenge () {
      nonce = randomBytes(16).toString('hex')
      return `Digest realm="${REALM}", nonce="${nonce}"`
    },
    check (authorization, method, code) {
      if (nonce === '' || !authorization?.startsWith('Digest ')) return undefined
      const { username = '', realm, nonce: used, uri = '', response } = fieldsOf(authorization)
      if (realm !== REALM || used !== nonce) return undefined
      const expected = md5(`${md5(`${username}:${REALM}:${code}`)}:${nonce}:${md5(`${method}:${uri}`)}`)
      return response === expected ? username : undefined
    }
  }
}
