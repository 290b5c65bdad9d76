import t, { type Test } from 'tap'
import type { RunningPrint } from '../../../plugins/history/index.js'
import { NO_DETAILS } from '../../../plugins/spools/tables.js'
import { importSpools } from '../../../plugins/spools/transfer/import.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { open, world, type World } from './services.js'

const filament = (grams: number | null, tag = 'T1', basis: 'layers' | 'scaled' = 'layers') =>
  ({ filament: 1, place: 'ams 0 slot 0', tag, material: 'PLA', color: '', grams, grams_basis: grams === null ? null : basis, metres: null, cost: null })

const ended = (of: World, id: string, startedAt: number, endedAt: number, grams: number): void => {
  of.prints.set(id, {
    id, serial: 'S', printer: 'x1', result: 'finished', started_at: startedAt, ended_at: endedAt, grams_open_until: null, filaments: [filament(grams)]
  })
}
const inProgress = (id: string, grams: number | null, more: { readonly isCurrent?: boolean, readonly basis?: 'scaled' } = {}): RunningPrint =>
  ({ id, serial: 'S', printer: 'x1', isCurrent: more.isCurrent ?? true, filaments: [filament(grams, 'T1', more.basis), filament(99, 'OTHER')] })

type Service = Awaited<ReturnType<typeof open>>
const left = async ({ service }: Service): Promise<number> => {
  const { row } = await service.inventory.find('s1')
  return Math.round(((row.net ?? 0) - row.used) * 100) / 100
}
const history = async ({ service }: Service) => (await service.inventory.find('s1')).entries.map(({ kind, grams, left, weighing }) =>
  [kind, grams, left, ...weighing ? [weighing.expected, weighing.counted, weighing.late, weighing.isUnsure] : []])
const weigh = async (of: World, { service }: Service, at: number, grams: number) => {
  of.now = at
  return await service.inventory.weigh('s1', 200 + grams, undefined, 'Ann')
}
const add = async ({ rows, service }: Service, net: number | null = 1000): Promise<void> => {
  await rows.putAll(() => ({
    types: [],
    places: [],
    changes: [],
    spools: [{ ...NO_DETAILS, id: 's1', name: 'Red', material: 'PLA', color: '', tag: 'T1', net, used: 0, archived: 0, created_at: 1, empty: 200 }]
  }))
  await service.refresh()
}

type Two = (t: Test, of: World) => Promise<readonly [Service, Service, () => Promise<Service>]>

