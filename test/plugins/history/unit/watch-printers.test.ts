import t, { type Test } from 'tap'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { closeForgotten } from '../../../../plugins/history/queries.js'
import { watchPrinters } from '../../../../plugins/history/watch-printers.js'
import { eventually } from '../../../helpers/eventually.js'
import { testFolder } from '../../../helpers/folder.js'

// Of services that share a database one records a printer. Who that is, and what was recorded before, is asked; a
// printer may go at any moment of that.

const RUNS = { writer: 'another service', print: { id: 'p1', result: 'running' } }
const OWNER = { serial: 'S', printer: 'x1c', model: 'X1C' }

/** A service with one live printer, whose questions to the database wait for their answers. */
function service (t: Test) {
  const questions: ((answer: unknown) => void)[] = []
  let isOver = false
  const query = async () => isOver ? [] : await new Promise(resolve => questions.push(resolve))
  const did: string[] = []
  let hearLive: (live: boolean) => void = () => {}
  const sessionOf = (name: string) => ({
    name,
    config: { serial: 'S' },
    model: { model: 'X1C' },
    live: true,
    events: {
      on (event: string, hear: typeof hearLive) {
        if (event === 'live') hearLive = hear
        return () => {}
      }
    }
  })
  const session = sessionOf('x1c')
  let follow: (session: object) => () => void = () => () => {}
  let forgotten: (name: string) => void = () => {}
  const recorder = {
    newest: () => undefined,
    observe: () => {},
    newestIds: () => [],
    catchUp: async () => {},
    continueFrom (_serial: string, { id }: { id: string }) { did.push(`goes on with ${id}`) },
    forget (owner: object) { did.push(`ends what runs on ${JSON.stringify(owner)}`) },
    watch ({ name }: { name: string }) {
      did.push(`records ${name}`)
      return () => {}
    },
    flush: async () => {}
  }
  const observer = {
    handOver: (_serial: string, print: unknown) => print, watch: () => () => {}, checkEnded: async () => {}
  }
  const watching = watchPrinters({
    printers: { names: [], eachLocal (each: typeof follow) { follow = each } },
    events: { on (event: string, hear: typeof forgotten) { if (event === 'printer:forgotten') forgotten = hear } },
    database: { status: { kind: 'postgres' }, query, put () {} },
    recorder,
    observer,
    instance: 'this service',
    onReady () {},
    onProblem (error: Error) { throw error }
  } as any)
  let leave = follow(session)
  t.teardown(async () => {
    isOver = true
    for (const answer of questions) answer([])
    await watching.close()
  })
  return {
    did,
    /** What the oldest question is answered. */
    async answer (value: unknown) {
      const next = questions.shift()
      t.ok(next, 'the database was asked')
      next?.(value)
      await new Promise(setImmediate)
    },
    /** The printer goes out of reach, or comes back. */
    reach (live: boolean) {
      session.live = live
      hearLive(live)
    },
    endSession: () => { leave() },
    forget: () => { forgotten('x1c') },
    add: (name: string) => { leave = follow(sessionOf(name)) }
  }
}

const ENDED = ['goes on with p1', `ends what runs on ${JSON.stringify(OWNER)}`]

/** In which order its session ends, it is forgotten, and the database tells who records it and what it has recorded. */
const WAYS = {
  'a printer that goes while it is asked who records it': ['ends', 'forgotten', 'who', 'record'],
  'one that goes while its record is read': ['who', 'ends', 'forgotten', 'record'],
  'one whose session has ended by then, and that is forgotten later': ['who', 'ends', 'record', 'forgotten']
} as const

for (const [name, steps] of Object.entries(WAYS)) {
  t.test(name, async t => {
    const { did, answer, endSession, forget, add } = service(t)
    const acts = { ends: endSession, forgotten: forget, who: () => answer(['S']), record: () => answer(RUNS) }
    for (const step of steps) await acts[step]()
    t.same(did, ENDED)
    await answer([]) // what people did
    add('other')
    await answer(['S'])
    await answer(RUNS)
    t.same(did.slice(ENDED.length), ['goes on with p1', 'records other'], 'it comes back at once under another name')
  })
}

t.test('one that comes back meanwhile goes on', async t => {
  const { did, answer, endSession, forget, add } = service(t)
  endSession()
  forget()
  await answer(['S'])
  add('other')
  await answer(RUNS)
  t.same(did, ['goes on with p1', 'records other'])
})

t.test('of one that another service records nothing is ended, now or later', async t => {
  const { did, answer, endSession, forget } = service(t)
  endSession()
  forget()
  for (let round = 0; round < 2; round++) {
    await answer([]) // who records it
    await answer([]) // what people did
  }
  t.same(did, [])
})

t.test('a printer that comes back after another service had it goes on with what that one recorded', async t => {
  const { did, answer, reach } = service(t)
  await answer(['S'])
  await answer(RUNS)
  await answer([]) // prints that were left running
  await answer([]) // what people did
  reach(false)
  reach(true)
  await answer(['S'])
  await answer({ writer: 'another service', print: { id: 'p2', result: 'running' } })
  t.same(did, ['goes on with p1', 'records x1c', 'goes on with p2', 'records x1c'])
})

