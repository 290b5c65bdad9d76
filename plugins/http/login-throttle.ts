import { networkOf } from '../../core/index.js'

/** Counts what went wrong, by address, so that nobody guesses for long. */
export interface LoginThrottle {
  count (address: string): void
  /** Seconds until this address may try again; 0 when it may. */
  waitS (address: string): number
}

export interface LoginThrottleOptions {
  readonly most: number
  readonly windowMs: number
  /** ms of a clock that nobody sets. */
  readonly now: () => number
}

/** More addresses than this belong to somebody who invents them: the oldest are forgotten. */
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
      seen.delete(key) // to the end of the order
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
