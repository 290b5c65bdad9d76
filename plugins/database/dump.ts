import type { Kysely } from 'kysely'
import { connectPostgres, connectSqlite } from './connect.js'
import type { DumpPart, TableRows, Versions } from './types.js'

const ROWS_AT_ONCE = 500

interface Table { readonly name: string, readonly columns: readonly string[] }

/** Columns that the database generates are not part of a row. */
async function generatedColumns (db: Kysely<any>): Promise<ReadonlySet<string>> {
  const columns = await db.selectFrom('information_schema.columns').where('is_generated', '=', 'ALWAYS')
    .select(['table_name', 'column_name']).execute()
  return new Set(columns.map(({ table_name: table, column_name: column }) => `${table}.${column}`))
}

/** The tables of these plugins; SQLite does not list generated columns. */
async function tablesOf (db: Kysely<any>, isSqlite: boolean, plugins: readonly string[]): Promise<Table[]> {
  const generated = isSqlite ? new Set<string>() : await generatedColumns(db)
  return (await db.introspection.getTables())
    .filter(({ name, isView }) => !isView && plugins.some(plugin => name.startsWith(`${plugin}_`)))
    .map(({ name, columns }) => ({
      name, columns: columns.map(column => column.name).filter(column => !generated.has(`${name}.${column}`))
    }))
}

async function * rowsOf (db: Kysely<any>, { name, columns }: Table): AsyncGenerator<TableRows> {
  const hasId = columns.includes('id')
  const order = hasId ? ['id'] : columns
  let last: unknown
  for (let read = 0; ; read += ROWS_AT_ONCE) {
    const all = order.reduce((query, column) => query.orderBy(column), db.selectFrom(name).select(columns))
    const rest = hasId ? last === undefined ? all : all.where('id', '>', last) : all.offset(read)
    const rows = await rest.limit(ROWS_AT_ONCE).execute() as TableRows['rows'][number][]
    if (rows.length > 0) yield { table: name, rows }
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.id
  }
}

async function * partsOf (db: Kysely<any>, isSqlite: boolean): AsyncGenerator<DumpPart> {
  const isUsed = (await db.introspection.getTables()).some(({ name }) => name === 'prn_migrations')
  const steps: { plugin: string, newest: number }[] = isUsed
    ? await db.selectFrom('prn_migrations').select(({ fn }) => ['plugin', fn.max('number').as('newest')])
      .groupBy('plugin').execute() as { plugin: string, newest: number }[]
    : []
  const versions: Versions = Object.fromEntries(steps.map(({ plugin, newest }) => [plugin, newest]))
  yield { versions }
  for (const table of await tablesOf(db, isSqlite, Object.keys(versions))) yield * rowsOf(db, table)
}

/**
 * All tables of plugins in a consistent snapshot, in parts; versions come first. A running service is not affected.
 * @param folder of the SQLite file, if there is no URL
 */
export async function * dumpDatabase (url: string | undefined, folder: string): AsyncGenerator<DumpPart> {
  const db = await (url === undefined ? connectSqlite(async () => folder) : connectPostgres(url, () => {}))()
  try {
    const begin = db.startTransaction()
    const moment = await (url === undefined ? begin : begin.setIsolationLevel('repeatable read')).execute()
    try {
      yield * partsOf(moment, url === undefined)
    } finally {
      await moment.rollback().execute()
    }
  } finally {
    await db.destroy()
  }
}
