import t from 'tap'
import { changedBy, changeOf, thrownAway, weighed } from '../../../../plugins/spools/changes.js'
import { accuracyBy, entriesOf, weighingsOf, type Weighing } from '../../../../plugins/spools/weighings.js'
import { NO_DETAILS, type ChangeRow, type SpoolRow, type UseRow } from '../../../../plugins/spools/tables.js'

const row = (more: Partial<SpoolRow> = {}): SpoolRow => ({
  ...NO_DETAILS, id: 's', name: 'Red', material: 'PLA', color: '#FF0000', tag: '', net: 1000, used: 0, archived: 0, created_at: 0, ...more
})
const use = (at: number, grams: number, printer = 'x1'): UseRow => ({
  id: `p${at}/1`, print: `p${at}`, spool: 's', printer, place: '', material: 'PLA', grams, state: 'done', before: null, problem: null, at, sent_at: null
})
const by = (at: number) => ({ by: 'Ann', at })

t.test('a weighing says by how much the count was wrong, and since when', async t => {
  const uses = [use(1, 500), use(2, 88)]
  const { changes: [change] } = weighed(row({ used: 588 }), 647, 250, by(3))
  t.match(change, { kind: 'weighed', expected: 412, grams: -15, gross: 647, empty: 250 })
  const [weighing] = weighingsOf(row(), uses, [change as ChangeRow])
  t.match(weighing, { expected: 412, measured: 397, error: 15, counted: 588, since: 0, printers: ['x1'] })
  const again = weighed(row({ used: 603 + 100 }), 560, 250, by(9)).changes[0] as ChangeRow
  const [, second] = weighingsOf(row(), [...uses, use(5, 100, 'x2')], [change as ChangeRow, again])
  t.match(second, { since: 3, counted: 100, error: -13, printers: ['x2'] }, 'counted from the weighing before')
})

t.test('the first weighing of a spool of unknown amount is no error', async t => {
  const unknown = row({ net: null, used: 40 })
  const { columns, changes } = weighed(unknown, 900, 200, by(3))
  t.same(columns, { net: 740 })
  t.match(changes, [{ kind: 'weighed', grams: 0, expected: null }])
  t.same(weighingsOf(row(), [], changes), [])
  const entries = entriesOf(row({ net: 740 }), [use(1, 40)], changes)
  t.same(entries.map(({ kind, left }) => [kind, left]), [['weighed', 700], ['print', undefined], ['added', undefined]])
})

t.test('each entry says what was left after it, and the first one what there was', async t => {
  const changes = [
    changeOf(row({ used: 100 }), by(2), { kind: 'thrown', grams: -50 }),
    changeOf(row({ used: 150 }), by(3), { kind: 'net', grams: -250 }),
    changeOf(row({ net: 750, used: 150 }), by(4), { kind: 'corrected', grams: 10 })
  ]
  const entries = entriesOf(row({ net: 750, used: 20 }), [use(1, 80)], changes)
  t.same(entries.map(({ kind, grams, left }) => [kind, grams, left]), [
    ['corrected', 10, 610], ['net', -250, 600], ['thrown', -50, 850], ['print', -80, 900], ['added', 980, 980]
  ])
})

t.test('what a person changes is a row, and only what differs', async t => {
  t.match(changedBy(row({ used: 100 }), { usedGrams: 360 }, by(1)), { columns: {}, changes: [{ kind: 'corrected', grams: -260, expected: 900 }] })
  t.match(changedBy(row(), { netGrams: 750 }, by(1)), { columns: { net: 750 }, changes: [{ kind: 'net', grams: -250 }] })
  t.same(changedBy(row(), { usedGrams: 0, netGrams: 1000 }, by(1)).changes, [])
  t.match(changedBy(row(), { archived: true, details: { place: 'p', dried_at: null } }, by(7)).columns,
    { archived: 1, archived_at: 7, place: 'p', dried_at: null })
  t.throws(() => changedBy(row(), {}, by(1)), { message: /Nothing to change/ })
  t.match(thrownAway(row({ used: 400 }), undefined, 'tangled', by(1)), { columns: { archived: 1 }, changes: [{ grams: -600, note: 'tangled' }] })
  t.match(thrownAway(row({ used: 400 }), 25, '', by(1)), { columns: {}, changes: [{ kind: 'thrown', grams: -25 }] })
  t.same(thrownAway(row({ used: 1400 }), undefined, '', by(1)).changes, [], 'nothing is left of it')
})

t.test('errors have a mean and a spread, and tiny amounts say nothing', async t => {
  const weighing = (counted: number, error: number): Weighing =>
    ({ spool: 's', at: 1, gross: 0, empty: 0, expected: 0, measured: 0, since: 0, counted, error, printers: ['x1'], late: 0, isUnsure: false })
  const all = [weighing(100, 2), weighing(100, 4), weighing(5, 5)]
  const [x1, ...others] = accuracyBy(all, ({ printers }) => printers[0])
  t.same(others, [])
  t.match(x1, { name: 'x1', weighings: 2, counted: 200, error: 6, mean: 3 })
  t.ok(Math.abs((x1?.spread ?? 0) - Math.SQRT2) < 1e-9)
  t.same(accuracyBy([weighing(100, 2)], () => undefined), [])
  t.equal(accuracyBy([weighing(100, 2)], () => 'a')[0]?.spread, undefined, 'one weighing has no spread')
})
