import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { createSettingsTable, SharedSettings } from '../../../../plugins/database/shared-settings.js'
import { testFolder } from '../../../helpers/folder.js'

const schema = Type.Object({ names: Type.Array(Type.String()) })

async function openDb (t: Test) {
  const db = await connectSqlite(async () => testFolder(t))()
  t.teardown(() => db.destroy())
  await createSettingsTable(db, 'demo_settings')
  const service = (inFile?: { names: string[] }) => new SharedSettings({
    database: {
      query: work => work(db as never),
      change: work => db.transaction().execute(change => work(change as never))
    },
    table: 'demo_settings',
    id: 'names',
    schema,
    now: () => 1_000,
    inFile,
    option: 'plugins.demo.names'
  })
  return { db: db as any, service }
}

const plus = (name: string) => (known: { names: string[] } | undefined) => ({ names: [...known?.names ?? [], name] })

t.test('services on one database have the same settings, and two people do not undo each other', async t => {
  const { db, service } = await openDb(t)
  const [one, other] = [service(), service()]
  t.match([one.origin, one.value, one.isRead], ['none', undefined, false])
  t.equal(await one.read(), undefined)
  t.match([one.origin, one.isRead], ['none', true], 'nobody has chosen')
  await Promise.all([one.change(plus('a'), 'Ann'), other.change(plus('b'), 'Ben')])
  await other.read()
  t.same(other.value?.names.toSorted(), ['a', 'b'])
  await one.read()
  t.match([one.origin, one.value], ['stored', other.value])
  t.match(await db.selectFrom('demo_settings').selectAll().execute(), [{ revision: 2, changed_at: 1_000 }])
})

t.test('a change of what somebody has read is refused once another one was stored', async t => {
  const { service } = await openDb(t)
  const [one, other] = [service(), service()]
  await other.read()
  await one.change(plus('a'), 'Ann', one.revision)
  t.same([one.revision, other.revision], [1, 0])
  await t.rejects(other.change(plus('b'), 'Ben', other.revision), { code: 'PRN_ERR_SETTINGS_CHANGED' })
  await other.read()
  await other.change(plus('b'), 'Ben', other.revision)
  t.same(other.value, { names: ['a', 'b'] })
  await one.change(plus('c'), 'Ann')
  t.equal(one.revision, 3, 'whoever has read nothing adds to what there is')
})

t.test('what was read before a change does not undo it', async t => {
  const { db, service } = await openDb(t)
  const settings = service()
  await settings.change(plus('a'), 'Ann')
  let go = () => {}
  const late = {
    selectFrom: () => late,
    selectAll: () => late,
    where: () => late,
    async executeTakeFirst () {
      const row = await db.selectFrom('demo_settings').selectAll().executeTakeFirst()
      await new Promise<void>(resolve => { go = resolve; arrived() })
      return row
    }
  }
  let arrived = () => {}
  const isRead = new Promise<void>(resolve => { arrived = resolve })
  const reading = settings.readIn(late as never)
  await isRead
  await settings.change(plus('b'), 'Ann')
  go()
  await reading
  t.same(settings.value, { names: ['a', 'b'] })
})

t.test('the configuration file comes first, and says where to change it', async t => {
  const { db, service } = await openDb(t)
  await service().change(plus('a'), 'Ann')
  const settings = service({ names: ['file'] })
  t.match([settings.origin, settings.value, settings.isRead], ['file', { names: ['file'] }, true])
  t.same(await settings.readIn(db as never), { names: ['file'] })
  await t.rejects(settings.change(plus('b'), 'Ann'), { code: 'PRN_ERR_SET_IN_FILE', message: /plugins\.demo\.names/ })
})

t.test('settings that cannot be read do not count as none', async t => {
  const { db, service } = await openDb(t)
  const settings = service()
  await settings.change(plus('a'), 'Ann')
  await db.updateTable('demo_settings').set({ value: '{"names":7}' }).execute()
  await t.rejects(settings.read(), /cannot be read: names must be array/)
  t.same(settings.value, { names: ['a'] }, 'the last ones go on')
  await t.rejects(settings.change(plus('b'), 'Ann'), /cannot be read/)
})
