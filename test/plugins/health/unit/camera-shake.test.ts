import t from 'tap'
import { shakeBetween } from '../../../../plugins/health/analysis/improved/camera-shake.js'
import { crossCorrelation } from '../../../../plugins/health/analysis/improved/cross-correlation.js'
import { fineCorrelation } from '../../../../plugins/health/analysis/improved/fine-correlation.js'
import { inBytes, smooth } from '../../../../plugins/health/analysis/improved/ridges.js'
import { shrunkInk, type Grey, type Picture } from '../../../../plugins/health/analysis/picture.js'
import { createRandom } from '../../../health/scene/random.js'
import { moved } from '../../../health/scene/shake.js'

const [WIDTH, HEIGHT] = [192, 112]

/** A grained sheet in twice the size, seen by a camera that moved by so many pixels of the smaller one. */
function seen (seed: number, right: number, down: number): { readonly grey: Grey, readonly smoothed: Grey } {
  const random = createRandom(seed)
  const grain = Float32Array.from({ length: 4 * WIDTH * HEIGHT }, () => 110 + 45 * random.bell())
  const sheet = smooth({ width: 2 * WIDTH, height: 2 * HEIGHT, data: Uint8Array.from(grain) })
  const data = new Uint8Array(3 * sheet.length)
  sheet.forEach((value, at) => data.fill(value, 3 * at, 3 * at + 3))
  const picture: Picture = {
    width: 2 * WIDTH,
    height: 2 * HEIGHT,
    data: moved(data, 2 * WIDTH, 2 * HEIGHT, (x, y) => [x + 2 * right, y + 2 * down])
  }
  const grey = shrunkInk(picture, WIDTH)
  return { grey, smoothed: inBytes(grey, smooth(grey)) }
}

const straight = (x: number, y: number) => ({ x, y, across: [1, 0], along: [0, 1] } as const)
const SEARCH = { fromX: -2, toX: 2, fromY: -2, toY: 2 }

t.test('grain that moved by half a pixel is the same, other grain is not', async t => {
  const [before, now, other] = [seen(1, 0, 0), seen(1, 0.5, -0.5), seen(2, 0, 0)]
  const whole = crossCorrelation(now.grey, before.grey, 64, 48, SEARCH)
  const fine = fineCorrelation(now.smoothed, before.smoothed, 64, 48, straight(whole.x, whole.y)) ?? 0
  t.ok(whole.fit < 0.9, `in whole pixels ${whole.fit}`)
  t.ok(fine > 0.95, `between pixels ${fine}`)
  t.ok((fineCorrelation(other.smoothed, before.smoothed, 64, 48, straight(64, 48)) ?? 0) < 0.6)
  const plain = { width: WIDTH, height: HEIGHT, data: new Uint8Array(WIDTH * HEIGHT).fill(90) }
  t.equal(fineCorrelation(plain, before.smoothed, 64, 48, straight(64, 48)), undefined, 'nothing to find again')
})

t.test('the shake of a camera is measured where the plate is not', async t => {
  const [before, now] = [seen(1, 0, 0), seen(1, 0.3, 0.4)]
  const found = shakeBetween(now.smoothed, before.smoothed, undefined)
  t.ok(Math.abs(found - 0.5) < 0.12, `${found}`)
  t.ok(shakeBetween(before.smoothed, before.smoothed, undefined) < 0.01)
  const everywhere = new Uint8Array(WIDTH / 16 * HEIGHT / 16).fill(1)
  t.equal(shakeBetween(now.smoothed, before.smoothed, everywhere), 0, 'what moves by itself says nothing')
})
