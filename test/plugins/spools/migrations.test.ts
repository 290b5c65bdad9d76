import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { connectSqlite } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import type { Kysely, Migration, Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import { createInventoryStore } from '../../../plugins/spools/inventory-store.js'
import { migrations } from '../../../plugins/spools/migrations.js'
import { createStore } from '../../../plugins/spools/store.js'
import { testFolder } from '../../helpers/folder.js'

async function open (folder: string, steps: readonly Migration[]) {
  const journal = await openJsonStore(join(folder, 'journal.json'), {
    schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {}
  })
  return createDatabase({
    kind: 'sqlite',
    connect: connectSqlite(async () => folder),
    steps: stepsOf(steps, () => 'spools'),
    journal,
    log: { warn () {}, info () {} } as any
  })
}

t.test('spools and uses of the version before stay as they were', async t => {
  const folder = testFolder(t)
  const before = await open(folder, migrations.slice(0, 1))
  const spool = { id: 's1', name: 'Red', material: 'PLA', color: '#FF0000', tag: '', net: 1000, used: 120, archived: 0, created_at: 5 }
  await before.service.query(async (db: Kysely<any>) => {
    await db.insertInto('spools_spools').values([spool, { ...spool, id: 's2', net: null, archived: 1 }]).execute()
    await db.insertInto('spools_uses').values({
      id: 'p/1', print: 'p', spool: 's1', printer: 'x1', place: 'external', material: 'PLA', grams: 30, state: 'done', before: null, problem: null, at: 9, sent_at: null
    }).execute()
  })
  await before.close()
  const { service: database, close } = await open(folder, migrations)
  t.teardown(close)
  t.match((await createStore(database).load()).spools, [{ id: 's1', used: 150, type: '', place: '', opened_at: null }])
  t.match(await createInventoryStore(database).spools(), [{ id: 's1', used: 150 }, { id: 's2', net: null, archived: 1 }])
  await createStore(database).changeSpool('s1', row => ({
    columns: {},
    changes: [{ id: 'c', spool: row.id, kind: 'corrected', grams: 50, at: 10, made_by: '', note: '', gross: null, empty: null, running: '', expected: 850 }]
  }))
  t.match((await createStore(database).load()).spools, [{ id: 's1', used: 100 }])
  await database.query(async (db: Kysely<any>) => { await migrations[1]?.down(db, { kind: 'sqlite', run: async () => {} }) })
  const rows = await database.query((db: Kysely<any>) => db.selectFrom('spools_spools').selectAll().orderBy('id').execute())
  t.same(rows[0], spool, 'and a step back leaves them alone')
})
