import type { ConsumerMessages, JetStreamClient } from '@nats-io/jetstream'
import type { Alert } from '../../alerts/index.js'
import { AlertEvent, checked } from '../types.js'

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

/**
 * Passes on every alert once, in the order in which the fleet has it. Each run goes on where the one before ended.
 * @param ageMs since when this service has been running, by a clock that never jumps
 * @returns one run, which ends when the servers no longer know of it
 */
export function followAlerts (events: JetStreamClient, stream: string, ageMs: () => number,
  deliver: (alert: Alert, isNew: boolean) => void): () => Promise<void> {
  const seen = new Map<string, Seen>()

  function take (bytes: Uint8Array, isNew: boolean): void {
    const event = checked(AlertEvent, bytes)
    if (event === undefined) return
    const { journal, number, alert } = event
    const before = seen.get(journal) ?? { last: 0, missing: new Set() }
    if (number <= before.last && !before.missing.delete(number)) return
    seen.delete(journal)
    seen.set(journal, advance(before, number))
    const [oldest] = seen.keys()
    if (seen.size > MOST_JOURNALS && oldest !== undefined) seen.delete(oldest)
    deliver(Object.freeze(alert), isNew)
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
    void endWhenBroken(messages)
    for await (const { data, time } of messages) take(data, time.getTime() >= startedAt)
  }
}
