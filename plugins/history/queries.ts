import type { Expression, ExpressionBuilder, SqlBool } from '../database/index.js'
import type { PrintRequest } from '../projects/index.js'
import { removeDetails } from './details/queries.js'
import { GRAMS_BASES, type GramsBasis } from './filament.js'
import { HOLDER, type PlateMapping } from './places.js'
import type { Filter, PrintView } from './schemas.js'
import type { PrintCommand } from './starts.js'
import { grouped } from './sums.js'
import { listText, textsOf, type Db, type FilamentRow, type PrintRow, type Tables } from './tables.js'
import type { Print, Result } from './types.js'

export type { Db } from './tables.js'
type Prints = ExpressionBuilder<Tables, 'history_prints'>

/** Special characters become the wildcard for one character, as databases differ in how to escape them. */
const patternOf = (text: string): string => `%${text.replaceAll(/[\\%]/g, '_')}%`

/** Only on columns of the search indexes, so that rows that do not match are never read. */
export function conditions (eb: Prints, { printer_name: printer, result, text, material, since, until }: Filter):
Expression<SqlBool>[] {
  return [
    ...(printer === undefined ? [] : [eb('printer', '=', printer)]),
    ...(result === undefined ? [] : [eb('outcome', '=', result)]),
    ...(text === undefined ? [] : [eb('searched', 'like', patternOf(text.toLowerCase()))]),
    ...(since === undefined ? [] : [eb('started_at', '>=', since)]),
    ...(until === undefined ? [] : [eb('started_at', '<', until)]),
    ...(material === undefined ? [] : [eb('materials', 'like', patternOf(listText([material])))])
  ]
}

interface Position { readonly at: number, readonly id: string }

/** After the last print of the previous page. Compared as a tuple, so that the index is entered at that place. */
const isBehind = (eb: Prints, { at, id }: Position) => eb(eb.refTuple('started_at', 'id'), '<', eb.tuple(at, id))

const CURSOR = /^(\d{1,16})\.([\w-]{1,64})$/

/** @returns undefined for text that is not a cursor */
export function positionOf (cursor: string): Position | undefined {
  const [, at, id] = CURSOR.exec(cursor) ?? []
  return at === undefined || id === undefined ? undefined : { at: Number(at), id }
}

/** What a print was started with; undefined if it was started elsewhere. */
const requestIn = (asked: string): PrintRequest | undefined => asked === '' ? undefined : JSON.parse(asked)

export function viewOf (row: PrintRow, filaments: readonly FilamentRow[]): PrintView {
  const {
    id, serial, printer, model, name, file, project_path: projectPath, md5, plate, task_id: taskId,
    print_type: printType, started_at: startedAt, start_seen: startSeen, ended_at: endedAt, end_seen: endSeen, outcome,
    result, started_by: startedBy, ended_by: endedBy, percent, layer, total_layers: totalLayers, planned_s: planned,
    prepare_s: prepare, printing_s: printing, paused_s: paused, unseen_s: unseen, interruptions, faults, note, rating,
    tags, cost, queue_job: job, parts, asked, layers_percent: layersPercent, grams_open_until: gramsOpenUntil
  } = row
  return {
    id,
    serial,
    printer,
    model,
    name,
    file,
    project_path: projectPath,
    md5,
    plate,
    task_id: taskId,
    print_type: printType,
    started_at: startedAt,
    start_seen: startSeen === 1,
    ended_at: endedAt,
    end_seen: endSeen === 1,
    result: outcome as Result,
    reported_result: result as Result,
    started_by: startedBy,
    ended_by: endedBy,
    percent,
    layer,
    total_layers: totalLayers,
    planned_s: planned,
    prepare_s: prepare,
    printing_s: printing,
    paused_s: paused,
    unseen_s: unseen,
    interruptions,
    faults: JSON.parse(faults),
    note,
    rating,
    cost,
    layers_percent: layersPercent,
    grams_open_until: gramsOpenUntil,
    job,
    parts: parts || null,
    accepted_findings: [...requestIn(asked)?.accepted ?? []],
    tags: textsOf(tags),
    filaments: filaments.map(({ filament, material, color, place, tag, grams, metres, cost: spent, basis }) => {
      const used = { grams, grams_basis: grams === null ? null : basisOf(basis, result), metres, cost: spent }
      return { filament, material, color, place, tag, ...used }
    })
  }
}

/** Records from before the basis was stored were never counted by layers. */
const basisOf = (basis: string, result: string): GramsBasis =>
  GRAMS_BASES.find(known => known === basis) ?? (result === 'finished' ? 'planned' : 'scaled')

