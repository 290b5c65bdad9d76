import { Type } from 'typebox'
import { BadConfig, readSecret, SecretReference } from '../../../core/index.js'

/** A secret in the configuration itself, or where it is found. */
export const SecretValue = (description: string) => Type.Union([
  Type.String({ minLength: 1 }), ...SecretReference.anyOf
], { title: 'a text in quotes, { "env": NAME } or { "file": PATH }', description })
export type SecretValue = string | SecretReference

/** Parts of an address that nobody has chosen for reading: keys. */
const LIKE_A_KEY = /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i

const keysIn = ({ pathname, searchParams, password }: URL): string[] =>
  [...pathname.split('/'), ...searchParams.values()].filter(part => LIKE_A_KEY.test(part)).concat(password || [])

export interface Secrets {
  secret (value: SecretValue, key: string): Promise<string>
  address (value: SecretValue, key: string): Promise<URL>
}

/** @param mask told of everything that must never be shown */
export function readsSecrets (where: string, mask: (secret: string) => void): Secrets {
  const read = async (value: SecretValue, key: string): Promise<string> =>
    typeof value === 'string' ? value : await readSecret(value, `${where}.${key}`)

  return {
    async secret (value, key) {
      const secret = await read(value, key)
      mask(secret)
      return secret
    },
    /** What the parser complains of would repeat the address. */
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
