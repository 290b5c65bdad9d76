import type { Selectable } from '../../database/index.js'
import type { Db, Tables } from '../tables.js'
import { decode, encode } from './series.js'
import type { Points } from './thinned.js'

/** Only a print with many restarts in between has more. */
const MOST_EVENTS = 2_000

export async function readTelemetry (db: Db, id: string): Promise<Points | undefined> {
  const row = await db.selectFrom('history_telemetry').select('data').where('id', '=', id).executeTakeFirst()
  return row && await decode(row.data)
}

export async function writeTelemetry (db: Db, id: string, at: number, points: Points): Promise<void> {
  const data = await encode(points)
  const values = { at, bytes: data.length, data }
  await db.insertInto('history_telemetry').values({ id, ...values })
    .onConflict(conflict => conflict.column('id').doUpdateSet(values)).execute()
}

export type Event = Omit<Selectable<Tables['history_events']>, 'id' | 'print'>

export const readEvents = (db: Db, print: string): Promise<Event[]> => db.selectFrom('history_events')
  .select(['at', 'kind', 'name', 'severity', 'text']).where('print', '=', print)
  .orderBy('at').orderBy('id').limit(MOST_EVENTS).execute()

/** Deletes everything that is stored with prints besides their records. */
export async function removeDetails (db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('history_telemetry').where('id', 'in', ids).execute()
  await db.deleteFrom('history_events').where('print', 'in', ids).execute()
}
