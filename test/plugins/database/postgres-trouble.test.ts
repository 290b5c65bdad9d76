import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { createKernel, definePlugin, definePreset, openJsonStore } from '../../../core/index.js'
import { connectPostgres } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import database, { createTable, defineMigration, isInUse, type Kysely, type Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from './postgres.js'

/** What failed is tried again after 1 s, then ever more rarely; on a busy machine all takes longer. */
const WITHIN_MS = 60_000

const migration = defineMigration({
  number: 1,
  name: 'boxes',
  up: db => createTable(db, 'shelf_boxes', { 'at?': 'bigint' }),
  down: db => db.schema.dropTable('shelf_boxes').execute()
})
const shelf = definePlugin({
  name: 'shelf', version: '1.0.0', kernel: '^2.0.0', needs: ['database'], contributes: { migrations: [migration] }
})

const start = async (t: Test, dataDir: string, options: object) => {
  const preset = definePreset({ name: 'test', plugins: [[database, options], shelf] })
  const kernel = await createKernel(preset, { dataDir, log: { file: false }, printers: [] })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  return kernel
}

const boxes = (db: Kysely<{ shelf_boxes: { id: string } }>) =>
  db.selectFrom('shelf_boxes').select('id').orderBy('id').execute()

t.test('PostgreSQL in trouble', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)

  t.test('a row that it cannot store is dropped, and holds up no other', async t => {
    const { services: { database } } = await start(t, testFolder(t), { url: server.newDatabase() })
    database.put({ table: 'shelf_boxes', values: { id: 'a' } })
    database.put({ table: 'shelf_boxes', values: { id: 'b', at: 1e30 } })
    database.put({ table: 'shelf_boxes', values: { id: 'c' } })
    t.same((await database.query(boxes)).map(({ id }) => id), ['a', 'c'])
    t.match(database.status, { waiting: 0, dropped: 1, problem: undefined })
  })

  t.test('whether a service uses it can be told', async t => {
    const url = server.newDatabase()
    t.equal(await isInUse(url), false)
    const { services: { database }, close } = await start(t, testFolder(t), { url })
    await database.query(boxes)
    t.equal(await isInUse(url), true)
    await close()
    await eventually(async () => !await isInUse(url))
  })

  const silent = async (t: Test, { answerMs, flushMs }: { answerMs?: number, flushMs?: number }) => {
    const proxy = await server.proxy(t)
    const folder = testFolder(t)
    const journal = await openJsonStore(join(folder, 'journal.json'), {
      schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {}
    })
    const { service, close } = createDatabase({
      kind: 'postgres',
      connect: connectPostgres(proxy.urlOf(server.newDatabase()), () => {}, answerMs),
      steps: stepsOf([migration], () => 'shelf'),
      journal,
      log: { info () {}, warn () {} },
      ...(flushMs !== undefined && { flushMs })
    })
    t.teardown(close)
    t.same(await service.query(boxes), [])
    proxy.beSilent(true)
    return { service, proxy }
  }

  t.test('a server that is silent instead of refusing is given up, and used again when it answers', async t => {
    const { service, proxy } = await silent(t, { answerMs: 2_000 })
    service.put({ table: 'shelf_boxes', values: { id: 'while' } })
    await t.rejects(service.query(boxes), { code: 'PRN_ERR_DATABASE_UNAVAILABLE', statusCode: 503 })
    t.match(service.status, { waiting: 1, problem: String })
    proxy.beSilent(false)
    await eventually(() => service.status.waiting === 0, WITHIN_MS)
    t.same((await service.query(boxes)).map(({ id }) => id), ['while'])
  })

  t.test('no query waits for ever for records that are not written', async t => {
    const { service } = await silent(t, { flushMs: 200 })
    service.put({ table: 'shelf_boxes', values: { id: 'while' } })
    await t.rejects(service.query(boxes), { code: 'PRN_ERR_DATABASE_UNAVAILABLE', message: /does not answer/ })
  })
})
