import t from 'tap'
import { dayOf, DAY_MS, firstDay, monthOf, nextMonth, spansOf, sumsOf, type SummedPrint } from '../../../../plugins/history/sums.js'

const at = (text: string) => Date.parse(`${text}Z`)
const ONE: SummedPrint = {
  id: 'a',
  printer: 'x1c',
  outcome: 'finished',
  started_at: at('2026-11-23T10:00:00'),
  prepare_s: 60,
  printing_s: 1_000,
  paused_s: 0,
  unseen_s: 0,
  planned_s: 1_000,
  cost: null,
  faults: '[]',
  parts: 0
}

t.test('months and their days', async t => {
  t.equal(monthOf(dayOf(at('2026-11-30T23:59:59'))), 202_611)
  t.equal(firstDay(202_612), dayOf(at('2026-12-01T00:00:00')))
  t.same([nextMonth(202_611), nextMonth(202_612)], [202_612, 202_701])
})

/** Each ms of a time is in exactly one part of it. */
t.test('a time is split into months, days and the rest without gap or overlap', async t => {
  const times = ['2026-01-01T00:00:00', '2026-01-01T00:00:01', '2026-01-31T12:00:00', '2026-02-01T00:00:00',
    '2026-02-28T23:59:59', '2026-03-01T00:00:00', '2026-03-02T00:00:00', '2027-01-05T05:00:00'].map(at)
  const bounds = [undefined, ...times]
  const looks = times.flatMap(time => [time - 1, time, time + 1, time + DAY_MS / 2])
  for (const since of bounds) {
    for (const until of bounds) {
      const { months, days, rest } = spansOf(since, until)
      for (const look of looks) {
        const day = dayOf(look)
        const parts = [
          monthOf(day) >= months[0] && monthOf(day) <= months[1],
          ...days.map(([from, to]) => day >= from && day <= to),
          ...rest.map(([from, to]) => look >= from && look < to)
        ].filter(Boolean).length
        const isWithin = look >= (since ?? -Infinity) && look < (until ?? Infinity)
        if (parts !== Number(isWithin)) t.fail('in the wrong number of parts', { since, until, look, parts })
      }
    }
  }
  t.same(spansOf(), { months: [0, 999_912], days: [], rest: [] })
})

t.test('prints of a day are summed up by printer, outcome, material and fault', async t => {
  const prints = [
    ONE,
    { ...ONE, id: 'b', cost: 3 },
    { ...ONE, id: 'c', outcome: 'failed', faults: '[{"code":"0300_1","text":"jam"},{"code":"0300_1","text":"jam"}]' }
  ]
  const filament = { print: 'a', material: 'PLA', grams: 10, metres: 3, cost: 0.5 }
  const sums = sumsOf(prints, [filament, { ...filament, material: 'PETG', cost: null }, { ...filament, print: 'b' }])
  const found = (kind: string, key: string, outcome = 'finished') =>
    sums.find(sum => sum.kind === kind && sum.key === key && sum.outcome === outcome)
  t.match(found('print', ''), { prints: 2, grams: 30, metres: 9, cost: 3.5, planned: 2_000, actual: 2_120 })
  t.match(found('material', 'PLA'), { prints: 2, grams: 20, cost: 1 })
  t.match(found('material', 'PETG'), { prints: 1, grams: 10, cost: 0 })
  t.match(found('fault', '0300_1 jam', 'failed'), { prints: 1 })
  t.match(found('print', '', 'failed'), { prints: 1, planned: 0 })
  t.equal(sums.length, 5)
})

t.test('parts count once their print has ended well', async t => {
  const prints = ['finished', 'failed', 'finished', 'running'].map((outcome, at) => ({ ...ONE, id: `${at}`, outcome, parts: 6 }))
  const sums = sumsOf(prints, [])
  t.same(sums.map(({ outcome, prints, parts }) => [outcome, prints, parts]), [['finished', 2, 12], ['failed', 1, 0], ['running', 1, 0]])
})
