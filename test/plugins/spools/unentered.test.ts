import t from 'tap'
import type { SpoolRow } from '../../../plugins/spools/tables.js'
import { openTwo, world, type World } from './services.js'

const PLACE = 'ams 0 slot 0'
const filament = (grams: number, tag = '') =>
  ({ filament: 1, place: PLACE, tag, material: 'PLA', color: '#FF0000', grams, grams_basis: 'layers', metres: null, cost: null })
/** A print of 100 ms. */
function ended (of: World, id: string, grams: number, tag = ''): void {
  const [startedAt, endedAt] = [of.now + 100, of.now + 200]
  of.now += 300
  of.prints.set(id, {
    id, serial: 'S', printer: 'x1', result: 'finished', started_at: startedAt, ended_at: endedAt, grams_open_until: null, filaments: [filament(grams, tag)]
  })
}
const left = ({ net, used }: SpoolRow) => net === null ? null : net - used

t.test('a spool that was thrown away does not come back for the next one of its kind', async t => {
  const of = world()
  const [one, other] = await openTwo(t, of)
  ended(of, 'p1', 40)
  t.equal(await one.counter.ended('p1'), true)
  const [first] = one.service.all()
  t.match(first, { material: 'PLA', netGrams: undefined, usedGrams: 40 })
  of.now += 100
  await one.service.inventory.weigh(first?.id ?? '', 500, 200, 'Ann')
  of.now += 100
  await one.service.inventory.throwAway(first?.id ?? '', undefined, 'empty', 'Ann')
  t.same(one.service.all(), [])
  ended(of, 'p2', 100)
  t.equal(await other.counter.ended('p2'), true)
  await one.service.refresh()
  const [second, ...more] = one.service.all()
  t.not(second?.id, first?.id)
  t.match([second, ...more], [{ netGrams: undefined, usedGrams: 100 }], 'its amount is not known, so that it holds nothing back')
  t.same((await one.rows.spools(true)).map(left), [0], 'the old one is as it was')
  ended(of, 'p3', 10)
  t.equal(await one.counter.ended('p3'), true)
  t.match(one.service.all(), [{ id: second?.id, usedGrams: 110 }], 'and is found from then on')
})

t.test('a spool that was put away with enough on it comes back as it was; with too little it is another one', async t => {
  const of = world()
  const [one] = await openTwo(t, of)
  ended(of, 'p1', 40)
  await one.counter.ended('p1')
  const id = one.service.all()[0]?.id ?? ''
  await one.service.change(id, { netGrams: 200 }, 'Ann')
  await one.service.change(id, { archived: true }, 'Ann')
  ended(of, 'p2', 100)
  await one.counter.ended('p2')
  t.match(one.service.all(), [{ id, netGrams: 200, usedGrams: 140 }])
  await one.service.change(id, { archived: true }, 'Ann')
  ended(of, 'p3', 61)
  await one.counter.ended('p3')
  t.match(one.service.all(), [{ netGrams: undefined, usedGrams: 61 }])
})

t.test('a print that began before its spool was thrown away is counted on that one, which stays away', async t => {
  const of = world()
  const [one] = await openTwo(t, of)
  for (const tag of ['', 'AA11']) {
    ended(of, `p1${tag}`, 40, tag)
    await one.counter.ended(`p1${tag}`)
    const id = one.service.all()[0]?.id ?? ''
    await one.service.change(id, { netGrams: 200 }, 'Ann')
    ended(of, `p2${tag}`, 30, tag)
    await one.service.inventory.throwAway(id, undefined, 'empty', 'Ann')
    await one.counter.ended(`p2${tag}`)
    t.same(one.service.all(), [])
    const { row, entries } = await one.service.inventory.find(id)
    t.equal(left(row), 0)
    t.same(entries.map(({ kind, grams }) => [kind, grams]).slice(0, 2), [['thrown', -130], ['print', -30]])
  }
})

t.test('a spool that was assigned through another service moments ago keeps its place, and is what was used', async t => {
  const of = world()
  const [one, other] = await openTwo(t, of)
  const assign = (spool: string) => other.store.assign({
    id: `S/${PLACE}`, serial: 'S', place: PLACE, spool, tag: '', material: 'PLA', color: '#FF0000', assigned_at: of.now, assigned_by: 'Ann'
  })
  const red = await other.service.add({ name: 'Red', material: 'PLA', netGrams: 1000 })
  const blue = await other.service.add({ name: 'Blue', material: 'PLA', netGrams: 1000 })
  for (const [n, { id }] of [red, blue].entries()) {
    await assign(id)
    ended(of, `p${n}`, 100)
    t.equal(await one.counter.ended(`p${n}`), true)
    t.equal(one.service.all().length, 2, 'no other spool is added')
    t.match((await other.store.load()).slots, [{ spool: id, assigned_by: 'Ann' }])
    t.equal(one.service.all().find(spool => spool.id === id)?.usedGrams, 100)
  }
})

t.test('an assignment in the very moment of the count is not overwritten', async t => {
  const of = world()
  const [one] = await openTwo(t, of)
  const spool = await one.service.add({ name: 'Red', material: 'PLA', netGrams: 1000 })
  const row = { id: `S/${PLACE}`, serial: 'S', place: PLACE, tag: '', material: 'PLA', color: '#FF0000', assigned_at: of.now, assigned_by: 'Ann' }
  await one.store.assign({ ...row, spool: spool.id })
  await one.store.addUnentered({
    idOf: () => 'unknown', row: { ...(await one.rows.spool(spool.id))!, name: 'PLA' }, change: undefined, grams: 100, slot: { row, seen: undefined }
  })
  await one.service.refresh()
  t.match(one.service.all(), [{ id: spool.id }])
  t.match((await one.store.load()).slots, [{ spool: spool.id }])
})
