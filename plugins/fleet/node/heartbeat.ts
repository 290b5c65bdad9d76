import { randomUUID } from 'node:crypto'
import { VERSION } from '../../../core/index.js'
import type { Link } from '../link.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import { DRY_RUNS, type Heartbeat } from '../types.js'
import { countSuspends } from './suspend-clock.js'

/** After three missing heartbeats hubs consider a node gone. */
export const HEARTBEAT_MS = 2_000
/** A call that names an older heartbeat was in transit for too long. */
const MOST_MISSED = 5

/** Sends a heartbeat every two seconds. */
export interface HeartbeatSender {
  /** Identifies this run of the process. */
  readonly run: string
  /** Whether the heartbeat of this number is recent, by this node's own clock. */
  isRecent (number: number): boolean
  /** Sends one now, because its content has changed. */
  send (): void
  close (): void
}

export interface HeartbeatOptions {
  readonly subject: string
  readonly signingKey: SigningKey
  readonly printers: () => number
  /** Public keys of the hubs whose calls are accepted. */
  readonly hubs: () => readonly string[]
  /** Monotonic clock, ms. */
  readonly steady?: () => number
  /** ms since the epoch. */
  readonly wall?: () => number
}

export function startHeartbeat (link: Pick<Link, 'connected' | 'nats' | 'onConnect'>,
  { subject, signingKey, printers, hubs, steady = () => performance.now(), wall = Date.now }: HeartbeatOptions):
  HeartbeatSender {
  const run = randomUUID()
  const clock = countSuspends(steady, wall)
  const startedAt = clock()
  /** Counts by the clock, not the timer: a late timer must not make old calls look recent. */
  const numberNow = () => Math.floor((clock() - startedAt) / HEARTBEAT_MS)
  const send = () => {
    if (!link.connected) return
    link.nats?.publish(subject, signMessage(signingKey, subject, JSON.stringify({
      run, number: numberNow(), printers: printers(), version: VERSION, abilities: [DRY_RUNS], hubs: [...hubs()]
    } satisfies Heartbeat)))
  }
  link.onConnect(send)
  const timer = setInterval(send, HEARTBEAT_MS).unref()
  return {
    run,
    isRecent: number => number <= numberNow() && numberNow() - number <= MOST_MISSED,
    send,
    close: () => clearInterval(timer)
  }
}
