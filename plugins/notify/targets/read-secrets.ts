import { Type } from 'typebox'
import { BadConfig, secretOf, type Secret } from '../../../core/index.js'

/** Parts of an address that look like a key. */
const LIKE_A_KEY = /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i

const keysIn = ({ pathname, searchParams, password }: URL): string[] =>
  [...pathname.split('/'), ...searchParams.values()].filter(part => LIKE_A_KEY.test(part)).concat(password || [])

export interface Secrets {
  secret (value: Secret, key: string): Promise<string>
  address (value: Secret, key: string): Promise<URL>
}

/** @param mask called for each text that must never be shown */
export function readsSecrets (where: string, mask: (secret: string) => void): Secrets {
  const read = (value: Secret, key: string): Promise<string> => secretOf(value, `${where}.${key}`)

  return {
    async secret (value, key) {
      const secret = await read(value, key)
      mask(secret)
      return secret
    },
    /** The parser's own error would contain the address. */
    async address (value, key) {
      const text = await read(value, key)
      const url = URL.canParse(text) ? new URL(text) : undefined
      if (url === undefined || !/^https?:$/.test(url.protocol)) {
        throw new BadConfig(`${where}.${key} must be an address that begins with http:// or https://`)
      }
      for (const part of keysIn(url)) mask(part)
      return url
    }
  }
}

export const Server = (initial: string) => Type.String({
  pattern: '^https?://', default: initial, description: 'Address of the server'
})
