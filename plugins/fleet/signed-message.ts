import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto'

// Messages between hubs and nodes are signed with Ed25519. A signed message consists of a version, the sender's public
// key, the signature and the content, whose bytes are verified as received. The signature covers the subject too, so a
// message replayed on another subject is invalid.

const VERSION = 1
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const CONTENT_AT = 1 + KEY_BYTES + SIGNATURE_BYTES

/** Unpadded base64url of the 32 bytes, as in configurations and logs. */
export const PUBLIC_KEY_PATTERN = '^[A-Za-z0-9_-]{43}$'

/** The key pair of this service. */
export interface SigningKey {
  readonly publicKey: string
  readonly privateKey: KeyObject
}

export const signingKeyOf = (privateKey: KeyObject): SigningKey =>
  ({ privateKey, publicKey: createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '' })

/** A subject has no line break, so content cannot pass for a part of it. */
const covered = (subject: string, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`prnd fleet ${VERSION}\n${subject}\n`), content])

export function signMessage (key: SigningKey, subject: string, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from([VERSION]),
    Buffer.from(key.publicKey, 'base64url'),
    sign(null, covered(subject, bytes), key.privateKey),
    bytes
  ])
}

/** A message with a verified sender. */
export interface Verified { readonly publicKey: string, readonly content: Buffer }

/**
 * @param isAccepted called before the signature is verified, which costs far more
 * @returns undefined for a message that is not signed by an accepted key for this subject
 */
export function verifyMessage (message: Uint8Array, subject: string, isAccepted: (publicKey: string) => boolean):
Verified | undefined {
  if (message.length < CONTENT_AT || message[0] !== VERSION) return undefined
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
  const publicKey = bytes.toString('base64url', 1, 1 + KEY_BYTES)
  if (!isAccepted(publicKey)) return undefined
  const content = bytes.subarray(CONTENT_AT)
  const signature = bytes.subarray(1 + KEY_BYTES, CONTENT_AT)
  const isProven = verify(null, covered(subject, content), publicKeyOf(publicKey), signature)
  return isProven ? { publicKey, content } : undefined
}

const publicKeyOf = (x: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
