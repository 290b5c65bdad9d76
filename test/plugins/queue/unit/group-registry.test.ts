import t, { type Test } from 'tap'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { GroupRegistry, MOST_GROUPS } from '../../../../plugins/queue/group-registry.js'
import { migrations } from '../../../../plugins/queue/migrations.js'
import type { Options } from '../../../../plugins/queue/options.js'
import { isSelfClearing } from '../../../../plugins/queue/plate-clearing.js'
import { pause } from '../../../../plugins/queue/store/pauses.js'
import { testFolder } from '../../../helpers/folder.js'

const NOW = 1_700_000_000_000

async function open (t: Test) {
  const db = await connectSqlite(async () => testFolder(t))()
  t.teardown(() => db.destroy())
  for (const { up } of migrations) await up(db, 'sqlite' as never)
  const names = ['a1', 'x1c']
  const configs: Record<string, { serial: string }> = { a1: { serial: 'A' }, x1c: { serial: 'X' } }
  const config = (name: string) => names.includes(name) ? configs[name] : undefined
  const service = (inFile: Options['groups'] = []) => new GroupRegistry({
    database: {
      query: work => work(db as never),
      change: work => db.transaction().execute(change => work(change as never))
    },
    kernel: { now: () => NOW, printers: { names, config } } as never,
    inFile
  })
  return { db: db as any, names, configs, service }
}

const job = (printers: readonly string[]) => ({
  id: printers.join() || 'any',
  name: 'j',
  state: 'open',
  priority: 0,
  position: 0,
  alternatives: '[]',
  copies: 1,
  taken: 0,
  finished: 0,
  needs: JSON.stringify({ printers }),
  not_before: null,
  retries: 0,
  held: 0,
  note: '',
  created_at: NOW,
  created_by: '',
  ended_at: null
})

t.test('a group is made, changed and known to every service', async t => {
  const { names, service } = await open(t)
  const [one, other] = [service(), service()]
  await one.add('hall', { printers: ['a1'], hours: { from: '08:00', to: '18:00', days: [1, 2] }, spacingSeconds: 60 }, 'Ann')
  await other.read()
  t.same(other.all, [{ name: 'hall', printers: ['a1'], hours: { from: '08:00', to: '18:00', days: [1, 2] }, spacingSeconds: 60, selfClearing: false }])
  names.splice(0, 1)
  await other.change('hall', { printers: ['a1', 'x1c'] }, 'Ben')
  t.match(other.all, [{ printers: ['a1', 'x1c'], hours: { from: '08:00' }, spacingSeconds: 60 }], 'one that was removed meanwhile stays in its group')
  await other.change('hall', { hours: null, selfClearing: true }, 'Ben')
  await one.read()
  t.same(one.all, [{ name: 'hall', printers: ['a1', 'x1c'], spacingSeconds: 60, selfClearing: true }])
})

t.test('what cannot be a group is refused', async t => {
  const { service } = await open(t)
  const groups = service()
  await groups.add('hall', {}, 'Ann')
  await t.rejects(groups.add('hall', {}, 'Ann'), { code: 'PRN_ERR_QUEUE_GROUP_EXISTS' })
  await t.rejects(groups.add('x1c', {}, 'Ann'), { code: 'PRN_ERR_BAD_INPUT', message: /'x1c' is a printer/ })
  await t.rejects(groups.add('room', { printers: ['x2'] }, 'Ann'), { code: 'PRN_ERR_BAD_INPUT', message: /unknown printer 'x2'/ })
  await t.rejects(groups.change('hall', { printers: ['x2'] }, 'Ann'), { code: 'PRN_ERR_BAD_INPUT' })
  await t.rejects(groups.change('room', {}, 'Ann'), { code: 'PRN_ERR_NO_SUCH_GROUP' })
  await t.rejects(groups.remove('room', 'Ann'), { code: 'PRN_ERR_NO_SUCH_GROUP' })
  for (let number = 1; number < MOST_GROUPS; number++) await groups.add(`group ${number}`, {}, 'Ann')
  await t.rejects(groups.add('one more', {}, 'Ann'), { code: 'PRN_ERR_QUEUE_GROUPS_FULL' })
  t.equal(groups.all.length, MOST_GROUPS)
})

