import type { Kysely } from '../database/index.js'
import type { AlertRow, Tables } from './tables.js'

export type Db = Kysely<Tables>
interface Position { readonly at: number, readonly id: string }
interface Wanted {
  readonly printer: string | undefined
  readonly open: boolean
  readonly tone?: string | undefined
  readonly limit: number
  readonly after: Position | undefined
}

const CURSOR = /^(\d{1,16})\.(\w{1,64})$/

/** @returns undefined for an invalid cursor */
export function positionOf (cursor: string): Position | undefined {
  const [, at, id] = CURSOR.exec(cursor) ?? []
  return at === undefined || id === undefined ? undefined : { at: Number(at), id }
}

const timeOf = (ms: number) => new Date(Number(ms)).toISOString()

const viewOf = ({ id, at, printer, type, tone, payload, acknowledged_at: seen, acknowledged_by: by }: AlertRow) => ({
  id,
  at: timeOf(at),
  printer,
  type,
  tone: tone as 'bad' | 'warn' | 'plain',
  payload: JSON.parse(payload) as Record<string, unknown>,
  acknowledged_at: seen === null ? null : timeOf(seen),
  acknowledged_by: by
})

export async function list (db: Db, { printer, open, tone, limit, after }: Wanted) {
  const rows = await db.selectFrom('alertlog_alerts').selectAll().where(eb => eb.and([
    ...(printer === undefined ? [] : [eb('printer', '=', printer)]),
    ...(tone === undefined ? [] : [eb('tone', '=', tone)]),
    ...(open ? [eb('acknowledged_at', 'is', null)] : []),
    ...(after === undefined
      ? []
      : [eb.or([eb('at', '<', after.at), eb.and([eb('at', '=', after.at), eb('id', '<', after.id)])])])
  ])).orderBy('at', 'desc').orderBy('id', 'desc').limit(limit + 1).execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { alerts: page.map(viewOf), cursor: rows.length > limit && last ? `${last.at}.${last.id}` : null }
}

export async function countOpen (db: Db): Promise<number> {
  const { open } = await db.selectFrom('alertlog_alerts').select(({ fn }) => fn.countAll().as('open'))
    .where('acknowledged_at', 'is', null).executeTakeFirstOrThrow()
  return Number(open)
}

interface Chosen {
  readonly ids: readonly string[] | undefined
  readonly until: number | undefined
  readonly printer: string | undefined
}

/** @returns how many were newly acknowledged */
export async function acknowledge (db: Db, { ids, until, printer }: Chosen, now: number, by: string): Promise<number> {
  const { numUpdatedRows } = await db.updateTable('alertlog_alerts').set({ acknowledged_at: now, acknowledged_by: by }).where(eb => eb.and([
    eb('acknowledged_at', 'is', null),
    ...(ids === undefined ? [] : [eb('id', 'in', ids)]),
    ...(until === undefined ? [] : [eb('at', '<=', until)]),
    ...(printer === undefined ? [] : [eb('printer', '=', printer)])
  ])).executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Removes alerts that a later one replaces: a failure that was a cancellation, a pause whose cause was still unknown.
 * @param by id of the later alert @param since ms; older alerts belong to another job
 */
export async function removeReplaced (db: Db, printer: string, type: string, by: string, since: number): Promise<void> {
  await db.deleteFrom('alertlog_alerts')
    .where('printer', '=', printer).where('type', '=', type).where('at', '>=', since).where('id', '<>', by)
    .where('payload', 'not like', '%"reason":%') // an alert with a reason is about another pause
    .where('acknowledged_at', 'is', null).execute()
}

export async function removeBefore (db: Db, at: number): Promise<void> {
  await db.deleteFrom('alertlog_alerts').where('at', '<', at).execute()
}
