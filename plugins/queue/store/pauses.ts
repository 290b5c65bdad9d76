import type { Db } from './tables.js'

/** What is paused until when, ms since the epoch; Infinity: until somebody resumes it. */
export type Pauses = ReadonlyMap<string, number>

/** A pause with an end has a row of its own: it neither shortens nor replaces one that a person has made. */
const TIMED = 'timed:'
const idsOf = (id: string): string[] => [id, TIMED + id]

export interface Pausing {
  readonly id: string
  /** When it ends by itself; undefined: it does not. */
  readonly until: number | undefined
  readonly by: string
  readonly now: number
}

/** Pauses; of two ends the later one counts. */
export async function pause (db: Db, { id, until, by, now }: Pausing): Promise<void> {
  const row = { id: until === undefined ? id : TIMED + id, paused_at: now, paused_by: by, paused_until: until ?? null }
  const { id: _, ...columns } = row
  await db.insertInto('queue_pauses').values(row).onConflict(conflict => until === undefined
    ? conflict.column('id').doNothing()
    : conflict.column('id').doUpdateSet(columns).where('queue_pauses.paused_until', '<', until)).execute()
}

/** Ends every pause of it. */
export async function resume (db: Db, id: string): Promise<void> {
  await db.deleteFrom('queue_pauses').where('id', 'in', idsOf(id)).execute()
}

export async function readPauses (db: Db): Promise<Pauses> {
  const rows = await db.selectFrom('queue_pauses').select(['id', 'paused_until']).execute()
  const pauses = new Map<string, number>()
  for (const { id, paused_until: until } of rows) {
    const of = id.startsWith(TIMED) ? id.slice(TIMED.length) : id
    pauses.set(of, Math.max(pauses.get(of) ?? 0, until ?? Infinity))
  }
  return pauses
}

/** A query for the pauses of these that are in force. */
export const inForce = (ids: readonly string[], now: number) => ({ selectFrom }: any) =>
  selectFrom('queue_pauses').select('id').where('id', 'in', ids.flatMap(idsOf))
    .where(({ or, eb }: any) => or([eb('paused_until', 'is', null), eb('paused_until', '>', now)]))
