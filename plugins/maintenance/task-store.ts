import type { Database } from '../database/index.js'
import type { Db, DoneRow, NoticeRow, PrinterRow, TaskRow } from './tables.js'

export interface Position { readonly at: number, readonly id: string }

export interface DoneFilter {
  readonly serials?: readonly string[] | undefined
  readonly task?: string | undefined
  readonly limit: number
  readonly after?: Position | undefined
}

const CURSOR = /^(\d{1,16})\.([\w:.-]{1,120})$/

/** @returns undefined for an invalid cursor */
export function positionOf (cursor: string): Position | undefined {
  const [, at, id] = CURSOR.exec(cursor) ?? []
  return at === undefined || id === undefined ? undefined : { at: Number(at), id }
}

/** Tasks, what was done of them, and what a person said of printers. Every method throws the database's errors. */
export const createTaskStore = (database: Database) => ({
  printers: (): Promise<PrinterRow[]> => database.query((db: Db) => db.selectFrom('maintenance_printers').selectAll().execute()),
  addPrinter: (row: PrinterRow): Promise<void> => database.query(async (db: Db) => {
    await db.insertInto('maintenance_printers').values(row).onConflict(one => one.column('id').doNothing()).execute()
  }),
  changePrinter: (id: string, change: Partial<PrinterRow>): Promise<void> => database.query(async (db: Db) => {
    await db.updateTable('maintenance_printers').set(change).where('id', '=', id).execute()
  }),
  tasks: (): Promise<TaskRow[]> => database.query((db: Db) =>
    db.selectFrom('maintenance_tasks').selectAll().orderBy('id').execute()),
  /** @param change is given the row as it is, if there is one @returns the new row; undefined: nothing changed */
  putTask: (id: string, change: (known: TaskRow | undefined) => TaskRow | undefined): Promise<TaskRow | undefined> =>
    database.change(async (db: Db) => {
      const row = change(await db.selectFrom('maintenance_tasks').selectAll().where('id', '=', id).executeTakeFirst())
      if (row === undefined) return undefined
      await db.insertInto('maintenance_tasks').values(row).onConflict(one => one.column('id').doUpdateSet(row)).execute()
      return row
    }),
  removeTask: (id: string): Promise<void> => database.query(async (db: Db) => {
    await db.deleteFrom('maintenance_tasks').where('id', '=', id).execute()
  }),
  /** The newest of each task and printer that was not taken back. */
  lastDone: (): Promise<DoneRow[]> => database.query(async (db: Db) => {
    const newest = db.selectFrom('maintenance_done').where('undone_at', 'is', null).groupBy(['serial', 'task'])
      .select(({ fn }) => ['serial', 'task', fn.max('at').as('at')]).as('newest')
    return await db.selectFrom('maintenance_done').innerJoin(newest, join => join
      .onRef('newest.serial', '=', 'maintenance_done.serial').onRef('newest.task', '=', 'maintenance_done.task')
      .onRef('newest.at', '=', 'maintenance_done.at'))
      .where('undone_at', 'is', null).selectAll('maintenance_done').orderBy('entered_at').execute()
  }),
  findDone: (id: string): Promise<DoneRow | undefined> => database.query((db: Db) =>
    db.selectFrom('maintenance_done').selectAll().where('id', '=', id).executeTakeFirst()),
  /** One page, newest first. */
  done: ({ serials, task, limit, after }: DoneFilter) => database.query(async (db: Db) => {
    const rows = serials?.length === 0
      ? []
      : await db.selectFrom('maintenance_done').selectAll().where(eb => eb.and([
        ...(serials === undefined ? [] : [eb('serial', 'in', serials)]),
        ...(task === undefined ? [] : [eb('task', '=', task)]),
        ...(after === undefined ? [] : [eb(eb.refTuple('at', 'id'), '<', eb.tuple(after.at, after.id))])
      ])).orderBy('at', 'desc').orderBy('id', 'desc').limit(limit + 1).execute()
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return { rows: page, cursor: rows.length > limit && last !== undefined ? `${last.at}.${last.id}` : null }
  }),
  /** Records that tasks were done. One with the same id is the same: done once, and again when it was taken back. */
  addDone: (rows: readonly DoneRow[]): Promise<DoneRow[]> => database.change(async (db: Db) => {
    const ids = rows.map(({ id }) => id)
    const rowsBefore = await db.selectFrom('maintenance_done').selectAll().where('id', 'in', ids).execute()
    const standing = new Set(rowsBefore.filter(row => row.undone_at === null).map(({ id }) => id))
    const fresh = rows.filter(({ id }) => !standing.has(id))
    for (const row of fresh) {
      await db.insertInto('maintenance_done').values(row).onConflict(one => one.column('id').doUpdateSet(row)).execute()
    }
    return fresh
  }),
  /** @returns whether it was not taken back before */
  undo: (id: string, at: number, by: string): Promise<boolean> => database.query(async (db: Db) => {
    const { numUpdatedRows } = await db.updateTable('maintenance_done').set({ undone_at: at, undone_by: by })
      .where('id', '=', id).where('undone_at', 'is', null).executeTakeFirst()
    return numUpdatedRows > 0n
  }),
  hasPhoto: (id: string): Promise<void> => database.query(async (db: Db) => {
    await db.updateTable('maintenance_done').set({ photo: 1 }).where('id', '=', id).execute()
  }),
  /** @returns whether nobody, and no other service, has warned of this */
  warnOnce: (row: NoticeRow): Promise<boolean> => database.query(async (db: Db) => {
    const { numInsertedOrUpdatedRows } = await db.insertInto('maintenance_notices').values(row)
      .onConflict(one => one.column('id').doNothing()).executeTakeFirst()
    return (numInsertedOrUpdatedRows ?? 0n) > 0n
  })
})

export type TaskStore = ReturnType<typeof createTaskStore>
