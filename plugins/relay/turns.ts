import type { Peer } from '../printer-servers/index.js'
import type { Client } from './options.js'
import { createRate } from './rate.js'
import { readRequest, type Asked } from './requests.js'

/** Commands of one client at a time. */
const MOST_RUNNING = 32
const PER_SECOND = 20
const BURST = 100

/**
 * Has requests served, of each client so many at a time and no faster than this.
 * @param onTooMany told of a client whose request was dropped
 */
export function createTurns (now: () => number, serve: (asked: Asked, peer: Peer<Client>) => Promise<void>,
  onTooMany: (client: Client) => void) {
  const rates = new WeakMap<Peer<Client>, ReturnType<typeof createRate>>()
  const running = new WeakMap<Peer<Client>, number>()

  const rateOf = (peer: Peer<Client>) => {
    const rate = rates.get(peer) ?? createRate(now, PER_SECOND, BURST)
    rates.set(peer, rate)
    return rate
  }

  return (payload: Buffer, peer: Peer<Client>): void => {
    for (const asked of readRequest(payload)) {
      const busy = running.get(peer) ?? 0
      if (busy >= MOST_RUNNING || !rateOf(peer)()) return onTooMany(peer.who)
      running.set(peer, busy + 1)
      void serve(asked, peer).finally(() => running.set(peer, (running.get(peer) ?? 1) - 1))
    }
  }
}
