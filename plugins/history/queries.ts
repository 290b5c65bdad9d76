import type { Expression, ExpressionBuilder, Kysely, SqlBool } from '../database/index.js'
import type { Filter, PrintView, Statistics } from './schemas.js'
import type { FilamentRow, PrintRow, Tables } from './tables.js'
import type { Result } from './types.js'

export type Db = Kysely<Tables>
type Prints = ExpressionBuilder<Tables, 'history_prints'>

/** What has a meaning in a pattern stands for any one character: the databases escape it in different ways. */
const patternOf = (text: string): string => `%${text.replaceAll(/[\\%]/g, '_').toLowerCase()}%`

const resultOf = ({ fn }: Prints) => fn.coalesce('corrected', 'result')

function conditions (eb: Prints, { printer_name: printer, result, text, material, since, until }: Filter):
Expression<SqlBool>[] {
  const isLike = (column: 'name' | 'note', value: string) =>
    eb(eb.fn<string>('lower', [column]), 'like', eb.val(patternOf(value)))
  return [
    ...(printer === undefined ? [] : [eb('printer', '=', printer)]),
    ...(result === undefined ? [] : [eb(resultOf(eb), '=', result)]),
    ...(text === undefined ? [] : [eb.or([isLike('name', text), isLike('note', text)])]),
    ...(since === undefined ? [] : [eb('started_at', '>=', since)]),
    ...(until === undefined ? [] : [eb('started_at', '<', until)]),
    ...(material === undefined
      ? []
      : [eb('id', 'in', eb.selectFrom('history_filaments').where('material', '=', material).select('print'))])
  ]
}

interface Position { readonly at: number, readonly id: string }

/** Behind the last print of the page before. */
const isBehind = (eb: Prints, { at, id }: Position) =>
  eb.or([eb('started_at', '<', at), eb.and([eb('started_at', '=', at), eb('id', '<', id)])])

const CURSOR = /^(\d{1,16})\.([\w-]{1,64})$/

/** @returns undefined for what is no cursor */
export function positionOf (cursor: string): Position | undefined {
  const [, at, id] = CURSOR.exec(cursor) ?? []
  return at === undefined || id === undefined ? undefined : { at: Number(at), id }
}

export function viewOf (row: PrintRow, filaments: readonly FilamentRow[]): PrintView {
  const { start_seen: startSeen, end_seen: endSeen, corrected, result, faults, ...rest } = row
  return {
    ...rest,
    start_seen: startSeen === 1,
    end_seen: endSeen === 1,
    result: (corrected ?? result) as Result,
    reported_result: result as Result,
    faults: JSON.parse(faults),
    filaments: filaments.filter(({ print }) => print === row.id)
      .map(({ id: _id, print: _print, ...filament }) => filament)
  }
}

async function withFilaments (db: Db, rows: readonly PrintRow[]): Promise<PrintView[]> {
  if (rows.length === 0) return []
  const filaments = await db.selectFrom('history_filaments').where('print', 'in', rows.map(({ id }) => id))
    .selectAll().orderBy('filament').execute()
  return rows.map(row => viewOf(row, filaments))
}

/** One page of prints, newest first. */
export async function list (db: Db, filter: Filter, limit: number, after?: Position) {
  const rows = await db.selectFrom('history_prints').selectAll()
    .where(eb => eb.and([...conditions(eb, filter), ...(after ? [isBehind(eb, after)] : [])]))
    .orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit + 1).execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { prints: await withFilaments(db, page), cursor: hasMore ? `${last.started_at}.${last.id}` : null }
}

export async function find (db: Db, id: string): Promise<PrintView | undefined> {
  const rows = await db.selectFrom('history_prints').selectAll().where('id', '=', id).execute()
  return (await withFilaments(db, rows))[0]
}

export type Annotation = Partial<Pick<PrintRow, 'note' | 'rating' | 'corrected'>>

/** @returns whether there is such a print */
export async function annotate (db: Db, id: string, changes: Annotation): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('history_prints').set(changes).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

export const remove = (db: Db, id: string): Promise<boolean> => db.transaction().execute(async change => {
  await change.deleteFrom('history_filaments').where('print', '=', id).execute()
  const { numDeletedRows } = await change.deleteFrom('history_prints').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
})

/** Prints of these printers that were left running by a service whose own record of them is lost. */
export async function closeForgotten (db: Db, serials: readonly string[], running: readonly string[]): Promise<void> {
  if (serials.length === 0) return
  const open = db.updateTable('history_prints').set({ result: 'unknown' })
    .where('result', '=', 'running').where('serial', 'in', serials)
  await (running.length > 0 ? open.where('id', 'not in', running) : open).execute()
}

const NONE = { prints: 0, finished: 0, failed: 0, cancelled: 0, printing_s: 0 }
type Group = typeof NONE

const added = (group: Group, result: string, count: number, seconds: number): Group => ({
  ...group,
  prints: group.prints + count,
  printing_s: group.printing_s + seconds,
  ...(result === 'finished' || result === 'failed' || result === 'cancelled' ? { [result]: group[result] + count } : {})
})

/** Counts and sums over all prints that pass. */
export async function statistics (db: Db, filter: Filter): Promise<Statistics> {
  const counts = await db.selectFrom('history_prints').where(eb => eb.and(conditions(eb, filter)))
    .select(eb => ['printer', resultOf(eb).as('outcome'), eb.fn.countAll().as('count'),
      eb.fn.sum('printing_s').as('seconds')])
    .groupBy(eb => ['printer', resultOf(eb)]).orderBy('printer').execute()
  const used = db.selectFrom('history_filaments')
  const passing = db.selectFrom('history_prints').where(eb => eb.and(conditions(eb, filter))).select('id')
  const materials = await (Object.keys(filter).length > 0 ? used.where('print', 'in', passing) : used)
    .select(({ fn }) => ['material', fn.sum('grams').as('grams')])
    .groupBy('material').orderBy('material').execute()
  const printers = new Map<string, Group>()
  let all = NONE
  for (const { printer, outcome, count, seconds } of counts) {
    printers.set(printer, added(printers.get(printer) ?? NONE, outcome, Number(count), Number(seconds)))
    all = added(all, outcome, Number(count), Number(seconds))
  }
  const judged = all.finished + all.failed
  return {
    ...all,
    success_rate: judged === 0 ? null : all.finished / judged,
    printers: [...printers].map(([printer, group]) => ({ printer, ...group })),
    materials: materials.map(({ material, grams }) => ({ material, grams: Number(grams ?? 0) }))
  }
}
