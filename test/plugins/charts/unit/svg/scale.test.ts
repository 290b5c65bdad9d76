import t from 'tap'
import { extent, linearScale, niceAxis } from '../../../../../plugins/charts/svg/scale.js'
import { clock, localStamp, timeTicks, timeWindow } from '../../../../../plugins/charts/svg/time.js'
import { NOW_S } from '../../view.js'

t.test('an axis goes from round number to round number and holds what it must', t => {
  t.same(niceAxis([0, 220], 5).ticks, [0, 50, 100, 150, 200, 250])
  t.same(niceAxis([0, 100], 5).ticks, [0, 20, 40, 60, 80, 100])
  t.same(niceAxis([-12, 31], 4).domain, [-20, 40])
  t.same(niceAxis([0, 0.03], 3).ticks, [0, 0.01, 0.02, 0.03], 'without the noise of binary fractions')
  t.end()
})

t.test('an axis of a single value has a length', t => {
  for (const value of [0, 5, -3, 1e9]) {
    const { domain: [low, high], ticks } = niceAxis([value, value], 4)
    t.ok(low < high && low <= value && value <= high, `${value}`)
    t.ok(ticks.length >= 2 && ticks.length < 8)
  }
  t.end()
})

t.test('scales and extents', t => {
  const y = linearScale([0, 10], [100, 0])
  t.same([0, 5, 10].map(y), [100, 50, 0])
  t.equal(linearScale([3, 3], [7, 9])(3), 7, 'a domain without length')
  t.same(extent([3, -1, 2], value => value), [-1, 3])
  t.equal(extent([], () => 0), undefined)
  t.end()
})

t.test('the window is what there is, within bounds', t => {
  t.same(timeWindow(NOW_S - 600, NOW_S), [NOW_S - 600, NOW_S])
  t.same(timeWindow(NOW_S - 10, NOW_S), [NOW_S - 300, NOW_S], 'five minutes at least')
  t.same(timeWindow(NOW_S - 9999, NOW_S), [NOW_S - 3600, NOW_S], 'an hour at most')
  t.same(timeWindow(undefined, NOW_S), [NOW_S - 300, NOW_S])
  t.end()
})

t.test('time ticks are full minutes of the local clock, few enough to read', t => {
  for (const span of [300, 720, 1800, 3600]) {
    const ticks = timeTicks([NOW_S - span + 7, NOW_S + 7])
    t.ok(ticks.length >= 3 && ticks.length <= 7, `${span} s: ${ticks.length}`)
    t.ok(ticks.every(tick => tick >= NOW_S - span + 7 && tick <= NOW_S + 7))
    t.ok(ticks.every(tick => new Date(tick * 1000).getSeconds() === 0))
  }
  const hour = timeTicks([NOW_S - 3600, NOW_S]).map(tick => new Date(tick * 1000).getMinutes())
  t.ok(hour.every(minute => minute % 10 === 0), `${hour}`)
  t.end()
})

t.test('times are local', t => {
  const date = new Date(2026, 0, 2, 3, 4, 5)
  t.equal(localStamp(date.getTime()), '2026-01-02 03:04:05')
  t.equal(clock(date.getTime() / 1000), '03:04')
  t.end()
})
