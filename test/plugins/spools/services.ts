import { join } from 'node:path'
import type { Test } from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { connectPostgres, connectSqlite } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import type { Database, Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import type { RunningPrint } from '../../../plugins/history/index.js'
import { createCounter } from '../../../plugins/spools/counter.js'
import { createInventoryStore } from '../../../plugins/spools/inventory-store.js'
import { migrations } from '../../../plugins/spools/migrations.js'
import { createLocalKeeper, createSpools } from '../../../plugins/spools/service.js'
import { createStore } from '../../../plugins/spools/store.js'
import { testFolder } from '../../helpers/folder.js'

/** What services without printers see. */
export interface World {
  now: number
  readonly prints: Map<string, any>
  running: RunningPrint[]
}
export const world = (): World => ({ now: 1_000, prints: new Map(), running: [] })

/** Tables of the plugin. @param url left out: SQLite in the folder */
async function openTables (t: Test, folder: string, url?: string) {
  const journal = await openJsonStore(join(testFolder(t), 'journal.json'), { schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {} })
  return createDatabase({
    kind: url === undefined ? 'sqlite' : 'postgres',
    connect: url === undefined ? connectSqlite(async () => folder) : connectPostgres(url, () => {}),
    steps: stepsOf(migrations, () => 'spools'),
    journal,
    log: { warn () {}, info () {} } as any
  })
}

/** A service over the database. */
async function serve (database: Database, of: World, folder: string) {
  const store = createStore(database)
  const rows = createInventoryStore(database)
  const keeper = createLocalKeeper(store)
  const kernel = { now: () => of.now, printers: { names: [], get: () => undefined } } as any
  const { service, whereabouts } = createSpools({
    kernel, store, keeper, changed () {}, rows, ownLinesFile: join(folder, 'none.json'), running: async () => of.running
  })
  const history = { find: async (id: string) => of.prints.get(id) } as any
  const counter = createCounter({ history, store, keeper, spools: service, whereabouts, now: kernel.now })
  await service.refresh()
  return { service, rows, counter, store }
}

/** A service over a database of its own connection. */
export async function open (t: Test, of: World, folder: string, url?: string) {
  const { service: database, close } = await openTables(t, folder, url)
  return { ...await serve(database, of, folder), close }
}

/** Two services over one SQLite file. */
export async function openTwo (t: Test, of: World) {
  const folder = testFolder(t)
  const { service: database, close } = await openTables(t, folder)
  t.teardown(close)
  return [await serve(database, of, folder), await serve(database, of, folder)] as const
}
