import type { Peer } from '../printer-servers/index.js'
import type { Client } from './options.js'
import { createRate } from './rate.js'
import { readRequest, type ClientRequest } from './requests.js'

/** Concurrent commands of one client. */
const MOST_RUNNING = 32
const PER_SECOND = 20
const BURST = 100

/**
 * Serves requests within a limit of rate and concurrency for each client.
 * @param onTooMany called for each dropped request
 */
export function createThrottle (now: () => number, serve: (request: ClientRequest, peer: Peer<Client>) => Promise<void>,
  onTooMany: (client: Client) => void) {
  const rates = new WeakMap<Peer<Client>, ReturnType<typeof createRate>>()
  const running = new WeakMap<Peer<Client>, number>()

  const rateOf = (peer: Peer<Client>) => {
    const rate = rates.get(peer) ?? createRate(now, PER_SECOND, BURST)
    rates.set(peer, rate)
    return rate
  }

  return (payload: Buffer, peer: Peer<Client>): void => {
    for (const request of readRequest(payload)) {
      const busy = running.get(peer) ?? 0
      if (busy >= MOST_RUNNING || !rateOf(peer)()) return onTooMany(peer.who)
      running.set(peer, busy + 1)
      void serve(request, peer).finally(() => running.set(peer, (running.get(peer) ?? 1) - 1))
    }
  }
}
