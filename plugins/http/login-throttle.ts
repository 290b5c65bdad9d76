import { networkOf } from '../../core/index.js'

/** Counts failed logins by address, against guessing. */
export interface LoginThrottle {
  count (address: string): void
  /** Seconds until this address may try again; 0 if it may now. */
  waitS (address: string): number
}

export interface LoginThrottleOptions {
  readonly most: number
  readonly windowMs: number
  /** Monotonic clock, ms. */
  readonly now: () => number
}

/** Bounds the memory against forged addresses: above this number, the oldest are dropped. */
const MOST_ADDRESSES = 10_000

export function createLoginThrottle ({ most, windowMs, now }: LoginThrottleOptions): LoginThrottle {
  const seen = new Map<string, { since: number, count: number }>()

  return {
    count (address) {
      const key = networkOf(address)
      const entry = seen.get(key)
      if (entry !== undefined && now() - entry.since < windowMs) {
        entry.count++
        return
      }
      seen.delete(key) // moves it to the end
      seen.set(key, { since: now(), count: 1 })
      const [oldest] = seen.keys()
      if (seen.size > MOST_ADDRESSES && oldest !== undefined) seen.delete(oldest)
    },
    waitS (address) {
      const entry = seen.get(networkOf(address))
      if (entry === undefined || entry.count < most) return 0
      return Math.max(0, Math.ceil((entry.since + windowMs - now()) / 1000))
    }
  }
}
