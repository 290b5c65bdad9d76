import t from 'tap'
import { linePath, stepPath } from '../../../../../plugins/charts/svg/path.js'
import { decimate, gapOf, segmentsOf, visible } from '../../../../../plugins/charts/svg/segments.js'
import { NOW_S, wave } from '../../view.js'

const HOUR = [NOW_S - 3600, NOW_S] as const
const same = (value: number) => value

t.test('a line breaks where nothing came for 90 seconds', t => {
  const points = wave(() => 1).filter(({ t }) => t < NOW_S - 1000 || t > NOW_S - 900)
  t.equal(segmentsOf(points).length, 2)
  const short = wave(() => 1).filter(({ t }) => t < NOW_S - 1000 || t > NOW_S - 920)
  t.equal(segmentsOf(short).length, 1, 'a shorter pause is none')
  t.end()
})

t.test('of rare reports three intervals are no gap', t => {
  t.equal(gapOf(wave(() => 1)), 90)
  t.equal(gapOf(wave(() => 1, 3600, 60)), 180)
  t.equal(segmentsOf(wave(() => 1, 3600, 60)).length, 1)
  const holes = wave(() => 1, 3600, 60).filter((_, at) => at < 20 || at > 23)
  t.equal(segmentsOf(holes).length, 2, 'four missing ones are')
  t.end()
})

t.test('few points', t => {
  t.same(segmentsOf([]), [])
  const [only] = wave(() => 1, 1)
  t.same(segmentsOf(only ? [only] : []), [[only]])
  t.end()
})

t.test('a clock that was set back does not draw backwards', t => {
  const points = [{ t: NOW_S - 100, v: 1 }, { t: NOW_S - 99, v: 1 }, { t: NOW_S - 400, v: 2 }, { t: NOW_S - 399, v: 2 }]
  t.equal(segmentsOf(points).length, 2)
  t.end()
})

t.test('what cannot be drawn is left out', t => {
  const points = [NaN, Infinity, -Infinity, 1e30, 25].map((v, at) => ({ t: NOW_S - 5 + at, v }))
  t.same(visible(points, HOUR).map(({ v }) => v), [25])
  t.same(visible([{ t: NOW_S - 4000, v: 1 }, { t: NOW_S + 50, v: 1 }, { t: NaN, v: 1 }], HOUR), [])
  t.end()
})

t.test('thinning keeps ends, peaks and dips', t => {
  const spiky = wave(age => age === 1234 ? 300 : age === 2345 ? -40 : 200 + age % 7)
  const thin = decimate(spiky, HOUR)
  t.ok(thin.length <= 300, `${thin.length} points`)
  const values = thin.map(({ v }) => v)
  t.equal(Math.max(...values), 300)
  t.equal(Math.min(...values), -40)
  t.equal(thin[0], spiky[0])
  t.equal(thin.at(-1), spiky.at(-1))
  t.same(thin.map(({ t }) => t), thin.map(({ t }) => t).toSorted((a, b) => a - b), 'in order of time')
  t.end()
})

t.test('each stretch keeps its own peak and dip', t => {
  const random = (seed: number) => Math.abs(Math.sin(seed * 12.9898) * 43758.5453) % 1
  const noise = wave(age => random(age))
  const kept = new Set(decimate(noise, HOUR))
  for (let from = 0; from < noise.length; from += 360) {
    const part = noise.slice(from, from + 360)
    const peak = part.reduce((best, point) => point.v > best.v ? point : best)
    const dip = part.reduce((best, point) => point.v < best.v ? point : best)
    t.ok(kept.has(peak) && kept.has(dip))
  }
  t.end()
})

t.test('many gaps do not bring back all points', t => {
  const points = wave(age => age % 5).filter(({ t }) => Math.floor(t / 100) % 2 === 0)
  const segments = segmentsOf(points)
  t.ok(segments.length > 15)
  const kept = segments.flatMap(segment => decimate(segment, HOUR))
  t.ok(kept.length <= 340, `${kept.length} of ${points.length}`)
  t.end()
})

t.test('level runs are one stroke', t => {
  const segment = [1, 1, 1, 1, 5, 5, 5].map((v, t) => ({ t, v }))
  t.equal(linePath([segment], same, same), 'M0 1h3l1 4h2')
  t.end()
})

t.test('a point that stands alone is a dot', t => {
  t.equal(linePath([[{ t: 4, v: 2 }]], same, same), 'M4 2h0')
  t.equal(linePath([], same, same), '')
  t.end()
})

t.test('steps hold their value until the next', t => {
  const segment = [{ t: 0, v: 0 }, { t: 2, v: 0 }, { t: 3, v: 9 }, { t: 5, v: 9 }]
  t.equal(stepPath([segment], same, same), 'M0 0h3v9h2')
  t.end()
})

t.test('rounding does not add up', t => {
  const segment = Array.from({ length: 1000 }, (_, at) => ({ t: at * 0.333, v: at % 2 * 0.05 }))
  const d = linePath([segment], same, same)
  const end = [...d.matchAll(/[lh](-?[\d.]*\d)/g)].reduce((sum, [, dx = '0']) => sum + Number(dx), 0)
  t.ok(Math.abs(end - 999 * 0.333) < 0.06, `${end}`)
  t.end()
})