/** The prints of these ids, in their order. */
export async function views (db: Db, ids: readonly string[]): Promise<PrintView[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('history_prints').where('id', 'in', ids).selectAll().execute()
  const filaments = await db.selectFrom('history_filaments').where('print', 'in', ids)
    .selectAll().orderBy('filament').orderBy('id').execute()
  const spent = grouped(filaments, ({ print }) => print)
  const byId = new Map(rows.map(row => [row.id, viewOf(row, spent.get(row.id) ?? [])]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** One page of prints, newest first. They are found by the index alone; only their rows are read. */
export async function list (db: Db, filter: Filter, limit: number, after?: Position) {
  const found = await db.selectFrom('history_prints').select(['id', 'started_at'])
    .where(eb => eb.and([...conditions(eb, filter), ...(after ? [isBehind(eb, after)] : [])]))
    .orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit + 1).execute()
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return {
    prints: await views(db, page.map(({ id }) => id)),
    cursor: hasMore ? `${last.started_at}.${last.id}` : null
  }
}

export const find = async (db: Db, id: string): Promise<PrintView | undefined> => (await views(db, [id]))[0]

/** A print with its request, if it was started from here, and its mapping as far as certain. */
export interface Asked {
  readonly print: PrintView
  readonly asked: PrintRequest | undefined
  readonly mapping: PlateMapping | undefined
}

export async function findAsked (db: Db, id: string): Promise<Asked | undefined> {
  const print = await find(db, id)
  if (!print) return undefined
  const { asked, mapping } = await db.selectFrom('history_prints').select(['asked', 'mapping']).where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    print,
    asked: requestIn(asked),
    mapping: mapping === '' ? mappingOfRecord(print) : JSON.parse(mapping) ?? undefined
  }
}

/** Mapping of a record from before mappings were stored; places were recorded if the printer reported them. */
function mappingOfRecord ({ filaments }: PrintView): PlateMapping | undefined {
  if (filaments.length === 0 || filaments.some(({ place }) => place === '')) return undefined
  if (filaments.every(({ place }) => place === HOLDER)) return HOLDER
  const places: string[] = []
  for (const { filament, place } of filaments) places[filament - 1] ??= place
  return Array.from(places, place => place ?? '')
}

export type Annotation = Partial<Pick<PrintRow, 'note' | 'rating' | 'corrected' | 'tags'>>

/** @returns whether there is such a print */
export async function annotate (db: Db, id: string, changes: Annotation): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('history_prints').set(changes).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

export const remove = (db: Db, id: string): Promise<boolean> => db.transaction().execute(async change => {
  await removeDetails(change, [id])
  await change.deleteFrom('history_filaments').where('print', '=', id).execute()
  const { numDeletedRows } = await change.deleteFrom('history_prints').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
})

/** Whether the print is recorded as running. */
export const isOpen = async (db: Db, id: string): Promise<boolean> => await db.selectFrom('history_prints').select('id')
  .where('id', '=', id).where('result', '=', 'running').executeTakeFirst() !== undefined

/**
 * Closes prints of these printers that were left open by a service that has lost its state.
 * @param known they go on
 * @param writer the service that has to be recording these printers; undefined: no other one can
 * @returns undefined while it is not
 */
export async function closeForgotten (db: Db, serials: readonly string[], known: readonly string[], writer?: string):
Promise<true | undefined> {
  if (serials.length === 0) return true
  const held = db.selectFrom('history_writers').select('id').where('id', 'in', serials).where('owner', '=', writer ?? '')
  if (writer !== undefined && await held.executeTakeFirst() === undefined) return undefined
  const open = db.updateTable('history_prints').set({ result: 'unknown' })
    .where('result', '=', 'running').where('serial', 'in', serials)
  const own = known.length > 0 ? open.where('id', 'not in', known) : open
  // In one statement: another service that takes over in this moment records a print that is not known here.
  await (writer === undefined ? own : own.where('serial', 'in', held)).execute()
  return true
}

/** The newest print of a printer, and the service that recorded it. */
export async function newestOf (db: Db, serial: string):
Promise<{ readonly writer: string, readonly print: Print } | undefined> {
  const row = await db.selectFrom('history_newest').selectAll().where('id', '=', serial).executeTakeFirst()
  return row && { writer: row.writer, print: JSON.parse(row.print) }
}

/** Prints of a printer that began around a time. @param within ms before and after */
export const recordedNear = (db: Db, serial: string, startedAt: number, within: number) =>
  db.selectFrom('history_prints').select(['id', 'name', 'plate', 'task_id', 'result']).where('serial', '=', serial)
    .where('started_at', '>', startedAt - within).where('started_at', '<', startedAt + within).execute()

/** Takes the commands that other services have passed on for these printers; each is returned once. */
export async function takeCommands (db: Db, serials: readonly string[]):
Promise<(PrintCommand & { readonly serial: string })[]> {
  if (serials.length === 0) return []
  const rows = await db.deleteFrom('history_told').where('serial', 'in', serials).returningAll().execute()
  return rows.toSorted((a, b) => a.called_at - b.called_at).map(row => ({
    serial: row.serial,
    kind: row.kind,
    by: row.caller,
    calledAt: row.called_at,
    asked: requestIn(row.asked),
    job: row.job === '' ? undefined : JSON.parse(row.job)
  }))
}