t.test('groups of the configuration file are only changed there', async t => {
  const { service } = await open(t)
  await service().add('stored', {}, 'Ann')
  const groups = service([{ name: 'file', printers: [], spacingSeconds: 0, selfClearing: false }])
  await groups.read()
  t.match([groups.origin, groups.all.map(({ name }) => name)], ['file', ['file']])
  for (const work of [() => groups.add('more', {}, 'Ann'), () => groups.change('file', {}, 'Ann'), () => groups.remove('file', 'Ann')]) {
    await t.rejects(work(), { code: 'PRN_ERR_SET_IN_FILE' })
  }
})

t.test('a group stays while removing it would start prints that somebody holds back', async t => {
  const { db, service } = await open(t)
  const groups = service()
  await groups.add('hall', {}, 'Ann')
  const refused = async (why: RegExp) =>
    await t.rejects(groups.remove('hall', 'Ann'), { code: 'PRN_ERR_QUEUE_GROUP_STAYS', message: why })
  await pause(db, { id: 'group:hall', until: undefined, by: 'Ann', now: NOW })
  await refused(/it is paused/)
  await db.deleteFrom('queue_pauses').execute()
  await pause(db, { id: 'group:hall', until: NOW - 1, by: 'Ann', now: NOW })
  await db.insertInto('queue_jobs').values([job(['hall']), job([])]).execute()
  await refused(/open jobs ask for it \(1\)/)
  await db.updateTable('queue_jobs').set({ state: 'done' }).execute()
  const release = groups.namedBy('Night', name => name === 'hall')
  await refused(/the page Night names it/)
  release()
  await groups.remove('hall', 'Ann')
  t.same(groups.all, [])
})

t.test('a group is renamed with its jobs and its last start, but not while something else holds it by its name', async t => {
  const { db, service } = await open(t)
  const one = service()
  await one.add('hall', { printers: ['a1'], spacingSeconds: 60, stopAfterFailures: 3 }, 'Ann')
  await one.add('yard', { printers: ['x1c'] }, 'Ann')
  await db.insertInto('queue_jobs').values([job(['hall', 'x1c']), { ...job(['hall']), state: 'failed' }, job(['yard'])]).execute()
  await db.insertInto('queue_groups').values({ id: 'hall', started_at: NOW - 1_000 }).execute()
  await t.rejects(one.change('hall', {}, 'Ben', 'yard'), { code: 'PRN_ERR_QUEUE_GROUP_EXISTS' })
  await t.rejects(one.change('hall', {}, 'Ben', 'x1c'), { code: 'PRN_ERR_BAD_INPUT' })
  await pause(db, { id: 'group:hall', until: undefined, by: 'Ann', now: NOW })
  await t.rejects(one.change('hall', {}, 'Ben', 'Hall 2'), { code: 'PRN_ERR_QUEUE_GROUP_STAYS', message: /paused/ })
  await db.deleteFrom('queue_pauses').execute()
  const end = one.namedBy('Night', name => name === 'hall')
  await t.rejects(one.change('hall', {}, 'Ben', 'Hall 2'), { code: 'PRN_ERR_QUEUE_GROUP_STAYS', message: /the page Night names it/ })
  end()
  t.throws(() => one.checkRenaming('hall', 'Hall 2', { pauses: new Map([['group:hall', Infinity]]) }), { code: 'PRN_ERR_QUEUE_GROUP_STAYS' })
  t.match(one.all, [{ name: 'hall' }, { name: 'yard' }])
  await one.change('hall', { stopAfterFailures: null }, 'Ben', 'Hall 2')
  t.same(one.all[0], { name: 'Hall 2', printers: ['a1'], spacingSeconds: 60, selfClearing: false })
  const rows = await db.selectFrom('queue_jobs').select('needs').orderBy('id').execute()
  t.same(rows.map(({ needs }: { needs: string }) => JSON.parse(needs).printers), [['Hall 2'], ['Hall 2', 'x1c'], ['yard']])
  t.same(await db.selectFrom('queue_groups').selectAll().execute(), [{ id: 'Hall 2', started_at: NOW - 1_000 }], 'it waits as long as before')
})

