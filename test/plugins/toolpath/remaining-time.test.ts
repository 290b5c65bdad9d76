import t from 'tap'
import { RemainingTime } from '../../../plugins/toolpath/remaining/remaining-time.js'

/** 100 s before the first layer, then ten layers of 60 s. */
const LAYERS = [100, ...Array<number>(10).fill(60)]
const print = (layers = LAYERS) => {
  const remaining = new RemainingTime(layers)
  const observe = (layer: number, seconds: number, speed = 1) => {
    remaining.observe({ layer, seconds, speed })
    return Math.round(remaining.seconds)
  }
  return { remaining, observe }
}

t.test('counts the moves of the layers that are left, and of the present one', async t => {
  const { remaining, observe } = print()
  t.equal(remaining.seconds, 700, 'before the printer has reported a layer')
  t.equal(observe(0, 0), 700)
  t.equal(observe(0, 40), 660)
  t.equal(observe(1, 90), 600)
  t.equal(observe(1, 30), 570)
  t.equal(observe(2, 30), 540)
  t.equal(observe(10, 480), 60)
  t.equal(observe(10, 30), 30)
})

t.test('stands still while nothing is printed, and where a layer takes longer than its moves', async t => {
  const { observe } = print()
  observe(4, 0)
  t.equal(observe(4, 20), 400)
  t.equal(observe(4, 0), 400)
  t.equal(observe(4, 500), 360, 'the six layers after it')
  t.equal(observe(11, 0), 0, 'behind the last')
})

t.test('takes over the pace that the printer has shown, the more the longer it is known', async t => {
  const layers = [0, ...Array<number>(100).fill(60)]
  const { observe } = print(layers)
  observe(1, 0)
  observe(2, 500)
  t.equal(observe(2, 0), 99 * 60, 'the first layer was not observed from its beginning')
  const thirty = Array.from({ length: 30 }, (_, at) => observe(at + 3, 90)).at(-1)!
  t.equal(thirty, 69 * 60 * 1.25, 'halfway between 1 and 1.5')
  const all = Array.from({ length: 60 }, (_, at) => observe(at + 33, 90)).at(-1)!
  t.ok(all > 9 * 60 * 1.35 && all < 9 * 60 * 1.5, String(all))
})

t.test('does not jump from one layer to the next', async t => {
  const { observe } = print([0, ...Array<number>(50).fill(60)])
  let before = observe(1, 0)
  for (let at = 0; at < 49 * 9; at++) {
    const now = observe(1 + Math.floor((at + 1) / 9), 10)
    t.ok(Math.abs(now - before) < 10 + before * 0.02, `${before} to ${now}`)
    before = now
  }
})

t.test('counts at the speed that the printer is set to', async t => {
  const { observe } = print()
  observe(1, 0)
  t.equal(observe(2, 60), 540)
  t.equal(observe(2, 0, 2), 270)
  t.equal(observe(2, 15, 2), 255)
  t.equal(observe(3, 15, 2), 240, 'a layer of half the time is no sign of another pace')
  t.equal(observe(3, 0, 0), 480, 'a printer that reports none prints at standard speed')
})

t.test('does not learn from layers that were skipped over, or that fall back', async t => {
  const { observe } = print()
  observe(1, 0)
  observe(2, 60)
  t.equal(observe(9, 420), 120, 'seven layers in their time')
  t.equal(observe(3, 1), 480, 'another print of the same file')
})
