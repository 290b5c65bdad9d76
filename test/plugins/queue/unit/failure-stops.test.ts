import t, { type Test } from 'tap'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { createStopTeller, mostFailuresOf } from '../../../../plugins/queue/failure-stops.js'
import { migrations } from '../../../../plugins/queue/migrations.js'
import { createStore } from '../../../../plugins/queue/store/index.js'
import type { Run } from '../../../../plugins/queue/types.js'
import { testFolder } from '../../../helpers/folder.js'
import { waitingJob } from '../views.js'

const NOW = 1_700_000_000_000

const runOn = (serial: string, now: number): Run => ({
  id: `r${now}`,
  job: 'job',
  serial,
  printer: serial,
  state: 'preparing',
  owner: '',
  task: 1,
  file: 'a',
  plate: 1,
  path: '/a',
  before: undefined,
  seconds: 0,
  createdAt: now,
  sentAt: undefined,
  endedAt: undefined,
  reason: '',
  print: ''
})

async function openStore (t: Test) {
  const db = await connectSqlite(async () => testFolder(t))()
  t.teardown(() => db.destroy())
  for (const { up } of migrations) await up(db, 'sqlite' as never)
  const store = createStore({ query: (work: any) => work(db) } as never, [])
  await store.addJob(waitingJob('job', { copies: 100 }).job)
  let now = NOW
  /** Prints a copy, if the queue may. @returns whether it did */
  async function print (state: 'finished' | 'failed' | 'cancelled' | 'not_started', { most = 2, reason = 'jam', serial = 'one' } = {}) {
    await store.confirmClear({ serial, identity: '', by: '', now: ++now })
    const run = runOn(serial, ++now)
    if (!await store.claim(run, [])) return false
    await store.end(run, { state, reason, plate: 'used', identity: '', by: '', now: ++now, mostFailures: most })
    return true
  }
  const record = async (serial = 'one') => (await store.failures()).get(serial)
  return { store, print, record }
}

t.test('a printer is stopped after failures in a row, until a person releases that stop', async t => {
  const { store, print, record } = await openStore(t)
  for (const state of ['failed', 'finished', 'failed', 'cancelled', 'not_started'] as const) t.ok(await print(state), state)
  t.match(await record(), { failures: 1, stoppedAt: undefined }, 'a finished print ends the row; a cancelled one counts for nothing')
  t.ok(await print('failed', { reason: 'the nozzle is clogged' }))
  const { stoppedAt = 0 } = await record() ?? {}
  t.match(await record(), { failures: 2, reason: 'the nozzle is clogged', isTold: false })
  t.ok(stoppedAt > NOW)
  t.notOk(await print('finished'), 'nothing is started there, whoever confirms its plate')
  t.ok(await print('finished', { serial: 'two' }), 'other printers go on')
  t.notOk(await store.release('one', stoppedAt - 1), 'a stop that nobody has seen is not ended')
  t.ok(await store.release('one', stoppedAt))
  t.notOk(await store.release('one', stoppedAt), 'once')
  t.ok(await print('failed'), 'it begins to count anew')
  t.match(await record(), { failures: 1, stoppedAt: undefined })
})

t.test('how many failures stop a printer can be set for it', async t => {
  const { store, print, record } = await openStore(t)
  for (let times = 0; times < 5; times++) t.ok(await print('failed', { most: 0 }), 'never with 0')
  await store.setMostFailures('one', 3)
  t.ok(await print('failed', { most: 0 }), 'what a person has set counts')
  t.type((await record())?.stoppedAt, 'number')
  await store.setMostFailures('two', 0)
  for (let times = 0; times < 3; times++) t.ok(await print('failed', { serial: 'two' }))
  t.equal((await record('two'))?.stoppedAt, undefined)
  await store.setMostFailures('two', undefined)
  t.match(await record('two'), { most: undefined, failures: 3 })
  t.ok(await print('failed', { serial: 'two' }), 'the configured number counts again')
  t.type((await record('two'))?.stoppedAt, 'number')
})

