import { randomUUID } from 'node:crypto'
import { VERSION } from '../../../core/index.js'
import type { Link } from '../connect.js'
import { signMessage, type SigningKey } from '../signature.js'
import type { Beat } from '../types.js'

/** Hubs take a node for gone after three that did not come. */
export const BEAT_MS = 2_000
/** A call that names an older beat has been on its way for too long. */
const OLDEST_BEATS = 5

/** Says every two seconds that this service is there. */
export interface Heart {
  /** Names this run of the process. */
  readonly run: string
  /** The beat is one of the last: nobody's clock but our own counts. */
  isRecent (beat: number): boolean
  /** What it says has changed. */
  tell (): void
  close (): void
}

export interface HeartOptions {
  readonly subject: string
  readonly signingKey: SigningKey
  readonly printers: () => number
  /** Public keys of those whose calls are done. */
  readonly hubs: () => readonly string[]
  /** ms of a clock that never jumps. */
  readonly steady?: () => number
}

export function startBeating (link: Pick<Link, 'connected' | 'nats' | 'onConnect'>,
  { subject, signingKey, printers, hubs, steady = () => performance.now() }: HeartOptions): Heart {
  const run = randomUUID()
  const startedAt = steady()
  /** Goes on by the clock, not by the timer: one that is late must not make old calls look new. */
  const numberNow = () => Math.floor((steady() - startedAt) / BEAT_MS)
  const tell = () => {
    if (!link.connected) return
    link.nats?.publish(subject, signMessage(signingKey, subject, JSON.stringify({
      run, number: numberNow(), printers: printers(), version: VERSION, hubs: [...hubs()]
    } satisfies Beat)))
  }
  link.onConnect(tell)
  const timer = setInterval(tell, BEAT_MS).unref()
  return {
    run,
    isRecent: beat => beat <= numberNow() && numberNow() - beat <= OLDEST_BEATS,
    tell,
    close: () => clearInterval(timer)
  }
}
