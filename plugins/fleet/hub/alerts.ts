import type { ConsumerMessages, JetStreamClient } from '@nats-io/jetstream'
import type { Alert } from '../../alerts/index.js'
import { placeIn } from '../names.js'
import { verifyMessage } from '../signed-message.js'
import { AlertEvent, checked } from '../types.js'
import { placeName } from './directory.js'
import type { NodeKeys } from './node-keys.js'

/** How far back alerts from before the start of this service are read. */
const HISTORY_MS = 86_400_000
const MOST_JOURNALS = 10_000
/** A node sends in order, but alerts that the servers have lost arrive late, when they are sent again. */
const MOST_MISSING = 200

/** The last number of a journal, and the missing ones before it. */
interface Seen { readonly last: number, readonly missing: Set<number> }

function advance ({ last, missing }: Seen, number: number): Seen {
  for (let skipped = Math.max(last + 1, number - MOST_MISSING); skipped < number; skipped++) missing.add(skipped)
  for (const oldest of missing) {
    if (missing.size <= MOST_MISSING) break
    missing.delete(oldest)
  }
  return { last: Math.max(last, number), missing }
}

/** On these the library tries to continue by itself, which never succeeds with a restarted server. */
const BROKEN = /^(consumer_not_found|consumer_deleted|heartbeats_missed|stream_not_found|reset)$/

export interface AlertFollower {
  readonly events: JetStreamClient
  /** Name of the stream of alerts. */
  readonly stream: string
  readonly keys: Pick<NodeKeys, 'mayBe'>
  /** Display name of a node's printer at this hub. */
  readonly nameOf: (place: string, printer: string) => string
  /** Uptime of this service by a monotonic clock. */
  readonly ageMs: () => number
  readonly deliver: (alert: Alert, isNew: boolean) => void
  /** Delay from a gap in the numbers of a node to the next reading. @default 5 s */
  readonly rereadMs?: number
}

const REREAD_MS = 5_000

/**
 * Delivers every alert once, in the order of the stream. Each run continues where the previous one ended.
 *
 * Servers that fell back to an older state give new alerts sequence numbers that this hub has already read, so it would
 * skip them. A gap in the numbers of a node reveals that; it ends the run, and the next one reads everything again.
 * @returns one run, which ends when the servers have lost its consumer
 */
export function followAlerts (options: AlertFollower): () => Promise<void> {
  const { events, stream, keys, nameOf, ageMs, deliver, rereadMs = REREAD_MS } = options
  const seen = new Map<string, Seen>()
  let current: ConsumerMessages | undefined
  let rereading: NodeJS.Timeout | undefined

  function reread (): void {
    rereading ??= setTimeout(() => {
      rereading = undefined
      current?.stop()
    }, rereadMs).unref()
  }

  function take (subject: string, bytes: Uint8Array, isNew: boolean): void {
    const place = placeName(placeIn(subject, 3))
    const verified = verifyMessage(bytes, subject, publicKey => keys.mayBe(place, publicKey))
    const event = verified && checked(AlertEvent, verified.content)
    if (event === undefined) return
    const { number, alert } = event
    const journal = `${place} ${event.journal}`
    const known = seen.get(journal)
    const before = known ?? { last: 0, missing: new Set() }
    if (number <= before.last && !before.missing.delete(number)) return
    if (known !== undefined && number > known.last + 1) reread()
    seen.delete(journal)
    seen.set(journal, advance(before, number))
    const [oldest] = seen.keys()
    if (seen.size > MOST_JOURNALS && oldest !== undefined) seen.delete(oldest)
    deliver(Object.freeze({ ...alert, printer: nameOf(place, alert.printer) }), isNew)
  }

  async function endWhenBroken (messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) if (BROKEN.test(type)) messages.stop()
  }

  return async () => {
    const consumer = await events.consumers.get(stream, {
      deliver_policy: 'by_start_time', opt_start_time: new Date(Date.now() - ageMs() - HISTORY_MS).toISOString()
    })
    // Alerts carry the servers' time, so the start is derived from their clock too: our own may be wrong.
    const { created } = await consumer.info(true)
    const startedAt = Date.parse(created) - ageMs()
    const messages = await consumer.consume()
    current = messages
    void endWhenBroken(messages)
    for await (const { subject, data, time } of messages) take(subject, data, time.getTime() >= startedAt)
  }
}
