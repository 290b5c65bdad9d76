import type { PlateRecord } from '../types.js'
import { plateOf, type Db } from './tables.js'

export interface Confirmation {
  readonly serial: string
  /** Identity of the job that the printer reports now. */
  readonly identity: string
  readonly by: string
  readonly now: number
}

const hasNoRun = (serial: string) => ({ not, exists, selectFrom }: any) => not(exists(
  selectFrom('queue_runs').select('id').where('serial', '=', serial).where('ended_at', 'is', null)))

/** Records that the plate was confirmed clear. @returns false while a run is active on the printer */
export const confirmClear = (db: Db, { serial, identity, by, now }: Confirmation): Promise<boolean> =>
  db.transaction().execute(async change => {
    await change.insertInto('queue_plates')
      .values({ id: serial, state: 'used', run: null, job: '', changed_at: now, changed_by: '' })
      .onConflict(conflict => conflict.column('id').doNothing()).execute()
    const { numUpdatedRows } = await change.updateTable('queue_plates')
      .set({ state: 'clear', run: null, job: identity, changed_at: now, changed_by: by })
      .where('id', '=', serial).where(hasNoRun(serial)).executeTakeFirst()
    return numUpdatedRows === 1n
  })

/** What was known of a used plate when it was looked at. */
export interface UsedPlate extends Confirmation {
  /** When the plate became used, ms since the epoch. */
  readonly since: number
}

/** Records that a used plate was found empty, if nothing has happened to it since. @returns false otherwise */
export async function clearUsed (db: Db, { serial, identity, since, by, now }: UsedPlate): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('queue_plates').set({ state: 'clear', run: null, changed_at: now, changed_by: by })
    .where('id', '=', serial).where('state', '=', 'used').where('job', '=', identity).where('changed_at', '=', since)
    .where(hasNoRun(serial)).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records that something was printed on the plate. @returns whether it was not marked as used before */
export async function markUsed (db: Db, serial: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('queue_plates')
    .set({ state: 'used', changed_at: now, changed_by: '' })
    .where('id', '=', serial).where('state', '<>', 'used').executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function readPlates (db: Db): Promise<ReadonlyMap<string, PlateRecord>> {
  const rows = await db.selectFrom('queue_plates').selectAll().execute()
  return new Map(rows.map(row => [row.id, plateOf(row)]))
}