t.test('of several services one tells of a stop, once, with the reason', async t => {
  const { store, print, record } = await openStore(t)
  for (let times = 0; times < 2; times++) await print('failed', { reason: 'jam' })
  const told: unknown[] = []
  const acts: unknown[] = []
  const kernel = {
    printers: { sessions: [{ name: 'x1c', config: { serial: 'one' } }] },
    events: {
      emit: (event: string, { operation, printer, surface }: Record<string, unknown>) =>
        acts.push([event, operation, printer, surface])
    },
    now: () => NOW
  }
  const raise = (printer: string, { payload }: any) => { told.push([printer, payload.reason]) }
  const deps = { kernel: kernel as never, store, raise }
  const [tellStops, tellThere] = [createStopTeller(deps), createStopTeller(deps)]
  const snapshot = await store.snapshot()
  await tellStops(snapshot)
  await tellThere(snapshot)
  await tellStops(await store.snapshot())
  t.match(told, [['x1c', /^held after failed prints in a row \(2\), the last: jam; release it/]])
  t.equal(told.length, 1)
  t.same(acts, [['operation:done', 'queue.stopPrinter', 'x1c', 'queue']])
  const { stoppedAt = 0 } = await record() ?? {}
  await store.release('one', stoppedAt)
  for (let times = 0; times < 2; times++) await print('failed')
  await tellStops(await store.snapshot())
  t.equal(told.length, 2, 'the next stop is told too')
})

t.test('a stop that cannot be told, or be stored as told, is told all the same', async t => {
  const { store, print, record } = await openStore(t)
  for (const serial of ['one', 'two']) for (let times = 0; times < 2; times++) await print('failed', { serial })
  const sessions = ['one', 'two'].map(serial => ({ name: serial, config: { serial } }))
  const kernel = { printers: { sessions }, events: { emit () {} }, now: () => NOW } as never
  const told: string[] = []
  let isBroken = true
  const raise = (printer: string) => {
    if (isBroken) throw new Error('broken')
    told.push(printer)
  }
  const tellStops = createStopTeller({ kernel, store, raise })
  await t.rejects(tellStops(await store.snapshot()), /broken/)
  t.match(await record(), { isTold: false })
  isBroken = false
  await tellStops(await store.snapshot())
  t.same(told, ['one', 'two'])
  t.match(await record(), { isTold: true })
  for (let times = 0; times < 2; times++) await print('failed', { serial: 'three' })
  sessions.push({ name: 'three', config: { serial: 'three' } })
  const full = { failures: store.failures, tellStop: async () => { throw new Error('the disk is full') } }
  const tellOnFull = createStopTeller({ kernel, store: full, raise })
  for (let turn = 0; turn < 2; turn++) await t.rejects(tellOnFull(await store.snapshot()), /the disk is full/)
  t.same(told.slice(2), ['three'], 'once by this service')
})

t.test('a run is ended only from the state in which it was read', async t => {
  const { store } = await openStore(t)
  await store.confirmClear({ serial: 'one', identity: '', by: '', now: NOW })
  const run = runOn('one', NOW)
  t.ok(await store.claim(run, []))
  t.ok(await store.aboutToSend(run, { shown: '', pauses: [], now: NOW }))
  const how = { state: 'not_started', reason: '', plate: 'as_before', identity: '', by: '', now: NOW, mostFailures: 0 } as const
  t.notOk(await store.end(run, { ...how, from: ['preparing'] }), 'it was sent meanwhile')
  t.match(await store.activeRun('one'), { state: 'sending' })
  t.ok(await store.end(run, how))
})

t.test('of several groups the strictest number counts', t => {
  const group = (name: string, most?: number) =>
    ({ name, printers: ['a'], spacingSeconds: 0, selfClearing: false, ...most !== undefined && { stopAfterFailures: most } })
  const of = (...groups: ReturnType<typeof group>[]) => mostFailuresOf('a', { groups, stopAfterFailures: 2 })
  t.same([of(), of(group('x')), of(group('x', 5), group('y', 3)), of(group('x', 0), group('y', 4)), of(group('x', 0))], [2, 2, 3, 4, 0])
  t.end()
})

t.test('a print that was warmed takes the turn of its group again', async t => {
  const { store } = await openStore(t)
  const spacings = [{ group: 'fuse', ms: 1_000, names: [], serials: [] }]
  const [first, second] = [runOn('one', NOW + 10_000), runOn('two', NOW + 12_000)]
  for (const [run, serial] of [[first, 'one'], [second, 'two']] as const) {
    await store.confirmClear({ serial, identity: '', by: '', now: NOW })
    t.ok(await store.claim(run, spacings))
  }
  t.ok(await store.takeTurnAgain(second, spacings, NOW + 12_500), 'nobody else has begun since')
  t.notOk(await store.takeTurnAgain(first, spacings, NOW + 13_000))
  t.ok(await store.takeTurnAgain(first, spacings, NOW + 13_500))
})
