import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import Sqlite from 'libsql'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { createKernel, definePlugin, definePreset, openJsonStore, type AnyPlugin } from '../../../core/index.js'
import { connectSqlite } from '../../../plugins/database/connect.js'
import database, { defineMigration, type Kysely, type Migration, type Row } from '../../../plugins/database/index.js'
import { stepDown, stepsOf } from '../../../plugins/database/migrate.js'
import { createDatabase } from '../../../plugins/database/database.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from './postgres.js'

/** What failed is tried again after 1 s, then ever more rarely; on a busy machine all takes longer. */
const WITHIN_MS = 60_000

interface Tables { shelf_boxes: { id: string, size: number | null, at: number | null } }

const first = defineMigration({
  number: 1,
  name: 'boxes',
  up: db => db.schema.createTable('shelf_boxes').addColumn('id', 'text', column => column.primaryKey())
    .addColumn('at', 'bigint').execute(),
  down: db => db.schema.dropTable('shelf_boxes').execute()
})
const second = defineMigration({
  number: 2,
  name: 'their size',
  up: db => db.schema.alterTable('shelf_boxes').addColumn('size', 'double precision').execute(),
  down: db => db.schema.alterTable('shelf_boxes').dropColumn('size').execute()
})

const shelf = (migrations: readonly Migration[]): AnyPlugin => definePlugin({
  name: 'shelf', version: '1.0.0', kernel: '^2.0.0', needs: ['database'], contributes: { migrations }
})

const start = async (t: Test, dataDir: string, options: object, migrations = [first, second]) => {
  const preset = definePreset({ name: 'test', plugins: [[database, options], shelf(migrations)] })
  const kernel = await createKernel(preset, { dataDir, log: { file: false }, printers: [] })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  return kernel
}

const boxes = (db: Kysely<Tables>) => db.selectFrom('shelf_boxes').selectAll().orderBy('id').execute()

/** The same for both databases. */
function suite (t: Test, where: (t: Test) => Promise<object>): void {
  t.test('rows are inserted, and changed column by column', async t => {
    const { services, close } = await start(t, testFolder(t), await where(t))
    services.database.put({ table: 'shelf_boxes', values: { id: 'a', size: 1.5, at: 1_763_900_000_123 } })
    await services.database.settled()
    services.database.put({ table: 'shelf_boxes', values: { id: 'a', size: 2 } })
    services.database.put({ table: 'shelf_boxes', values: { id: 'b' } })
    t.same(await services.database.query(boxes), [
      { id: 'a', size: 2, at: 1_763_900_000_123 }, { id: 'b', size: null, at: null }
    ])
    t.match(services.database.status, { waiting: 0, dropped: 0, problem: undefined })
    await close()
  })

  t.test('a character that PostgreSQL cannot store is replaced in records and in queries', async t => {
    const { services: { database }, close } = await start(t, testFolder(t), await where(t))
    database.put({ table: 'shelf_boxes', values: { id: 'a\0b' } })
    t.match(await database.query(boxes), [{ id: 'a\uFFFDb' }])
    const named = (db: Kysely<Tables>) => db.selectFrom('shelf_boxes').select('id').where('id', '=', 'a\0b').execute()
    t.same(await database.query(named), [{ id: 'a\uFFFDb' }])
    await close()
  })

  t.test('a newer service brings the tables up to date; an older one refuses, and loses nothing', async t => {
    const options = await where(t)
    const folder = testFolder(t)
    const old = await start(t, folder, options, [first])
    old.services.database.put({ table: 'shelf_boxes', values: { id: 'a', at: 1 } })
    await old.services.database.settled()
    await old.close()

    const now = await start(t, folder, options)
    t.same(await now.services.database.query(boxes), [{ id: 'a', at: 1, size: null }])
    await now.close()

    const again = await start(t, folder, options, [first])
    await t.rejects(again.services.database.query(boxes), { code: 'PRN_ERR_DATABASE_NEWER', statusCode: 503 })
    again.services.database.put({ table: 'shelf_boxes', values: { id: 'b' } })
    await eventually(() => again.services.database.status.problem?.includes('version 2') === true)
    await again.close()

    const last = await start(t, folder, options)
    t.same((await last.services.database.query(boxes)).map(({ id }) => id), ['a', 'b'])
    await last.close()
  })

  t.test('a step that fails takes those before it with it, and is tried again', async t => {
    const [options, folder] = [await where(t), testFolder(t)]
    const broken = defineMigration({ ...second, up: async () => { throw new Error('no room') } })
    const failing = await start(t, folder, options, [first, broken])
    await t.rejects(failing.services.database.query(boxes), { message: /no room/ })
    await failing.close()

    const bare = await start(t, folder, options, [])
    await t.rejects(bare.services.database.query(boxes), { message: /shelf_boxes/ })
    await bare.close()

    const whole = await start(t, folder, options)
    t.same(await whole.services.database.query(boxes), [])
    await whole.close()
  })

  t.test('every step can be taken back, and taken again', async t => {
    const { services, close } = await start(t, testFolder(t), await where(t))
    await services.database.query(async (db: Kysely<any>) => {
      await db.transaction().execute(change => stepDown(change, services.database.status.kind, 'shelf', second))
      await t.rejects(db.selectFrom('shelf_boxes').select('size').execute())
      await second.up(db, { kind: services.database.status.kind, run: async () => {} })
      await db.selectFrom('shelf_boxes').select('size').execute()
    })
    await close()
  })
}

