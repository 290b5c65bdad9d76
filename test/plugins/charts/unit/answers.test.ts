import t from 'tap'
import { byFailures, worstOf } from '../../../../plugins/charts/page/reliability-model.js'
import { periodsOf, sinceOf, unitOf } from '../../../../plugins/charts/page/spans.js'
import { partsOf, seriesOf, topOf } from '../../../../plugins/charts/page/stack-model.js'
import { linesOf, valueAt, type Point } from '../../../../plugins/charts/page/warm-model.js'

const at = (month: number, day: number, hour = 0) => new Date(2026, month - 1, day, hour).getTime()
const NOW = at(11, 28, 20)

t.test('a span of seven days begins six midnights ago', t => {
  t.equal(sinceOf('7', NOW), at(11, 22))
  t.equal(sinceOf('all', NOW), undefined)
  t.end()
})

t.test('weeks begin where the language says, also across a change of the clock', t => {
  const weeks = (firstDay: number) => periodsOf({ unit: 'week', from: at(10, 14), now: NOW, firstDay })
  t.same(weeks(1).slice(0, 3), [at(10, 12), at(10, 19), at(10, 26)], 'Monday')
  t.same(weeks(0).slice(0, 2), [at(10, 11), at(10, 18)], 'Sunday')
  t.equal(weeks(1).at(-1), at(11, 23))
  t.same(periodsOf({ unit: 'month', from: at(9, 30), now: NOW, firstDay: 1 }), [at(9, 1), at(10, 1), at(11, 1)])
  t.same([unitOf('7', at(11, 22), NOW), unitOf('90', at(8, 31), NOW), unitOf('all', at(1, 1), NOW)], ['day', 'week', 'month'])
  t.end()
})

const group = (name: string, finished: number, failed: number, cancelled = 0) => ({ name, finished, failed, cancelled })

t.test('only a group that fails much more often than the others is named', t => {
  const groups = [group('PLA', 95, 5), group('ABS', 6, 3), group('TPU', 0, 1)]
  t.equal(worstOf(groups)?.name, 'ABS', 'one print says nothing')
  t.equal(worstOf([group('PLA', 90, 10), group('PETG', 89, 11)]), undefined, 'much the same')
  t.equal(worstOf([group('PLA', 9, 3)]), undefined, 'there is nothing to compare with')
  t.same(byFailures([...groups, group('PC', 0, 0, 2)]).map(({ name }) => name), ['TPU', 'ABS', 'PLA', 'PC'], 'cancelled is not failed')
  t.end()
})

t.test('the largest groups have a colour, and the others are one', t => {
  const groups = Array.from({ length: 30 }, (_, number) => ({ name: `printer ${number}`, hours: number }))
  const series = seriesOf(groups, 'hours', 'hours')
  t.same(series.slice(0, 2), [
    { name: 'printer 29', value: 29, color: 'c1', count: 1 }, { name: 'printer 28', value: 28, color: 'c2', count: 1 }
  ])
  t.match(series.at(-1), { color: 'rest', count: 24, value: 24 * 25 / 2 })
  const parts = partsOf([{ name: 'printer 28', hours: 2 }, { name: 'printer 3', hours: 4 }], series, 'hours')
  t.same(parts.filter(({ value }) => value > 0).map(({ color, value }) => [color, value]), [['c2', 2], ['rest', 4]])
  t.match(seriesOf([{ name: 'a', hours: 2, cost: 1 }, { name: 'b', hours: 1, cost: 5 }], 'cost', 'hours'),
    [{ name: 'a', color: 'c1' }, { name: 'b', color: 'c2' }], 'a colour means the same in both drawings')
  t.same([topOf(68), topOf(0), topOf(0.7)], [80, 1, 0.8])
  t.end()
})

t.test('a part is compared with its target once it is warm', t => {
  const tool: Point[] = [[0, 25], [10, 120], [20, 218], [30, 223], [40, 190], [50, 60]]
  const targets: Point[] = [[0, 220], [45, 0]]
  const [nozzle, chamber, ...more] = linesOf(new Map([
    ['tool', tool], ['tool_target', targets], ['chamber', [[0, 20], [10, 40], [40, 40]]], ['bed', []], ['bed_target', [[0, 60]]]
  ]))
  t.match(nozzle, { name: 'tool', off: 30, least: 25, greatest: 223 }, 'neither heating up nor cooling down counts')
  t.match(chamber, { name: 'chamber', off: undefined, mean: (10 * 30 + 30 * 40) / 40 }, 'the mean is by time')
  t.same(more, [], 'what has no values has no line')
  t.same([valueAt(tool, -1), valueAt(tool, 29), valueAt(tool, 99)], [undefined, 218, 60])
  t.end()
})