t.test('an end that a killed service had not recorded is recorded as soon as the database answers', async t => {
  let isAway = true
  const problems: string[] = []
  const recorded: unknown[] = []
  const session = { name: 'x1c', config: { serial: 'S' }, model: { model: 'X1C' }, events: { on: () => () => {} } }
  const watching = watchPrinters({
    printers: { names: [], eachLocal (each: (session: object) => () => void) { each(session) } },
    events: { on () {} },
    database: { status: { kind: 'sqlite' }, async query () { if (isAway) throw new Error('away'); return true } },
    recorder: {
      async catchUp (owner: object, isOpen: (id: string) => Promise<boolean>) { if (await isOpen('p1')) recorded.push(owner) },
      watch: () => () => {},
      flush: async () => {}
    },
    observer: { watch: () => () => {} },
    instance: 'this service',
    onReady () {},
    onProblem (error: Error) { problems.push(error.message) },
    retryMs: 1
  } as any)
  t.teardown(() => watching.close())
  await eventually(() => problems.length > 0)
  t.same(recorded, [])
  isAway = false
  await eventually(() => recorded.length > 0)
  t.same(recorded, [OWNER])
  t.same(problems, ['away'], 'which is said once')
})

/** Which table a question is about, by the first thing that it does with the database. */
function subjectOf (question: (db: never) => Promise<unknown>): string {
  let subject = ''
  const first = (method: string) => (table: string) => {
    subject ||= `${method} ${table}`
    throw new Error('that is enough')
  }
  const db = new Proxy({}, { get: (_, method) => first(String(method)) })
  question(db as never).catch(() => {})
  return subject
}

t.test('what was left running is asked by whoever records the printer, and once at a time', async t => {
  let questions: 'refused' | 'kept' | 'over' = 'refused'
  let kept = 0
  let records = 0
  let hearLive: (live: boolean) => void = () => {}
  const session = {
    name: 'x1c',
    config: { serial: 'S' },
    model: { model: 'X1C' },
    live: true,
    events: { on (event: string, hear: typeof hearLive) { if (event === 'live') hearLive = hear; return () => {} } }
  }
  const reach = (live: boolean) => {
    session.live = live
    hearLive(live)
  }
  async function query (question: (db: never) => Promise<unknown>): Promise<unknown> {
    const subject = subjectOf(question)
    if (subject === 'insertInto history_writers') return ['S']
    if (subject === 'selectFrom history_newest') return RUNS
    if (subject !== 'selectFrom history_writers' && !subject.startsWith('updateTable history_prints')) return []
    if (questions === 'over') return true
    if (questions === 'refused') throw new Error('away')
    kept++
    return await new Promise(() => {})
  }
  const watching = watchPrinters({
    printers: { names: [], eachLocal (each: (one: object) => () => void) { each(session) } },
    events: { on () {} },
    database: { status: { kind: 'postgres' }, query, put () {} },
    recorder: {
      newest: () => undefined,
      observe: () => {},
      newestIds: () => [],
      catchUp: async () => {},
      continueFrom () {},
      watch () { records++; return () => {} },
      flush: async () => {}
    },
    observer: { handOver: (_: string, print: unknown) => print, watch: () => () => {}, checkEnded: async () => {} },
    instance: 'this service',
    onReady () {},
    onProblem () {},
    retryMs: 1
  } as any)
  t.teardown(async () => {
    questions = 'over'
    await watching.close()
  })
  const pass = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setTimeout(resolve, 2))
  }
  for (let takeover = 1; takeover <= 5; takeover++) {
    await eventually(() => records === takeover)
    if (takeover === 5) break
    reach(false)
    reach(true)
  }
  questions = 'kept'
  await eventually(() => kept > 0)
  await pass()
  t.equal(kept, 1, 'five takeovers ask as often as one')

  questions = 'refused'
  reach(false)
  reach(true)
  await eventually(() => records === 6)
  reach(false)
  await pass()
  questions = 'kept'
  await pass()
  t.equal(kept, 1, 'another service may record it by now')
})

t.test('a print of the service that has taken over goes on', async t => {
  const db = await connectSqlite(async () => testFolder(t))()
  t.teardown(() => db.destroy())
  const table = (name: string, ...columns: string[]) =>
    columns.reduce((all, column) => all.addColumn(column, 'text'), db.schema.createTable(name)).execute()
  await table('history_prints', 'id', 'serial', 'result')
  await table('history_writers', 'id', 'owner')
  await db.insertInto('history_prints').values(['S', 'T'].map(serial => ({ id: `p${serial}`, serial, result: 'running' }))).execute()
  await db.insertInto('history_writers').values([{ id: 'S', owner: 'B' }, { id: 'T', owner: 'A' }]).execute()
  const results = async () => (await db.selectFrom('history_prints').selectAll().orderBy('id').execute()).map(({ result }) => result)
  t.equal(await closeForgotten(db as never, ['S'], [], 'A'), undefined, 'not yet')
  t.same(await results(), ['running', 'running'])
  t.equal(await closeForgotten(db as never, ['S', 'T'], [], 'A'), true)
  t.same(await results(), ['running', 'unknown'])
  t.equal(await closeForgotten(db as never, ['S'], ['pS']), true)
  t.same(await results(), ['running', 'unknown'], 'known here')
  t.equal(await closeForgotten(db as never, ['S'], []), true)
  t.same(await results(), ['unknown', 'unknown'])
})