t.test('a group keeps a printer that is renamed, and takes no other one for it', async t => {
  const { names, configs, service } = await open(t)
  const groups = service()
  await groups.add('belt', { printers: ['a1', 'x1c'], selfClearing: true }, 'anna')
  names[0] = 'left'
  configs.left = { serial: 'A' }
  delete configs.a1
  t.same(groups.all[0]?.printers, ['left', 'x1c'], 'renamed')
  names.splice(1, 1)
  delete configs.x1c
  t.same(groups.all[0]?.printers, ['left', 'x1c'], 'removed')
  names.push('x1c')
  configs.x1c = { serial: 'NEW' }
  const [belt] = groups.all
  t.same([belt?.printers, belt?.strangers], [['left', 'x1c'], ['x1c']], 'another machine has its name now')
  t.same(['left', 'x1c'].map(name => isSelfClearing(name, groups.all)), [true, false], 'nobody knows whether it clears its plate')
  const other = service()
  await other.read()
  await other.change('belt', { spacingSeconds: 60 }, 'ben')
  await other.change('belt', { printers: ['left', 'x1c'] }, 'ben')
  t.same(other.all[0]?.strangers, ['x1c'], 'whoever changes something else has not put it in')
  await other.change('belt', { printers: ['left'] }, 'ben')
  await other.change('belt', { printers: ['left', 'x1c'] }, 'ben')
  t.same(other.all[0], { name: 'belt', printers: ['left', 'x1c'], spacingSeconds: 60, selfClearing: true }, 'now somebody has')
})

t.test('groups that were stored before serial numbers were known keep their limits, but clear no plates', async t => {
  const { db, configs, service } = await open(t)
  const hours = { from: '08:00', to: '18:00' }
  const group = { name: 'belt', printers: ['x1c', 'gone'], hours, spacingSeconds: 60, selfClearing: true }
  await db.insertInto('queue_settings')
    .values({ id: 'groups', value: JSON.stringify({ groups: [group] }), revision: 1, changed_at: 0, changed_by: '' }).execute()
  const groups = service()
  await groups.read()
  t.same(groups.all, [{ ...group, strangers: ['x1c'] }])
  t.notOk(isSelfClearing('x1c', groups.all))
  configs.x1c = { serial: 'NEW' }
  await groups.change('belt', { spacingSeconds: 120 }, 'anna')
  t.same(groups.all[0]?.strangers, ['x1c'], 'a change of something else puts no machine in')
  const inFile = service([group])
  t.ok(isSelfClearing('x1c', inFile.all), 'the configuration file goes by names')
})

t.test('each group has its own printers, whatever they are called', async t => {
  const { db, configs, names, service } = await open(t)
  const groups = service()
  Object.assign(configs, { constructor: { serial: 'C' } })
  names.push('constructor')
  await groups.add('one', { printers: ['x1c', 'constructor'], selfClearing: true }, 'anna')
  names.splice(names.indexOf('x1c'), 1)
  configs.x1c = { serial: 'NEW' }
  names.push('x1c')
  await groups.add('two', { printers: ['x1c'] }, 'anna')
  const stored = async () => JSON.parse((await db.selectFrom('queue_settings').select('value').executeTakeFirst()).value).groups
  t.match(await stored(), [{ serials: { x1c: 'X', constructor: 'C' } }, { serials: { x1c: 'NEW' } }])
  names.splice(names.indexOf('x1c'), 1)
  await groups.change('one', { spacingSeconds: 1 }, 'ben')
  t.match(await stored(), [{ serials: { x1c: 'X', constructor: 'C' } }, { serials: { x1c: 'NEW' } }], 'also where neither is known')
  t.equal(groups.all[0]?.strangers, undefined)
})