t.test('SQLite', async t => {
  suite(t, async () => ({}))

  t.test('nothing is opened before it is used', async t => {
    const folder = testFolder(t)
    const { services } = await start(t, folder, {})
    const file = join(folder, 'plugins', 'database', 'prnd.sqlite')
    await t.rejects(stat(file), { code: 'ENOENT' })
    await services.database.query(boxes)
    t.ok((await stat(file)).isFile())
  })

  t.test('a full disk loses no row', async t => {
    const { services } = await start(t, testFolder(t), {})
    const { database } = services
    const limit = async (pages: number) => await database.query(async (db: Kysely<any>) =>
      await db.executeQuery(CompiledQuery.raw(`pragma max_page_count = ${pages}`)))
    await limit(1)
    const ids = Array.from({ length: 400 }, (_, at) => `${String(at).padStart(3, '0')}-${'x'.repeat(500)}`)
    for (const id of ids) database.put({ table: 'shelf_boxes', values: { id } })
    await eventually(() => database.status.problem !== undefined)
    t.match(database.status, { problem: /full/, dropped: 0 })
    await limit(1_000_000)
    await eventually(() => database.status.waiting === 0)
    t.same((await database.query(boxes)).map(({ id }) => id), ids)
  })
})

/** Rows that cannot be written are told of, kept in the journal, and written when it works again. */
async function waits (t: Test, { service, problem, mend }: {
  service: Awaited<ReturnType<typeof start>>, problem: RegExp, mend: () => Promise<unknown>
}) {
  const { database } = service.services
  database.put({ table: 'shelf_boxes', values: { id: 'while' } })
  await eventually(() => database.status.problem !== undefined, WITHIN_MS)
  t.match(database.status, { waiting: 1, dropped: 0, problem })
  await database.settled()
  const journal = await readFile(join(service.dataDir, 'plugins', 'database', 'journal.json'), 'utf8')
  t.match(journal, /"while"/)
  await mend()
  await eventually(() => database.status.waiting === 0, WITHIN_MS)
  t.match((await database.query(boxes)).map(({ id }) => id).at(-1), 'while')
  t.equal(database.status.problem, undefined)
}

