import type { Kysely } from 'kysely'
import { connectSqlite } from './connect.js'
import { DatabaseNewer, DatabaseNotEmpty } from './errors.js'
import { migrate, stepDown, stepUp, versionsOf, type Steps } from './migrate.js'
import type { DatabaseStatus, LoadOptions, TableRows } from './types.js'

/** Databases limit the number of values in a statement. */
const ROWS_AT_ONCE = 20

async function checkVersions (steps: Steps, { versions }: LoadOptions): Promise<void> {
  for (const [plugin, version] of Object.entries(versions)) {
    const known = steps.get(plugin)?.length
    if (known !== undefined && version > known) throw new DatabaseNewer(plugin, version, known)
  }
}

async function checkEmpty (db: Kysely<any>, steps: Steps): Promise<void> {
  const tables = await db.introspection.getTables()
  for (const { name } of tables.filter(({ name }) => [...steps.keys()].some(plugin => name.startsWith(`${plugin}_`)))) {
    if (await db.selectFrom(name).selectAll().limit(1).executeTakeFirst()) throw new DatabaseNotEmpty(name)
  }
}

/** Some inserts create other rows, such as marks by triggers: existing rows stay. */
async function insert (db: Kysely<any>, { table, rows }: TableRows): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await db.insertInto(table).values(rows.slice(at, at + ROWS_AT_ONCE)).onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

/**
 * Replaces all contents by dumped rows, or changes nothing. Afterwards the tables have the versions of the dump. Tables
 * of plugins that this service does not have are left out.
 * @throws PRN_ERR_DATABASE_NEWER, PRN_ERR_DATABASE_NOT_EMPTY
 */
export async function loadTables (
  db: Kysely<any>, kind: DatabaseStatus['kind'], steps: Steps, options: LoadOptions
): Promise<void> {
  await checkVersions(steps, options)
  if (!options.replace) await checkEmpty(db, steps)
  await db.transaction().execute(async change => {
    const done = await versionsOf(change)
    for (const [plugin, own] of steps) {
      for (const step of own.slice(0, done.get(plugin) ?? 0).toReversed()) await stepDown(change, kind, plugin, step)
      for (const step of own.slice(0, options.versions[plugin] ?? 0)) await stepUp(change, kind, plugin, step)
    }
    const isKnown = ({ table }: TableRows) =>
      Object.keys(options.versions).some(plugin => steps.has(plugin) && table.startsWith(`${plugin}_`))
    for await (const part of options.rows) {
      if (!isKnown(part)) continue
      await insert(change, part)
      options.onRows(part)
    }
  })
}

/**
 * Loads dumped rows into a new SQLite file in an empty folder, and brings the tables up to date.
 * @throws PRN_ERR_DATABASE_NEWER, the database's error
 */
export async function tryLoadTables (
  folder: string, steps: Steps, options: Omit<LoadOptions, 'replace'>
): Promise<void> {
  const db = await connectSqlite(async () => folder)()
  try {
    await migrate(db, 'sqlite', steps)
    await loadTables(db, 'sqlite', steps, { ...options, replace: true })
    await migrate(db, 'sqlite', steps)
  } finally {
    await db.destroy()
  }
}
