import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const NONCE_BYTES = 16
const TIME_BYTES = 8
const MAC_BYTES = 32
const VALID_MS = 5 * 60_000

/** What a device signs. Nothing is stored when one is made, so asking for many takes no room; each is accepted once. */
export class Challenges {
  readonly #key = randomBytes(MAC_BYTES)
  readonly #now: () => number
  /** When those that were used end, ms since the epoch. */
  readonly #used = new Map<string, number>()

  constructor (now: () => number) { this.#now = now }

  /** @param purpose what it is for, and for whom */
  make (purpose: string): string {
    const time = Buffer.alloc(TIME_BYTES)
    time.writeBigUInt64BE(BigInt(this.#now() + VALID_MS))
    const head = Buffer.concat([randomBytes(NONCE_BYTES), time])
    return Buffer.concat([head, this.#macOf(head, purpose)]).toString('base64url')
  }

  /** Whether it was made here for this purpose within five minutes, and is taken for the first time. */
  take (challenge: string, purpose: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge) return false
    const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
    if (!timingSafeEqual(bytes.subarray(head.length), this.#macOf(head, purpose))) return false
    const now = this.#now()
    for (const [used, until] of this.#used) if (until <= now) this.#used.delete(used)
    const until = Number(head.readBigUInt64BE(NONCE_BYTES))
    if (until <= now || this.#used.has(challenge)) return false
    this.#used.set(challenge, until)
    return true
  }

  #macOf (head: Buffer, purpose: string): Buffer {
    return createHmac('sha256', this.#key).update(head).update(purpose).digest()
  }
}
