import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import t, { type Test } from 'tap'
import { createWriters } from '../../../../plugins/history/writers.js'
import { eventually } from '../../../helpers/eventually.js'

/** A service that could record two printers, with a database that grants it what the test says, or is away. */
function service (t: Test) {
  const did: string[] = []
  let rounds = 0
  const test = { granted: undefined as readonly string[] | undefined, wanted: ['A', 'B'] as readonly string[] }
  const writers = createWriters({
    query: async () => {
      if (!test.granted) throw new Error('the database is away')
      return test.granted as never
    },
    instance: 'this one',
    wanted: () => test.wanted,
    begin: async serial => { did.push(`begins ${serial}`) },
    end: serial => { did.push(`ends ${serial}`) },
    renewed: async () => { rounds++ },
    onProblem: () => {}
  })
  t.teardown(() => writers.close())
  const round = async (granted: readonly string[] | undefined) => {
    test.granted = granted
    const before = rounds
    writers.renew()
    await eventually(() => rounds > before)
    return did.splice(0)
  }
  return { writers, test, round }
}

t.test('while the database is away, no service takes over the printers of another', async t => {
  const { writers, round } = service(t)
  t.same(await round(['A']), ['begins A'], 'the other one is recorded elsewhere')
  t.same(await round(undefined), [], 'each goes on with its own')
  writers.suspend('A')
  t.same(await round(undefined), ['begins A'], 'a printer that comes back is still its own')
  t.same(await round(['A', 'B']), ['begins B'])
  t.same(await round(['B']), ['ends A'])
  t.same(await round(undefined), [])
})

t.test('a service that has never reached the database records what it sees', async t => {
  const { round } = service(t)
  t.same(await round(undefined), ['begins A', 'begins B'])
  t.same(await round(['B']), ['ends A'], 'until it is told otherwise')
})

t.test('all services claim printers in the same order', async t => {
  const claims: (readonly unknown[])[] = []
  const db = new Kysely<any>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: of => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler()
    },
    log: ({ query: { parameters } }) => { claims.push(parameters) }
  })
  for (const serials of [['C', 'A', 'B'], ['B', 'C', 'A']]) {
    const writers = createWriters({
      query: work => work(db),
      instance: 'one',
      wanted: () => serials,
      begin: async () => {},
      end: () => {},
      renewed: async () => {},
      onProblem: error => t.fail(error.message)
    })
    writers.renew()
    await writers.close()
  }
  t.equal(claims.length, 2)
  t.same(claims[0], claims[1])
})
