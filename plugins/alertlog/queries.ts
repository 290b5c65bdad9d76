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

/** Begins with the newest alert of a time, ms since the epoch. */
export const cursorAt = (at: number): string => `${at + 1}.0`

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

/** Newer rows are looked at first; a flood of alerts must not be read whole. */
const MOST_RECENT = 1_000

/** @param since ms */
export const recentRows = (db: Db, since: number): Promise<AlertRow[]> =>
  db.selectFrom('alertlog_alerts').selectAll().where('at', '>=', since).orderBy('at', 'desc').limit(MOST_RECENT).execute()

/** Removes rows, unless a person has acknowledged them. */
export async function deleteRows (db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('alertlog_alerts').where('id', 'in', ids).where('acknowledged_by', 'is', null).execute()
}

export async function countBefore (db: Db, at: number): Promise<number> {
  const { before } = await db.selectFrom('alertlog_alerts').select(({ fn }) => fn.countAll().as('before'))
    .where('at', '<', at).executeTakeFirstOrThrow()
  return Number(before)
}

export async function removeBefore (db: Db, at: number): Promise<void> {
  await db.deleteFrom('alertlog_alerts').where('at', '<', at).execute()
}
