import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, openJsonStore } from '../../core/index.js'
import { APPLICATION, connectPostgres, checkSqlite, connectSqlite } from './connect.js'
import { stepsOf } from './migrate.js'
import { createDatabase } from './database.js'
import type { Database, Migration, Row } from './types.js'

export { dumpDatabase } from './dump.js'
export { DatabaseUnavailable, SetInFile, SettingsChanged } from './errors.js'
export { keepingOperations, type Kept } from './keeping-operations.js'
export { SharedLimits } from './shared-limits.js'
export { createSettingsTable, SharedSettings, type Origin } from './shared-settings.js'
export { createTable, defineMigration } from './types.js'
export type { Columns, Database, DatabaseStatus, Ddl, DumpPart, Migration, Row, TableRows, Value, Versions } from './types.js'
export type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely'

declare module 'prnd' {
  interface Services { database: Database }
  interface Contributions {
    /** Steps of a plugin's tables, whose names begin with that of the plugin. */
    migrations: Migration
  }
}

const NAME = 'database'
const PROBE_EVERY_MS = 30_000

const Journal = Type.Unsafe<Row[]>(Type.Array(Type.Object({
  table: Type.String(),
  onlyNew: Type.Optional(Type.Boolean()),
  values: Type.Object({ id: Type.String() }, { additionalProperties: true })
})))

/** The password as written, and as it is sent. */
function passwordsIn (url: string): string[] {
  const { password } = new URL(url)
  return password === '' ? [] : [...new Set([password, decodeURIComponent(password)])]
}

/**
 * Tests the connection with the configured options.
 * @returns false for a file, which needs no server
 * @throws Error with the cause
 */
export async function probeDatabase ({ url }: { url?: string }): Promise<boolean> {
  if (url === undefined) return false
  const [{ sql }, db] = await Promise.all([import('kysely'), connectPostgres(url, () => {})()])
  await sql`select 1`.execute(db).finally(() => db.destroy())
  return true
}

/**
 * Whether services use the database now, each of which holds or renews a connection.
 * @throws the database's error
 */
export async function isInUse (url: string): Promise<boolean> {
  const [{ sql }, db] = await Promise.all([import('kysely'), connectPostgres(url, () => {})()])
  const others = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = ${APPLICATION} and pid <> pg_backend_pid()`
  const { rows: [row] } = await others.execute(db).finally(() => db.destroy())
  return row !== undefined && row.count > 0
}

export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Tables for other plugins: SQLite in the data folder, or PostgreSQL',
  provides: ['database'],
  uses: ['disk', 'network'],
  options: Type.Object({
    url: Type.Optional(Type.String({
      pattern: '^postgres(ql)?://',
      description: 'Address of a PostgreSQL database, `postgres://user:password@host/name`. Left out: SQLite'
    }))
  }),
  async setup ({ options: { url }, kernel, log, folder, contributed, provide, onReady, onClose }) {
    for (const password of url === undefined ? [] : passwordsIn(url)) kernel.maskSecret(password)
    const journal = await openJsonStore(join(await folder(), 'journal.json'), {
      schema: Journal, initial: [], warn: message => log.warn(message), compact: true
    })
    if (url === undefined) await checkSqlite(await folder())
    const idle = (error: Error) => log.warn({ err: error }, 'a connection to the database was lost')
    const { service, check, close } = createDatabase({
      kind: url === undefined ? 'sqlite' : 'postgres',
      connect: url === undefined ? connectSqlite(folder) : connectPostgres(url, idle),
      steps: stepsOf(contributed('migrations'), step => kernel.originOf(step) ?? NAME),
      journal,
      log
    })
    provide('database', service)
    const report = kernel.connections.add({
      name: NAME, plugin: NAME, what: 'the database', address: url ?? 'SQLite', check
    })
    // Notices a lost server even without queries.
    const probe = () => { void check().then(report.connected, report.failed) }
    const timer = url === undefined ? undefined : setInterval(probe, PROBE_EVERY_MS).unref()
    if (url !== undefined) onReady(probe)
    onClose(async () => {
      clearInterval(timer)
      await close()
    })
  }
})
