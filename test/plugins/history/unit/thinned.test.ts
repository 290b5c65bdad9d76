import t from 'tap'
import { createThinned, MOST_POINTS } from '../../../../plugins/history/details/thinned.js'

t.test('a short print keeps every value', async t => {
  const thinned = createThinned()
  for (const [at, value] of [[0, 20], [1, 21.26], [2, 22]] as const) thinned.add('bed', at, value)
  t.same(thinned.points(), { bed: [[0, 20], [1, 21.3], [2, 22]] })
})

t.test('a print of a week has at most as many points, in order, and each peak is still there', async t => {
  const thinned = createThinned()
  const week = 7 * 86_400
  for (let at = 0; at < week; at += 5) {
    thinned.add('tool', at, at === 300_000 ? 299 : at === 400_000 ? 3 : 220 + at % 3)
    thinned.add('fan', at, 50)
  }
  const { tool = [], fan = [] } = thinned.points()
  t.ok(tool.length <= MOST_POINTS && tool.length > MOST_POINTS / 3, String(tool.length))
  t.same(tool.map(([at]) => at).toSorted((a, b) => a - b), tool.map(([at]) => at))
  const near = (value: number) => tool.find(([, one]) => one === value)?.[0] ?? NaN
  t.ok(Math.abs(near(299) - 300_000) < 1_024 && Math.abs(near(3) - 400_000) < 1_024)
  t.ok(fan.every(([, value]) => value === 50), 'one point where nothing changes')
  t.ok(fan.length <= MOST_POINTS / 2)
})

t.test('points that are read back and added again change nothing', async t => {
  const first = createThinned()
  for (let at = 0; at < 5_000; at++) first.add('bed', at, Math.sin(at) * 40)
  const again = createThinned()
  for (const [at, value] of first.points().bed ?? []) again.add('bed', at, value)
  t.same(again.points(), first.points())
})

t.test('what is no number, or from before the start, is left out', async t => {
  const thinned = createThinned()
  for (const [at, value] of [[-1, 5], [NaN, 5], [Infinity, 5], [1, NaN], [1, Infinity]] as const) {
    thinned.add('bed', at, value)
  }
  t.same(thinned.points(), {})
})
