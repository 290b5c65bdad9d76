import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** How a camera verifies the access code. */
export interface Authentication {
  /** Header that requests credentials; a new nonce invalidates the last one. */
  challenge (): string | readonly string[]
  /** The user, if the header proves knowledge of the code. */
  check (authorization: string | undefined, method: string, code: string): string | undefined
}

const REALM = 'LIVE555 Streaming Media'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** In a time that does not tell how much of them is the same. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const fieldsOf = (header: string): Record<string, string> =>
  Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))

export const newNonce = (): string => randomBytes(16).toString('hex')

/**
 * Digest authentication (RFC 2617) with MD5 and without `qop`.
 * @param makeNonce called for each challenge; may return the same nonce
 */
export function createDigest (makeNonce = newNonce): Authentication {
  let nonce = ''
  return {
    challenge () {
      nonce = makeNonce()
      return `Digest realm="${REALM}", nonce="${nonce}"`
    },
    check (authorization, method, code) {
      if (nonce === '' || !authorization?.startsWith('Digest ')) return undefined
      const { username = '', realm, nonce: used, uri = '', response = '' } = fieldsOf(authorization)
      if (realm !== REALM || used !== nonce) return undefined
      const expected = md5(`${md5(`${username}:${REALM}:${code}`)}:${nonce}:${md5(`${method}:${uri}`)}`)
      return isSame(response, expected) ? username : undefined
    }
  }
}

/** Basic authentication (RFC 7617). */
export const createBasic = (): Authentication => ({
  challenge: () => `Basic realm="${REALM}"`,
  check (authorization, _, code) {
    const text = Buffer.from(/^Basic (\S+)$/.exec(authorization ?? '')?.[1] ?? '', 'base64').toString()
    const colon = text.indexOf(':')
    return colon >= 0 && isSame(text.slice(colon + 1), code) ? text.slice(0, colon) : undefined
  }
})

/** Both; the client chooses. */
export function createEither (makeNonce = newNonce): Authentication {
  const both = [createDigest(makeNonce), createBasic()]
  return {
    challenge: () => both.flatMap(one => one.challenge()),
    check: (...shown) => both.map(one => one.check(...shown)).find(user => user !== undefined)
  }
}
