import type { ConsumerMessages, JetStreamClient } from '@nats-io/jetstream'
import type { Alert } from '../../alerts/index.js'
import { placeIn } from '../names.js'
import { verifyMessage } from '../signature.js'
import { AlertEvent, checked } from '../types.js'
import { placeName } from './directory.js'
import type { NodeKeys } from './node-keys.js'

/** What was raised before this service started is history. */
const HISTORY_MS = 86_400_000
const MOST_JOURNALS = 10_000
/** A node sends in order; what the servers have lost comes late, as it is sent once more. */
const MOST_MISSING = 200

/** Of a journal: its last number, and those before it that have not come. */
interface Seen { readonly last: number, readonly missing: Set<number> }

function advance ({ last, missing }: Seen, number: number): Seen {
  for (let skipped = Math.max(last + 1, number - MOST_MISSING); skipped < number; skipped++) missing.add(skipped)
  for (const oldest of missing) {
    if (missing.size <= MOST_MISSING) break
    missing.delete(oldest)
  }
  return { last: Math.max(last, number), missing }
}

/** After these the library tries to go on by itself, and against a server that was restarted it never does. */
const BROKEN = /^(consumer_not_found|consumer_deleted|heartbeats_missed|stream_not_found|reset)$/

export interface AlertFollower {
  readonly events: JetStreamClient
  /** Name of the stream that keeps them. */
  readonly stream: string
  readonly keys: Pick<NodeKeys, 'mayBe'>
  /** What a node's printer is called here. */
  readonly nameOf: (place: string, printer: string) => string
  /** Since when this service has been running, by a clock that never jumps. */
  readonly ageMs: () => number
  readonly deliver: (alert: Alert, isNew: boolean) => void
  /** From a gap in the numbers of a node to the next reading. @default 5 s */
  readonly rereadMs?: number
}

const REREAD_MS = 5_000

/**
 * Passes on every alert once, in the order in which the fleet has it. Each run goes on where the one before ended.
 *
 * Servers that fell back to an older state give new alerts places that this hub has read already, so it would pass them
 * over. The numbers of a node show that: a gap ends the run, and the next one reads everything again.
 * @returns one run, which ends when the servers no longer know of it
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
    // Alerts carry the time of the servers, and so does what they have just made: our own clock may be wrong.
    const { created } = await consumer.info(true)
    const startedAt = Date.parse(created) - ageMs()
    const messages = await consumer.consume()
    current = messages
    void endWhenBroken(messages)
    for await (const { subject, data, time } of messages) take(subject, data, time.getTime() >= startedAt)
  }
}
