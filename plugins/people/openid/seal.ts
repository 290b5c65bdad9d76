import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

export interface Seal {
  close (value: object): string
  /** @returns undefined for text not sealed with this key */
  open (text: string): unknown
}

/**
 * Encrypts the state of a login for a cookie that the browser can neither read nor change. Services with the same
 * secret can open each other's, so that a login may finish at another service than it started at.
 * @param secret without one, cookies are valid until the process ends
 */
export function createSeal (secret: string | undefined): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret ?? randomBytes(KEY_BYTES), '', 'prnd openid login', KEY_BYTES))

  return {
    close (value) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
      const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open (text) {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const text = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
        return JSON.parse(Buffer.concat(text).toString())
      } catch {
        return undefined
      }
    }
  }
}
