import t, { type Test } from 'tap'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { migrations } from '../../../../plugins/queue/migrations.js'
import { pauseQueue } from '../../../../plugins/queue/operations/printers.js'
import { createStore } from '../../../../plugins/queue/store/index.js'
import { inForce, namedPauses, pause, readPauses, resume } from '../../../../plugins/queue/store/pauses.js'
import { pausesOf, viewOf } from '../../../../plugins/queue/view.js'
import { testFolder } from '../../../helpers/folder.js'

const NOW = 1_700_000_000_000
const HOUR = 3_600_000

async function openDb (t: Test) {
  const db = await connectSqlite(async () => testFolder(t))()
  t.teardown(() => db.destroy())
  for (const { up } of migrations) await up(db, 'sqlite' as never)
  return db
}

t.test('a pause with an end ends, and neither shortens nor replaces one of a person', async t => {
  const db = await openDb(t)
  const set = (hours: number | undefined) =>
    pause(db, { id: 'queue', until: hours === undefined ? undefined : NOW + hours * HOUR, by: 'x', now: NOW })
  const isHeld = async (hours: number): Promise<boolean> =>
    await db.selectNoFrom(({ exists, ...rest }) => exists(inForce(['queue'], NOW + hours * HOUR)(rest)).as('held')).executeTakeFirst()
      .then(row => Boolean(row?.held))
  await set(9)
  t.equal((await readPauses(db)).get('queue'), NOW + 9 * HOUR)
  t.same([await isHeld(8), await isHeld(9)], [true, false], 'nothing starts before its end, and what waits starts after it')
  await set(5)
  t.equal((await readPauses(db)).get('queue'), NOW + 9 * HOUR, 'of two ends the later one counts')
  await set(10)
  t.equal((await readPauses(db)).get('queue'), NOW + 10 * HOUR)
  await set(undefined)
  t.equal((await readPauses(db)).get('queue'), Infinity)
  await set(1)
  t.equal((await readPauses(db)).get('queue'), Infinity, 'a rule does not end what a person paused')
  t.equal(await isHeld(1_000), true)
  await resume(db, ['queue'])
  t.same([...await readPauses(db)], [], 'whoever resumes it ends every pause')
})

/** A queue whose printers are called as the test says, by serial. */
async function openPausable (t: Test, names: Record<string, string>) {
  const db = await openDb(t)
  const printers = () => Object.entries(names).map(([serial, name]) => ({ name, serial }))
  const store = createStore({ query: (work: any) => work(db) }, [namedPauses(printers)])
  const kernel: any = {
    now: () => NOW,
    printers: {
      get names () { return Object.values(names) },
      config: (name: string) => printers().find(one => one.name === name),
      get: (name: string) => ({ config: kernel.printers.config(name), name, model: { extruders: 1 }, service: 'PAUSED' })
    }
  }
  const context: any = { kernel, services: { queue: { store, groups: [], runner: { wake () {} } } }, askedBy: 'Ann' }
  return {
    db,
    store,
    set: async (of: string, paused: boolean, minutes?: number) =>
      await pauseQueue.run(context, { of, paused, ...minutes !== undefined && { minutes } }),
    /** Names of the printers that are paused in the view of the queue. */
    async paused () {
      const situation: any = { kernel, snapshot: await store.snapshot(), groups: [], holdBacks: [], identity: () => '', warming: {} }
      const { printers } = viewOf(situation, new Set(), 0)
      return printers.filter(({ isPaused }) => isPaused).map(({ machine }) => machine.name)
    },
    /** Whether a start that was decided before is still sent. */
    async isKept (name: string, serial: string) {
      const { held } = await db.selectNoFrom(({ exists, ...rest }) =>
        exists(inForce(pausesOf({ name, serial }, []), NOW)(rest)).as('held')).executeTakeFirstOrThrow()
      return Boolean(held)
    }
  }
}

t.test('a printer stays paused under a new name, and the next one of its old name is not', async t => {
  const names: Record<string, string> = { S1: 'x1', S2: 'p1' }
  const { set, paused, isKept } = await openPausable(t, names)
  await set('x1', true)
  await set('p1', true, 10)
  Object.assign(names, { S1: 'Left', S2: 'Right', S3: 'x1' })
  t.same(await paused(), ['Left', 'Right'])
  t.same([await isKept('Left', 'S1'), await isKept('x1', 'S3')], [true, false])
  await set('Left', false)
  await set('Right', false)
  t.same([await paused(), await isKept('Left', 'S1')], [[], false])
})

t.test('what an earlier version has paused by name stays paused when the printer is renamed', async t => {
  const names: Record<string, string> = { S1: 'x1', S2: 'p1' }
  const { db, set, paused } = await openPausable(t, names)
  await pause(db, { id: 'printer:x1', until: undefined, by: 'Ann', now: NOW })
  await pause(db, { id: 'printer:p1', until: NOW + HOUR, by: 'Ann', now: NOW })
  t.same(await paused(), ['x1', 'p1'])
  await set('p1', false)
  names.S1 = 'Left'
  t.same(await paused(), ['Left'])
})

t.test('a move by hand keeps the queue away, unless a start is on its way', async t => {
  const { db, store, set, paused } = await openPausable(t, { S1: 'x1' })
  const move = (at: number) => ({ serial: 'S1', until: at + 300_000, now: at })
  t.equal(await store.beginMove(move(NOW)), 'began')
  t.same(await store.occupationOf('S1'), { run: undefined, movedUntil: NOW + 300_000 })
  t.equal(await store.beginMove(move(NOW + 60_000)), 'again')
  await store.endMove(move(NOW))
  t.same(await paused(), ['x1'], 'only the last one is taken back')
  await store.endMove(move(NOW + 60_000))
  t.same(await paused(), [])
  await store.beginMove(move(NOW))
  await set('x1', false)
  t.same(await paused(), [], 'whoever resumes it ends that as well')
  await db.insertInto('queue_runs').values({ id: 'r', job: 'j', serial: 'S1', printer: 'x1', state: 'sending', owner: '', task: 1, file: '', plate: 1, path: '', seconds: 0, created_at: 1, reason: '', print: '', forgiven: 0 }).execute()
  t.equal(await store.beginMove(move(NOW)), 'starts')
  t.same((await store.occupationOf('S1')).movedUntil, 0)
})
