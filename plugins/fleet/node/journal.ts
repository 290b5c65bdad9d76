import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { AlertEvent } from '../types.js'

/** Enough for a week of trouble; beyond this the oldest are dropped. */
const MOST_EVENTS = 5_000
const RETRY_MS = 2_000
/**
 * A server that is cut off from its cluster may acknowledge an alert and lose it when it rejoins. So each alert is sent
 * a second time after this interval; the servers deduplicate it.
 */
const CONFIRM_MS = 60_000
const CONFIRM_EVERY_MS = 5_000

const StoredEvents = Type.Array(AlertEvent)

export interface JournalOptions {
  readonly folder: string
  readonly warn: (message: string) => void
  /** Undefined while nothing can be sent. Resolves when the servers have stored the event, or had it already. */
  readonly publish: () => ((event: AlertEvent) => Promise<unknown>) | undefined
  readonly onFailure: (error: Error) => void
  readonly onDropped: () => void
  /** Interval from the first acknowledgement of an alert to its second sending. */
  readonly confirmMs?: number
}

/** Unacknowledged alerts, on disk, so that none is lost while the service is cut off or restarts. */
export interface Journal {
  add (alert: AlertEvent['alert']): void
  /** Sends waiting alerts in order, until none is left or nothing can be sent. */
  flush (): void
  /** Number of alerts not acknowledged yet. */
  readonly waiting: number
  close (): Promise<void>
}

export async function openJournal (options: JournalOptions): Promise<Journal> {
  const { confirmMs = CONFIRM_MS } = options
  const store = await openJsonStore(join(options.folder, 'journal.json'),
    { schema: StoredEvents, initial: [], warn: options.warn, compact: true })
  /** Identifies this run; alerts of an earlier one keep their own journal and numbers. */
  const journal = randomUUID()
  let last = 0
  let events: readonly AlertEvent[] = store.get()
  /** When each was acknowledged; monotonic clock, ms. */
  const acknowledged = new Map<AlertEvent, number>()
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  /** With a full disk, alerts are lost only in a crash. */
  const save = (next: readonly AlertEvent[]): Promise<void> => {
    events = next
    return store.set([...next]).catch(options.onFailure)
  }

  const isDue = (event: AlertEvent): boolean => {
    const at = acknowledged.get(event)
    return at === undefined || performance.now() - at >= confirmMs
  }

  async function sendAll (): Promise<void> {
    for (;;) {
      const publish = options.publish()
      const next = events.find(isDue)
      if (closed || next === undefined || publish === undefined) return
      await publish(next)
      if (!acknowledged.has(next)) acknowledged.set(next, performance.now())
      else {
        acknowledged.delete(next)
        void save(events.filter(event => event !== next))
      }
    }
  }

  const waiting = (): number => events.length - acknowledged.size

  function flush (): void {
    if (closed) return
    clearTimeout(timer)
    timer = undefined
    sending ??= sendAll()
      .catch((error: Error) => {
        options.onFailure(error)
        timer = setTimeout(flush, RETRY_MS).unref()
      })
      .finally(() => {
        sending = undefined
        if (waiting() > 0 && !closed) timer ??= setTimeout(flush, RETRY_MS).unref()
      })
  }

  const confirming = setInterval(() => { if (events.some(isDue)) flush() }, Math.min(CONFIRM_EVERY_MS, confirmMs))
  confirming.unref()

  return {
    add (alert) {
      let next = [...events, { journal, number: ++last, alert }]
      if (next.length > MOST_EVENTS) {
        const oldest = next.find(event => acknowledged.has(event)) ?? next[0]
        if (oldest && !acknowledged.delete(oldest)) options.onDropped()
        next = next.filter(event => event !== oldest)
      }
      void save(next).then(flush)
    },
    flush,
    get waiting () { return waiting() },
    async close () {
      closed = true
      clearTimeout(timer)
      clearInterval(confirming)
      await store.settled()
    }
  }
}
