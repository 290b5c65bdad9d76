import t from 'tap'
import { inverseOf, plateViewOf } from '../../../../plugins/health/analysis/improved/plate-view.js'
import { geometryOf } from '../../../../plugins/health/analysis/improved/geometry.js'
import type { PlateLayout, Series } from '../../../../plugins/health/types.js'
import { contextOf } from '../../../health/context.js'

const [COLUMNS, ROWS] = [40, 22]
const NOTHING = new Float32Array(COLUMNS * ROWS)
const plate: PlateLayout = { boxes: [[108, 108, 148, 148]], bedMm: [256, 256] }

t.test('corners of the picture lead to corners of the plate', async t => {
  for (const series of ['X1', 'H2', 'A1'] as const) {
    const corners = geometryOf(series).corners
    if (!corners) throw new Error('corners are known')
    const inverse = inverseOf(corners)
    for (const [at, [u, v]] of ([[0, 0], [1, 0], [1, 1], [0, 1]] as const).entries()) {
      const [x, y] = corners[at] as readonly [number, number]
      const found = inverse(x, y)
      t.ok(Math.hypot(found.u - u, found.v - v) < 1e-9, `${series} ${at}`)
    }
  }
})

const cellsOf = (series: Series, layer: number, marks = NOTHING) =>
  plateViewOf(contextOf({ series, layer, plate }), COLUMNS, ROWS, marks)
const count = (cells: Uint8Array | undefined) => cells?.reduce((sum, cell) => sum + cell, 0) ?? 0

t.test('a part is expected around its box, and higher the more is printed', async t => {
  const { inside, sheet } = cellsOf('X1', 10)
  t.ok(count(inside) > 10 && count(inside) < count(sheet) / 2, `${count(inside)} of ${count(sheet)}`)
  t.equal(inside?.[2 * COLUMNS + 20], 0, 'not on the wall')
  t.ok(count(cellsOf('X1', 200).inside) > count(inside))
  t.equal(plateViewOf(contextOf(), COLUMNS, ROWS, NOTHING).inside, undefined, 'nothing is known without a plate')
})

t.test('a plate that travels is found by what stands on it', async t => {
  const marks = new Float32Array(COLUMNS * ROWS)
  for (let row = 16; row < 18; row++) for (let column = 18; column < 22; column++) marks[row * COLUMNS + column] = 1
  const { inside } = cellsOf('A1', 10, marks)
  t.equal(inside?.[17 * COLUMNS + 20], 1)
})

t.test('what a project says is bounded', async t => {
  const boxes = Array.from({ length: 1_000 }, () => [-1e300, -1e300, 1e300, 1e300] as const)
  const view = plateViewOf(contextOf({ series: 'A1', layer: 1e9, plate: { boxes, bedMm: [256, 256] } }), COLUMNS, ROWS, NOTHING)
  t.equal(view.inside?.length, COLUMNS * ROWS)
})
