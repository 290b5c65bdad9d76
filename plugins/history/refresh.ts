import { setImmediate } from 'node:timers/promises'
import type { Kysely, Selectable } from '../database/index.js'
import { AMOUNT_COLUMNS, DAY_MS, firstDay, monthOf, nextMonth, sumsOf, type SummedPrint } from './sums.js'
import type { Tables } from './tables.js'
import type { Sum } from './types.js'

type Db = Kysely<Tables>

/** Days per transaction, so that others can read and write in between. */
const DAYS_AT_ONCE = 20
/** Databases limit the number of values in a statement. */
const ROWS_AT_ONCE = 50

export const SUMMED = ['id', 'printer', 'outcome', 'started_at', 'prepare_s', 'printing_s', 'paused_s', 'unseen_s',
  'planned_s', 'cost', 'faults', 'parts'] as const satisfies readonly (keyof SummedPrint)[]

/** Sums by day of the prints that began within a time. */
export async function sumsWithin (db: Db, from: number, to: number): Promise<Sum[]> {
  const within = db.selectFrom('history_prints').where('started_at', '>=', from).where('started_at', '<', to)
  const filaments = await db.selectFrom('history_filaments').where('print', 'in', within.select('id'))
    .select(['print', 'material', 'grams', 'metres', 'cost']).execute()
  return sumsOf(await within.select(SUMMED).execute(), filaments)
}

async function insert (db: Db, sums: readonly Sum[]): Promise<void> {
  for (let at = 0; at < sums.length; at += ROWS_AT_ONCE) {
    const rows = sums.slice(at, at + ROWS_AT_ONCE).map(sum => ({ ...sum, expired: 0 }))
    await db.insertInto('history_sums').values(rows).execute()
  }
}

async function sumDay (db: Db, day: number): Promise<void> {
  await db.deleteFrom('history_sums').where('unit', '=', 'day').where('at', '=', day).where('expired', '=', 0).execute()
  await insert(db, await sumsWithin(db, day * DAY_MS, (day + 1) * DAY_MS))
}

/** Stands for all printers in the sums of a month. */
export const ALL_PRINTERS = ''

/** Sums up the days of a month, including days whose prints are deleted: by printer, and for all printers. */
async function sumMonth (db: Db, month: number): Promise<void> {
  const days = db.selectFrom('history_sums').where('unit', '=', 'day')
    .where('at', '>=', firstDay(month)).where('at', '<', firstDay(nextMonth(month)))
    .select(({ fn }) => [
      'kind', 'key', 'outcome', ...AMOUNT_COLUMNS.map(column => fn.sum<number>(column).as(column))
    ])
    .groupBy(['kind', 'key', 'outcome'])
  const all = (await days.execute()).map(sum => ({ ...sum, printer: ALL_PRINTERS }))
  const each = await days.select('printer').groupBy('printer').execute()
  await db.deleteFrom('history_sums').where('unit', '=', 'month').where('at', '=', month).execute()
  await insert(db, [...all, ...each].map(sum => ({ ...toNumbers(sum), unit: 'month', at: month })))
}

/** PostgreSQL returns sums of integers as text. */
export function toNumbers<T extends object> (row: T): T {
  const numbers = AMOUNT_COLUMNS.filter(column => column in row)
    .map(column => [column, Number((row as Record<string, unknown>)[column])])
  return { ...row, ...Object.fromEntries(numbers) }
}

/** Sums up the days that changed, and their months. */
export async function refreshSums (db: Db): Promise<void> {
  const isStale = await db.selectFrom('history_stale').select('day').limit(1).executeTakeFirst()
  if (!isStale) return
  while (await refreshSome(db) === DAYS_AT_ONCE) await setImmediate()
}

const refreshSome = (db: Db): Promise<number> => db.transaction().execute(async change => {
  const stale: Selectable<Tables['history_stale']>[] = await change.selectFrom('history_stale').selectAll()
    .orderBy('day').limit(DAYS_AT_ONCE).execute()
  const days = stale.map(({ day }) => day)
  if (days.length === 0) return 0
  // A concurrent change to a print of such a day waits for this transaction, or this one waits for it.
  await change.deleteFrom('history_stale').where('day', 'in', days).execute()
  for (const day of days) await sumDay(change, day)
  for (const month of new Set(days.map(monthOf))) await sumMonth(change, month)
  return days.length
})
