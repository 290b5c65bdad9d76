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
        .with({ plugins: [plugin] })
    }
    own.push(migration)
  }
  return steps
}

const bookOf = (db: Kysely<any>): Kysely<Schema> => db

/** The newest applied step of each plugin. */
export async function versionsOf (db: Kysely<any>): Promise<ReadonlyMap<string, number>> {
  const done = await bookOf(db).selectFrom('prn_migrations').groupBy('plugin')
    .select(({ fn }) => ['plugin', fn.max('number').as('newest')]).execute()
  return new Map(done.map(({ plugin, newest }) => [plugin, newest]))
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
 * Brings all tables up to date, or changes nothing. Several services may try at once: the primary key of the version
 * table lets only one of them apply a step, and the others find it applied when they retry.
 * @throws PRN_ERR_DATABASE_NEWER for tables of a newer service, before anything is changed
 */
export async function migrate (db: Kysely<any>, kind: Ddl['kind'], steps: Steps): Promise<void> {
  await createBook(db)
  const versions = await versionsOf(db)
  for (const [plugin, own] of steps) {
    const version = versions.get(plugin) ?? 0
    if (version > own.length) throw new DatabaseNewer(plugin, version, own.length)
  }
  const due = [...steps].flatMap(([plugin, own]) =>
    own.slice(versions.get(plugin) ?? 0).map(step => ({ plugin, step })))
  if (due.length === 0) return
  await db.transaction().execute(async change => {
    for (const { plugin, step } of due) await stepUp(change, kind, plugin, step)
  })
}

/** To be called within a transaction. */
export async function stepUp (
  change: Kysely<any>, kind: Ddl['kind'], plugin: string, { number, name, up }: Migration
): Promise<void> {
  await bookOf(change).insertInto('prn_migrations').values({ plugin, number, name }).execute()
  await up(change, ddlOf(change, kind))
}

/** To be called within a transaction. */
export async function stepDown (
  change: Kysely<any>, kind: Ddl['kind'], plugin: string, { number, down }: Migration
): Promise<void> {
  await down(change, ddlOf(change, kind))
  await bookOf(change).deleteFrom('prn_migrations').where('plugin', '=', plugin).where('number', '=', number).execute()
}