t.test('SQLite in trouble', async t => {
  const fileIn = (folder: string) => join(folder, 'plugins', 'database', 'prnd.sqlite')

  t.test('a file that is no database is left alone, and told of', async t => {
    const folder = testFolder(t)
    await mkdir(join(folder, 'plugins', 'database'), { recursive: true })
    await writeFile(fileIn(folder), 'this is no database, though it has the name of one\n'.repeat(100))
    const service = await start(t, folder, {})
    await t.rejects(service.services.database.query(boxes), {
      code: 'PRN_ERR_DATABASE_UNAVAILABLE', statusCode: 503, message: /not a database/
    })
    t.match(await readFile(fileIn(folder), 'utf8'), /^this is no database/)
    await waits(t, { service, problem: /not a database/, mend: () => rename(fileIn(folder), `${fileIn(folder)}.bad`) })
  })

  t.test('a file that another program has locked', async t => {
    const folder = testFolder(t)
    const service = await start(t, folder, {})
    await service.services.database.query(boxes)
    const other = new Sqlite(fileIn(folder))
    t.teardown(() => other.close())
    other.exec('begin immediate')
    t.same(await service.services.database.query(boxes), [], 'what is there can be read')
    await waits(t, { service, problem: /locked|busy/i, mend: async () => other.exec('rollback') })
  })

  t.test('a file that must not be written', async t => {
    const service = await start(t, testFolder(t), {})
    const only = (value: string) => service.services.database.query((db: Kysely<any>) =>
      db.executeQuery(CompiledQuery.raw(`pragma query_only = ${value}`)))
    await only('on')
    t.same(await service.services.database.query(boxes), [], 'what is there can be read')
    await waits(t, { service, problem: /readonly/, mend: () => only('off') })
  })

  t.test('a statement that does not end is given up, and the file opened anew', async t => {
    const folder = testFolder(t)
    const journal = await openJsonStore(join(folder, 'journal.json'), {
      schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {}
    })
    const { service, close } = createDatabase({
      kind: 'sqlite',
      connect: connectSqlite(async () => folder, 500),
      steps: stepsOf([first, second], () => 'shelf'),
      journal,
      log: { info () {}, warn () {} }
    })
    t.teardown(close)
    service.put({ table: 'shelf_boxes', values: { id: 'before' } })
    await service.settled()
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 9000000) select count(*) from n'
    const [asked, behind] = await Promise.allSettled([
      service.query(db => db.executeQuery(CompiledQuery.raw(endless))),
      service.query(boxes)
    ])
    t.match(asked, { status: 'rejected', reason: { code: 'PRN_ERR_DATABASE_UNAVAILABLE', message: /more than 0.5 s/ } })
    t.match(behind, { status: 'rejected', reason: { code: 'PRN_ERR_DATABASE_UNAVAILABLE' } })
    service.put({ table: 'shelf_boxes', values: { id: 'meanwhile' } })
    await eventually(async () => (await service.query(boxes).catch(() => [])).length === 2, WITHIN_MS)
    t.match(service.status, { waiting: 0, dropped: 0, problem: undefined })
  })

  t.test('what was waiting when the service ended is written by the next one', async t => {
    const folder = testFolder(t)
    const service = await start(t, folder, {})
    await service.services.database.query(boxes)
    const other = new Sqlite(fileIn(folder))
    t.teardown(() => other.close())
    other.exec('begin immediate')
    service.services.database.put({ table: 'shelf_boxes', values: { id: 'left' } })
    await service.close()
    other.exec('rollback')
    const next = await start(t, folder, {})
    t.match(await next.services.database.query(boxes), [{ id: 'left' }])
  })
})

t.test('PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, async () => ({ url: server.newDatabase() }))

  t.test('services that begin at once wait for each other', async t => {
    for (let round = 0; round < 5; round++) {
      const options = { url: server.newDatabase() }
      const all = await Promise.all(Array.from({ length: 4 }, () => start(t, testFolder(t), options)))
      t.same(await Promise.all(all.map(({ services }) => services.database.query(boxes))), [[], [], [], []])
      for (const { close } of all) await close()
    }
  })

  t.test('a server that goes away loses no row', async t => {
    const { services: { database } } = await start(t, testFolder(t), { url: server.url })
    database.put({ table: 'shelf_boxes', values: { id: 'before' } })
    await database.query(boxes)
    await server.stop()
    database.put({ table: 'shelf_boxes', values: { id: 'while' } })
    await eventually(() => database.status.problem !== undefined)
    await t.rejects(database.query(boxes), { code: 'PRN_ERR_DATABASE_UNAVAILABLE', statusCode: 503 })
    await server.start()
    await eventually(() => database.status.waiting === 0)
    t.same((await database.query(boxes)).map(({ id }) => id), ['before', 'while'])
  })
})

t.test('steps must be numbered without gaps, and an address must be one', async t => {
  await t.rejects(start(t, testFolder(t), {}, [second]), { message: /PRN_ERR_MIGRATION|number 2 stands where 1/ })
  await t.rejects(start(t, testFolder(t), { url: 'mysql://x' }), { code: 'PRN_ERR_PLUGIN_OPTIONS' })
})
