import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { AlertEvent } from '../types.js'

/** As many as a week of trouble brings; then the oldest go. */
const MOST_EVENTS = 5_000
const RETRY_MS = 2_000

const Kept = Type.Array(AlertEvent)

export interface JournalOptions {
  readonly folder: string
  readonly warn: (message: string) => void
  /** Undefined while nothing can be sent. Resolves when the servers have it for good, or had it already. */
  readonly publish: () => ((event: AlertEvent) => Promise<unknown>) | undefined
  readonly onFailure: (error: Error) => void
  readonly onDropped: () => void
}

/** Alerts that the fleet has not acknowledged, on disk: none is lost while the service is cut off, or starts anew. */
export interface Journal {
  add (alert: AlertEvent['alert']): void
  /** Sends what waits, in order, until it is empty or nothing can be sent. */
  flush (): void
  readonly waiting: number
  close (): Promise<void>
}

export async function openJournal (options: JournalOptions): Promise<Journal> {
  const store = await openJsonStore(join(options.folder, 'journal.json'),
    { schema: Kept, initial: [], warn: options.warn, compact: true })
  /** Of this run: what an earlier one left keeps its own name and numbers. */
  const journal = randomUUID()
  let last = 0
  let events: readonly AlertEvent[] = store.get()
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  /** A disk that is full costs only what a crash would lose. */
  const keep = (next: readonly AlertEvent[]): Promise<void> => {
    events = next
    return store.set([...next]).catch(options.onFailure)
  }

  async function sendAll (): Promise<void> {
    for (;;) {
      const publish = options.publish()
      const [first] = events
      if (closed || first === undefined || publish === undefined) return
      await publish(first)
      void keep(events.filter(event => event !== first))
    }
  }

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
        if (events.length > 0 && !closed) timer ??= setTimeout(flush, RETRY_MS).unref()
      })
  }

  return {
    add (alert) {
      const next = [...events, { journal, number: ++last, alert }]
      if (next.length > MOST_EVENTS) {
        next.shift()
        options.onDropped()
      }
      void keep(next).then(flush)
    },
    flush,
    get waiting () { return events.length },
    async close () {
      closed = true
      clearTimeout(timer)
      await store.settled()
    }
  }
}
