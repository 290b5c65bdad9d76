import t from 'tap'
import { arcExtremes, arcLength, arcOf, type ArcWords } from '../../../plugins/toolpath/read/arc.js'

const STRAIGHT: ArcWords =
  { fromX: 10, fromY: 0, toX: 0, toY: 10, clockwise: false, i: undefined, j: undefined, r: undefined }
const near = (value: number) => Math.round(value * 1e6) / 1e6

t.test('a quarter of a circle, by its centre and by its radius', async t => {
  const byCentre = arcOf({ ...STRAIGHT, i: -10, j: 0 })
  const byRadius = arcOf({ ...STRAIGHT, r: 10 })
  for (const arc of [byCentre, byRadius]) {
    t.ok(arc)
    if (arc === undefined) return
    t.same([near(arc.x), near(arc.y), near(arc.radius), near(arc.sweep)], [0, 0, 10, near(Math.PI / 2)])
    t.equal(near(arcLength(arc)), near(5 * Math.PI))
  }
})

t.test('clockwise goes the other way round, and a negative radius the longer way', async t => {
  t.equal(near(arcOf({ ...STRAIGHT, i: -10, j: 0, clockwise: true })?.sweep ?? 0), near(-1.5 * Math.PI))
  t.equal(near(arcOf({ ...STRAIGHT, r: -10 })?.sweep ?? 0), near(1.5 * Math.PI))
  t.equal(near(arcOf({ ...STRAIGHT, r: 10, clockwise: true })?.sweep ?? 0), near(-Math.PI / 2))
})

t.test('where it begins is where a full circle ends', async t => {
  const arc = arcOf({ ...STRAIGHT, toX: 10, toY: 0, i: -10, j: 0 })
  t.equal(near(arc?.sweep ?? 0), near(2 * Math.PI))
  const extremes = arc ? arcExtremes(arc).map(point => point.map(near)) : []
  for (const point of [[10, 0], [0, 10], [-10, 0], [0, -10]]) t.ok(extremes.some(([x, y]) => x === point[0] && y === point[1]), `${point}`)
})

t.test('it is widest where it passes an axis', async t => {
  const arc = arcOf({ ...STRAIGHT, fromX: 10, fromY: -5, toX: 10, toY: 5, r: 10 })
  t.same(arc ? arcExtremes(arc).map(point => point.map(near)) : [], [[near(10 - Math.sqrt(75) + 10), 0]])
})

t.test('what is no arc is none', async t => {
  t.equal(arcOf(STRAIGHT), undefined, 'no centre')
  t.equal(arcOf({ ...STRAIGHT, i: 0, j: 0 }), undefined, 'a radius of 0')
  t.equal(arcOf({ ...STRAIGHT, r: 0 }), undefined)
  t.equal(arcOf({ ...STRAIGHT, i: NaN, j: 0 }), undefined)
  t.equal(arcOf({ ...STRAIGHT, toX: 10, toY: 0, r: 5 }), undefined, 'a full circle has no radius that tells its centre')
})
