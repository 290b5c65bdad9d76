import type { Database, Kysely } from '../database/index.js'
import type { AlertSeverity } from '../alerts/index.js'
import type { Attachments } from './attachments.js'

export const STATUSES = ['waiting', 'delivered', 'given_up'] as const
export type Status = (typeof STATUSES)[number]

/** One message to one target, as a database row. Times are ms since the epoch. */
export interface Delivery {
  readonly id: string
  readonly created_at: number
  readonly target: string
  readonly printer: string
  readonly alert: string
  readonly severity: AlertSeverity
  /** Time of the alert, ISO 8601 in UTC. */
  readonly at: string
  readonly title: string
  readonly text: string
  /** JSON. */
  readonly payload: string
  /** Empty, `picture:FILE` or `clip:RECORDING`. */
  readonly attachment: string
  readonly status: Status
  readonly attempts: number
  readonly due_at: number
  readonly give_up_at: number
  readonly ended_at: number | null
  readonly problem: string | null
}

interface Row extends Delivery {
  /** Id of the service that sends it; null if an earlier version wrote it. */
  readonly service: string | null
}

export interface Tables { notify_messages: Row }
type Db = Kysely<Tables>

const DAY_MS = 86_400_000
const RETENTION_MS = 30 * DAY_MS
const MOST_RETAINED = 5_000
/** So long after its time a service that lives would have given up its message itself. */
const ABANDONED_MS = DAY_MS

export interface Filter {
  readonly target?: string
  readonly status?: Status
}

const CURSOR = /^(\d{1,16})\.([\w .-]{1,120})$/

/** @returns undefined for an invalid cursor */
export function positionOf (cursor: string): { at: number, id: string } | undefined {
  const [, at, id] = CURSOR.exec(cursor) ?? []
  return at === undefined || id === undefined ? undefined : { at: Number(at), id }
}

type Shared = Pick<Database, 'put' | 'query' | 'status'>

const withoutService = ({ service: _, ...delivery }: Row): Delivery => delivery

/**
 * Messages in the database, waiting and finished. Services that share PostgreSQL have targets of their own, so each
 * sends only its own messages. Those of another one in a file were restored here, and nobody else sends them.
 * @param service id of this service
 */
export const createDeliveries = (database: Shared, now: () => number, service: string) => ({
  /** Writes the whole row each time, because an earlier write may have been lost. */
  put: (delivery: Delivery): void => database.put({ table: 'notify_messages', values: { ...delivery, service } }),

  has: (id: string): Promise<boolean> => database.query(async (db: Db) =>
    await db.selectFrom('notify_messages').select('id').where('id', '=', id).executeTakeFirst() !== undefined),

  /** What this service has to send, and what an earlier version left. */
  waiting: (most: number): Promise<Delivery[]> => database.query(async (db: Db) => {
    const rows = await db.selectFrom('notify_messages').selectAll().where('status', '=', 'waiting')
      .where(eb => database.status.kind === 'sqlite'
        ? eb.lit(true)
        : eb.or([eb('service', '=', service), eb('service', 'is', null)]))
      .orderBy('created_at').orderBy('id').limit(most).execute()
    return rows.map(withoutService)
  }),

  /** One page, newest first. */
  page: ({ target, status }: Filter, limit: number, after?: { at: number, id: string }) =>
    database.query(async (db: Db) => {
      const rows = await db.selectFrom('notify_messages').selectAll()
        .where(eb => eb.and([
          ...(target === undefined ? [] : [eb('target', '=', target)]),
          ...(status === undefined ? [] : [eb('status', '=', status)]),
          ...(after === undefined
            ? []
            : [eb.or([eb('created_at', '<', after.at), eb.and([eb('created_at', '=', after.at), eb('id', '<', after.id)])])])
        ]))
        .orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit + 1).execute()
      const page = rows.slice(0, limit).map(withoutService)
      const last = page.at(-1)
      return { rows: page, cursor: rows.length > limit && last !== undefined ? `${last.created_at}.${last.id}` : null }
    }),

  /** When each target of this service accepted its last message, ms since the epoch. */
  deliveredAt: (): Promise<Map<string, number>> => database.query(async (db: Db) => {
    const rows = await db.selectFrom('notify_messages').select(['target', eb => eb.fn.max('ended_at').as('at')])
      .where('status', '=', 'delivered').where(eb => eb.or([eb('service', '=', service), eb('service', 'is', null)]))
      .groupBy('target').execute()
    return new Map(rows.map(({ target, at }) => [target, Number(at)]))
  }),

  /** Deletes finished messages that are too old or too many, and ends those whose service is gone. */
  prune: (): Promise<void> => database.query(async (db: Db) => {
    await db.updateTable('notify_messages')
      .set({ status: 'given_up', problem: 'the service that was to send it is gone', ended_at: now() })
      .where('status', '=', 'waiting').where('service', '!=', service).where('give_up_at', '<', now() - ABANDONED_MS).execute()
    const last = await db.selectFrom('notify_messages').select('created_at').where('status', '!=', 'waiting')
      .orderBy('created_at', 'desc').offset(MOST_RETAINED).limit(1).executeTakeFirst()
    const before = Math.max(now() - RETENTION_MS, last === undefined ? 0 : last.created_at + 1)
    await db.deleteFrom('notify_messages').where('status', '!=', 'waiting').where('created_at', '<', before).execute()
  })
})

export type Deliveries = ReturnType<typeof createDeliveries>

interface RecordChangeDeps {
  readonly deliveries: Pick<Deliveries, 'put'>
  readonly attachments: Pick<Attachments, 'remove'>
  /** Messages that are not sent yet. */
  readonly waiting: Iterable<Delivery>
}

/** Writes a changed message; a picture that it no longer needs goes, unless another message does. */
export function recordChange ({ deliveries, attachments, waiting }: RecordChangeDeps,
  delivery: Delivery, before: Delivery | undefined): void {
  deliveries.put(delivery)
  const { attachment } = before ?? delivery
  const isNeeded = delivery.status === 'waiting' && delivery.attachment === attachment
  if (attachment === '' || isNeeded || [...waiting].some(other => other.attachment === attachment)) return
  void attachments.remove(attachment)
}