function suite (t: Test, two: Two): void {
  t.test('a print that ended before a weighing and is counted after it leaves the weighing as it is', async t => {
    const of = world()
    const [one, other] = await two(t, of)
    await add(one)
    await other.service.refresh()
    ended(of, 'p1', 1_500, 2_000, 40)
    t.match(await weigh(of, one, 2_500, 955), { expected: 1000, error: 45, late: 0 })
    of.now = 3_000
    t.equal(await other.counter.ended('p1'), true)
    t.equal(await one.counter.ended('p1'), true, 'and once more by the other service')
    t.equal(await left(one), 955)
    t.same(await history(one), [['weighed', -5, 955, 960, 40, 40, false], ['print', -40, 960], ['added', 1000, 1000]],
      'the error is what it would have been')
    ended(of, 'p2', 3_100, 3_200, 15)
    of.now = 3_300
    await other.counter.ended('p2')
    t.equal(await left(other), 940, 'a print after it is subtracted')
  })

  t.test('a print that was counted in time is not balanced, not even when it is counted again', async t => {
    const of = world()
    const [one, other, again] = await two(t, of)
    await add(one)
    await other.service.refresh()
    ended(of, 'p1', 1_500, 2_000, 40)
    of.now = 2_100
    await one.counter.ended('p1')
    await weigh(of, other, 2_500, 950)
    const restarted = await again()
    await restarted.counter.ended('p1')
    await other.counter.ended('p1')
    t.equal(await left(restarted), 950)
    t.same(await history(restarted), [['weighed', -10, 950, 960, 40, 0, false], ['print', -40, 960], ['added', 1000, 1000]])
  })

  t.test('a spool that was used up and thrown away during a print is not counted below nothing', async t => {
    const of = world()
    const [one, other] = await two(t, of)
    await add(one)
    await other.service.refresh()
    of.running = [inProgress('p1', 10)]
    of.now = 1_800
    await one.service.inventory.throwAway('s1', 100, 'tangled', 'Ann')
    of.now = 2_000
    await one.service.inventory.throwAway('s1', undefined, 'empty', 'Ann')
    of.running = []
    await other.service.inventory.changeMany(['s1'], { archived: 0 })
    ended(of, 'p1', 1_500, 3_000, 25)
    of.now = 3_100
    await other.counter.ended('p1')
    t.equal(await left(one), 0)
    t.same((await history(one)).filter(([kind]) => kind === 'thrown'), [['thrown', -875, 0], ['thrown', -100, 900]])
  })

  t.test('of a print in progress only what it uses after the weighing is subtracted', async t => {
    const of = world()
    const [one, other] = await two(t, of)
    await add(one)
    await other.service.refresh()
    of.running = [inProgress('p1', 30)]
    await weigh(of, one, 2_000, 968)
    of.running = [inProgress('p1', 70)]
    await weigh(of, one, 2_500, 930)
    of.running = []
    ended(of, 'p1', 1_500, 3_000, 100)
    of.now = 3_100
    await other.counter.ended('p1')
    t.equal(await left(one), 900, '930 less what came after')
    t.same(await history(one), [
      ['print', -30, 900], ['weighed', 2, 930, 928, 40, 40, false], ['print', -40, 928],
      ['weighed', -2, 968, 970, 30, 30, false], ['print', -30, 970], ['added', 1000, 1000]
    ])
    const { all: [accuracy] } = await one.service.inventory.accuracy()
    t.match(accuracy, { weighings: 2, counted: 70, error: 0 })
  })

  t.test('what a print in progress had used is marked where it is not exactly known', async t => {
    for (const [then, after] of [
      [inProgress('p1', null), 800], [inProgress('p1', 30, { isCurrent: false }), 830], [inProgress('p1', 30, { basis: 'scaled' }), 830]
    ] as const) {
      const of = world()
      const [one] = await two(t, of)
      await add(one)
      of.running = [then]
      await weigh(of, one, 2_000, 900)
      ended(of, 'p1', 1_500, 3_000, 100)
      of.now = 3_100
      await one.counter.ended('p1')
      t.equal(await left(one), after)
      t.ok((await history(one)).some(([kind, , , , , , isUnsure]) => kind === 'weighed' && isUnsure === true))
    }
  })

  t.test('a correction by hand stands as well, and so does the first weighing of an unknown amount', async t => {
    const of = world()
    const [one] = await two(t, of)
    await add(one)
    of.now = 2_500
    await one.service.change('s1', { usedGrams: 300 }, 'Ann')
    ended(of, 'p1', 1_500, 2_000, 40)
    of.now = 3_000
    await one.counter.ended('p1')
    t.equal(await left(one), 700)

    const second = world()
    const [unknown] = await two(t, second)
    await add(unknown, null)
    t.equal(await weigh(second, unknown, 2_500, 600), undefined)
    ended(second, 'p1', 1_500, 2_000, 40)
    second.now = 3_000
    await unknown.counter.ended('p1')
    t.equal(await left(unknown), 600)
  })

  t.test('the same list imported through two services at once is added once', async t => {
    const of = world()
    const [one, other] = await two(t, of)
    await add(one)
    const text = 'id,material,net_g,left_g\ns1,PLA,1000,500\n'
    const options = { text, apply: true, skipBroken: false, by: 'Ann', at: 2_000 }
    const both = [one, other, one, other]
    const results = await Promise.all(both.map(({ rows }) => importSpools(rows, true, options)))
    t.same(results.map(({ changed }) => changed).toSorted(), [0, 0, 0, 1])
    t.equal(await left(one), 500)
  })

  t.test('a weighing and a late print at the same moment, in two services, never subtract it twice', async t => {
    const of = world()
    const [one, other] = await two(t, of)
    await add(one)
    await other.service.refresh()
    of.now = 10_000
    for (let n = 0; n < 20; n++) {
      const before = await left(one)
      const start = of.now
      ended(of, `p${n}`, start + 10, start + 20, 7)
      of.now = start + 30
      await Promise.all([
        one.service.inventory.weigh('s1', 200 + before - 7, undefined, 'Ann'), other.counter.ended(`p${n}`), one.counter.ended(`p${n}`)
      ])
      t.equal(await left(other), before - 7)
      of.now = start + 100
    }
  })
}

t.test('with SQLite', async t => suite(t, async (t, of) => {
  const folder = testFolder(t)
  const one = await open(t, of, folder)
  t.teardown(one.close)
  return [one, one, async () => one]
}))

t.test('with PostgreSQL and two services', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, async (t, of) => {
    const url = server.newDatabase()
    const begin = async (): Promise<Service> => {
      const one = await open(t, of, testFolder(t), url)
      t.teardown(one.close)
      return one
    }
    return [await begin(), await begin(), begin]
  })
})
