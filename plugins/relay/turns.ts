import type { Peer } from '../printer-servers/index.js'
import { createRate } from './rate.js'

/** Commands of one client at a time. */
const MOST_RUNNING = 32
const PER_SECOND = 20
const BURST = 100

/** How many requests of each client are worked on, and how fast they may come. */
export function createTurns (now: () => number) {
  const rates = new WeakMap<Peer<unknown>, ReturnType<typeof createRate>>()
  const running = new WeakMap<Peer<unknown>, number>()

  const rateOf = (peer: Peer<unknown>) => {
    const rate = rates.get(peer) ?? createRate(now, PER_SECOND, BURST)
    rates.set(peer, rate)
    return rate
  }

  return {
    /** @returns false for one too many, which is not begun */
    take (peer: Peer<unknown>, work: () => Promise<void>): boolean {
      const busy = running.get(peer) ?? 0
      if (busy >= MOST_RUNNING || !rateOf(peer)()) return false
      running.set(peer, busy + 1)
      void work().finally(() => running.set(peer, (running.get(peer) ?? 1) - 1))
      return true
    }
  }
}
