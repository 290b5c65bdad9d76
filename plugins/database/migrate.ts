import type { Kysely } from 'kysely'
import { BadMigration, DatabaseNewer } from './errors.js'
import type { Ddl, Migration } from './types.js'

/** The steps of each plugin, by its name. */
export type Steps = ReadonlyMap<string, readonly Migration[]>

interface Schema { prn_migrations: { plugin: string, number: number, name: string } }

/** @throws PRN_ERR_MIGRATION unless every plugin's steps are numbered from 1 without gaps */
export function stepsOf (migrations: readonly Migration[], originOf: (migration: Migration) => string): Steps {
  const steps = new Map<string, Migration[]>()
  for (const migration of migrations) {
    const plugin = originOf(migration)
    const own = steps.get(plugin) ?? []
    steps.set(plugin, own)
    if (migration.number !== own.length + 1) {
      throw new BadMigration(plugin, `number ${migration.number} stands where ${own.length + 1} is expected`)
    }
    own.push(migration)
  }
  return steps
}

const bookOf = (db: Kysely<any>): Kysely<Schema> => db

export async function versionOf (db: Kysely<any>, plugin: string): Promise<number> {
  const { newest } = await bookOf(db).selectFrom('prn_migrations').where('plugin', '=', plugin)
    .select(({ fn }) => fn.max('number').as('newest')).executeTakeFirstOrThrow()
  return newest ?? 0
}

const createBook = (db: Kysely<any>): Promise<void> => db.schema.createTable('prn_migrations').ifNotExists()
  .addColumn('plugin', 'text', column => column.notNull())
  .addColumn('number', 'integer', column => column.notNull())
  .addColumn('name', 'text', column => column.notNull())
  .addPrimaryKeyConstraint('prn_migrations_key', ['plugin', 'number'])
  .execute()

const ddlOf = (db: Kysely<any>, kind: Ddl['kind']): Ddl => ({
  kind,
  run: async statement => {
    const { CompiledQuery } = await import('kysely')
    await db.executeQuery(CompiledQuery.raw(statement))
  }
})

/**
 * Brings all tables up to date, each step in a transaction of its own. Several services may do so at once: the book's
 * key lets only one of them do a step, and the others find it done when they try again.
 * @throws PRN_ERR_DATABASE_NEWER for tables of a newer service, before anything is changed
 */
export async function migrate (db: Kysely<any>, kind: Ddl['kind'], steps: Steps): Promise<void> {
  await createBook(db)
  for (const [plugin, own] of steps) {
    const version = await versionOf(db, plugin)
    if (version > own.length) throw new DatabaseNewer(plugin, version, own.length)
  }
  for (const [plugin, own] of steps) {
    for (const step of own.slice(await versionOf(db, plugin))) await take(db, kind, plugin, step)
  }
}

const take = (db: Kysely<any>, kind: Ddl['kind'], plugin: string, step: Migration): Promise<void> =>
  db.transaction().execute(change => stepUp(change, kind, plugin, step))

/** Within a transaction. */
export async function stepUp (
  change: Kysely<any>, kind: Ddl['kind'], plugin: string, { number, name, up }: Migration
): Promise<void> {
  await bookOf(change).insertInto('prn_migrations').values({ plugin, number, name }).execute()
  await up(change, ddlOf(change, kind))
}

/** Within a transaction. */
export async function stepDown (
  change: Kysely<any>, kind: Ddl['kind'], plugin: string, { number, down }: Migration
): Promise<void> {
  await down(change, ddlOf(change, kind))
  await bookOf(change).deleteFrom('prn_migrations').where('plugin', '=', plugin).where('number', '=', number).execute()
}

/** Takes back the steps of a plugin above a version, newest first. */
export async function migrateDown (
  db: Kysely<any>, kind: Ddl['kind'], plugin: string, own: readonly Migration[], to: number
): Promise<void> {
  for (const step of own.slice(to, await versionOf(db, plugin)).toReversed()) {
    await db.transaction().execute(change => stepDown(change, kind, plugin, step))
  }
}
