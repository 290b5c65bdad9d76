import t, { type Test } from 'tap'
import { analyse } from '../../../../plugins/health/analysis/index.js'
import { EMPTY_STATE } from '../../../../plugins/health/analysis/improved/analysis-state.js'
import type { Picture } from '../../../../plugins/health/analysis/picture.js'
import { lineMaps } from '../../../../plugins/health/analysis/reference/lines.js'
import { weightsFor } from '../../../../plugins/health/analysis/reference/weights.js'
import { contextOf } from '../../../health/context.js'
import { createRandom } from '../../../health/scene/random.js'

const WIDTH = 1280
const HEIGHT = 720

function picture (greyAt: (x: number, y: number) => number): Picture {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, at += 3) data[at] = data[at + 1] = data[at + 2] = greyAt(x, y)
  }
  return { width: WIDTH, height: HEIGHT, data }
}

const score = (frame: Picture, reference?: Picture) => analyse({
  profile: 'reference',
  picture: frame,
  ...(reference && { reference }),
  context: contextOf(),
  memory: EMPTY_STATE,
  now: 0
})
const near = (t: Test, found: number | null | undefined, wanted: number, what: string) =>
  t.ok(typeof found === 'number' && Math.abs(found - wanted) < 6e-6 * Math.max(1, wanted * 100), `${what}: ${found}, wanted ${wanted}`)

for (const [grey, hot, strands, edges, anomaly] of [
  [100, 0, 0.00385, 0.00193, 0.00264],
  [120, 0, 0.00385, 0.00193, 0.00264],
  [121, 1, 0.00385, 0.00193, 0.10174],
  [200, 1, 0.01394, 0.01201, 0.11063],
  [255, 1, 0.02159, 0.01967, 0.11737]
] as const) {
  t.test(`a uniform frame of grey ${grey}`, async t => {
    const found = score(picture(() => grey))
    t.equal(found.hot, hot)
    near(t, found.strands, strands, 'strands')
    near(t, found.edges, edges, 'edges')
    near(t, found.anomaly, anomaly, 'score')
  })
}

t.test('lines across and upright', async t => {
  const level = score(picture((_x, y) => y % 16 === 8 ? 100 : 60))
  near(t, level.strands, 0.06586, 'strands')
  near(t, level.edges, 0.01731, 'edges')
  near(t, level.anomaly, 0.03929, 'score')
  t.ok(Math.abs((level.texture ?? 0) - 6.779) < 0.001, `texture ${level.texture}`)
  const upright = score(picture(x => x % 16 === 8 ? 100 : 60))
  near(t, upright.strands, 0.06524, 'strands')
  near(t, upright.edges, 0.01715, 'edges')
  near(t, upright.anomaly, 0.03892, 'score')
  t.ok(Math.abs((upright.texture ?? 0) - 6.66) < 0.001, `texture ${upright.texture}`)
})

/** A line of five pixels counts twice, its neighbours are taken off; what leaves the square does not count. */
function kernelOf (sides: readonly number[], place: (at: number, side: number) => readonly [number, number]) {
  const weights = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0])
  for (const at of [-2, -1, 0, 1, 2]) {
    for (const side of [0, ...sides]) {
      const [dx, dy] = place(at, side)
      if (Math.abs(dx) <= 2 && Math.abs(dy) <= 2) (weights[dy + 2] as number[])[dx + 2] = side === 0 ? 2 : -1
    }
  }
  return weights
}

const KERNELS = {
  level: kernelOf([-1, 1], (at, side) => [at, side]),
  upright: kernelOf([-1, 1], (at, side) => [side, at]),
  falling: kernelOf([-3, -1, 1, 3], (at, side) => [at + side, at]),
  rising: kernelOf([-3, -1, 1, 3], (at, side) => [at + side, -at])
}

t.test('lines of each direction are found by their kernels', t => {
  const random = createRandom(3)
  for (const [width, height] of [[41, 23], [7, 5], [4, 9], [1, 1]] as const) {
    const data = Uint8Array.from({ length: width * height }, () => random.chance(0.5) ? random.whole(0, 255) : 90)
    const maps = lineMaps({ width, height, data })
    for (const [name, kernel] of Object.entries(KERNELS)) {
      const wanted = Float32Array.from(data, (grey, at) => {
        const [x, y] = [at % width, Math.floor(at / width)]
        const isRim = x < 2 || y < 2 || x >= width - 2 || y >= height - 2
        const sum = kernel.flat().reduce((total, weight, tap) =>
          total + weight * (data[at + (Math.floor(tap / 5) - 2) * width + tap % 5 - 2] ?? 0), 128)
        return 2 * Math.max(0, (isRim ? grey : Math.min(255, Math.max(0, sum))) / 255 - 0.5)
      })
      t.same(maps[name as keyof typeof KERNELS], wanted, `${name}, ${width} × ${height}`)
    }
  }
  t.end()
})

t.test('change against a reference', async t => {
  const found = score(picture(() => 60), picture(() => 80))
  near(t, found.diff, 0.07843, 'diff')
  near(t, found.anomaly, 0.02952, 'score')
})

t.test('noise counts as strands', async t => {
  for (const [sigma, strands, anomaly] of [[1, 0.033, 0.02], [3, 0.089, 0.054], [6, 0.175, 0.106]] as const) {
    const random = createRandom(7)
    const found = score(picture(() => Math.max(0, Math.min(255, Math.round(90 + sigma * random.bell())))))
    t.ok(Math.abs(found.strands - strands) < 0.004, `sigma ${sigma}: strands ${found.strands}, wanted ${strands}`)
    t.ok(Math.abs(found.anomaly - anomaly) < 0.004, `sigma ${sigma}: score ${found.anomaly}, wanted ${anomaly}`)
  }
})

t.test('weights add up to one, and change has none while the printer prepares', async t => {
  const sum = (weights: object) => Object.values(weights).reduce((total: number, weight: number) => total + weight, 0)
  for (const context of [contextOf(), contextOf({ series: 'A1', enclosed: false }), contextOf({ stageId: 4 }),
    contextOf({ speed: 'LUDICROUS', doorOpen: true, filament: { type: 'ABS', color: '#101010' } })]) {
    t.ok(Math.abs(sum(weightsFor(context)) - 1) < 1e-12)
  }
  t.equal(weightsFor(contextOf({ stageId: 4 })).diff, 0)
  t.equal(score(picture(() => 60)).diff, null)
})
