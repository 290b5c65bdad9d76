import type { FailureRecord, Run } from '../types.js'
import type { Db } from './tables.js'

const ensure = (db: Db, id: string) => db.insertInto('queue_failures')
  .values({ id, failures: 0, reason: '', most: null, stopped_at: null, told: 0 })
  .onConflict(conflict => conflict.column('id').doNothing()).execute()

interface Ended {
  readonly state: string
  readonly reason: string
  readonly now: number
  /** So many in a row stop the printer, unless a person has set another number for it; 0: never. */
  readonly mostFailures: number
}

/** Counts the end of a print; one that was cancelled or never began counts for nothing. */
export async function countEnd (change: Db, { serial }: Pick<Run, 'serial'>, ended: Ended): Promise<void> {
  const { state, reason, now, mostFailures } = ended
  if (state === 'finished') {
    await change.updateTable('queue_failures').set({ failures: 0 }).where('id', '=', serial).where('failures', '>', 0).execute()
  }
  if (state !== 'failed') return
  await ensure(change, serial)
  await change.updateTable('queue_failures').set(eb => ({ failures: eb('failures', '+', 1), reason })).where('id', '=', serial).execute()
  await change.updateTable('queue_failures').set({ stopped_at: now, told: 0 })
    .where('id', '=', serial).where('stopped_at', 'is', null)
    .where(({ fn, val }) => fn.coalesce('most', val(mostFailures)), '>', 0)
    .where(({ eb, fn, val }) => eb('failures', '>=', fn.coalesce('most', val(mostFailures)))).execute()
}

/** A query for a stop of this printer. */
export const isStopped = (serial: string) => ({ selectFrom }: any) =>
  selectFrom('queue_failures').select('id').where('id', '=', serial).where('stopped_at', 'is not', null)

/** @param most undefined: the configured number */
export async function setMost (db: Db, serial: string, most: number | undefined): Promise<void> {
  await ensure(db, serial)
  await db.updateTable('queue_failures').set({ most: most ?? null }).where('id', '=', serial).execute()
}

/** Uses a printer again. @param stoppedAt the stop that was seen @returns false when that is not in force */
export async function release (db: Db, serial: string, stoppedAt: number): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('queue_failures').set({ failures: 0, stopped_at: null })
    .where('id', '=', serial).where('stopped_at', '=', stoppedAt).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns whether this service is the one that tells somebody */
export async function tell (db: Db, serial: string, stoppedAt: number): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('queue_failures').set({ told: 1 })
    .where('id', '=', serial).where('stopped_at', '=', stoppedAt).where('told', '=', 0).executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function readFailures (db: Db): Promise<ReadonlyMap<string, FailureRecord>> {
  const rows = await db.selectFrom('queue_failures').selectAll().execute()
  return new Map(rows.map(({ id, failures, reason, most, stopped_at: stoppedAt, told }) =>
    [id, { failures, reason, most: most ?? undefined, stoppedAt: stoppedAt ?? undefined, isTold: told === 1 }]))
}
