import t from 'tap'
import { Clock, type AxisLimits } from '../../../plugins/toolpath/clock.js'
import { Machine } from '../../../plugins/toolpath/read/machine.js'
import type { Orders } from '../../../plugins/toolpath/read/moves.js'
import { Scanner } from '../../../plugins/toolpath/read/scanner.js'

const LIMITS: AxisLimits =
  { speed: [500, 500, 20, 50], acceleration: [1_000, 1_000, 500, 5_000], jerk: [9, 9, 3, 3] }
const near = (value: number) => Math.round(value * 1e6) / 1e6

/** Seconds of a file, and of each of its layers. */
function secondsOf (text: string, limits = LIMITS) {
  const layers: number[] = []
  let layer = 0
  const clock = new Clock(limits, (seconds, of) => { layers[of] = (layers[of] ?? 0) + seconds })
  const nothing = () => {}
  const orders: Orders = {
    move: move => clock.move(move),
    layer: number => { layer = number },
    dwell: seconds => clock.wait(seconds, layer),
    acceleration: (print, travel) => clock.accelerate(print, travel),
    jerk: (x, y, z, e) => clock.setJerk(x, y, z, e),
    heat: nothing,
    tool: nothing,
    home: nothing,
    progress: nothing,
    change: nothing,
    other: nothing,
    tooLong: nothing,
    unreadable: nothing,
    unknown: nothing
  }
  const scanner = new Scanner(new Machine(orders))
  scanner.write(Buffer.from(text))
  scanner.end()
  clock.finish()
  return { layers, total: layers.reduce((sum, seconds) => sum + (seconds ?? 0), 0) }
}

/** A move of its own, which starts and ends with the jerk of one axis. */
const alone = (length: number, speed: number, acceleration = 1_000, jerk = 9) => {
  const reached = Math.min(speed, Math.sqrt(jerk ** 2 + acceleration * length))
  return (2 * reached - 2 * jerk) / acceleration + (length - (reached ** 2 - jerk ** 2) / acceleration) / reached
}

t.test('a move speeds up, goes on and stops', async t => {
  t.equal(near(secondsOf('G1 X100 F6000').total), near(alone(100, 100)))
  t.equal(near(secondsOf('G1 X1 F6000').total), near(alone(1, 100)), 'one that is too short to reach its speed')
})

t.test('straight on nothing slows down, however the line is cut', async t => {
  const whole = secondsOf('G1 X100 F6000').total
  const cut = Array.from({ length: 1_000 }, (_, index) => `G1 X${(index + 1) / 10} F6000`).join('\n')
  t.ok(Math.abs(secondsOf(cut).total - whole) < 1e-6, `${secondsOf(cut).total} and ${whole}`)
})

t.test('a corner is taken at the speed that its jerk allows', async t => {
  const corner = secondsOf('G1 X100 F6000\nG1 X100 Y100').total
  const back = secondsOf('G1 X100 F6000\nG1 X0').total
  const straight = secondsOf('G1 X200 F6000').total
  t.ok(back >= corner && corner > straight, `${back}, ${corner}, ${straight}`)
  const half = (9 ** 2 / 2 + 1_000 * 100) ** 0.5
  t.ok(half > 100)
  // From 9 mm/s to 100 and down to 9 in the corner, twice.
  const changing = (exit: number) => (2 * 100 ** 2 - 9 ** 2 - exit ** 2) / 2_000
  const side = (exit: number) => (2 * 100 - 9 - exit) / 1_000 + (100 - changing(exit)) / 100
  t.equal(near(corner), near(side(9) + side(9)))
})

t.test('limits of each axis hold', async t => {
  t.ok(secondsOf('G1 Z100 F60000').total > 5, 'Z goes at 20 mm/s')
  t.ok(secondsOf('M83\nG1 E100 F60000').total > 2, 'the extruder at 50 mm/s')
  t.ok(secondsOf('M204 S100\nG1 X10 F6000').total > secondsOf('M204 S500\nG1 X10 F6000').total)
  const there = 'G1 X10 F6000\nG1 X0'
  t.equal(secondsOf(`M205 X99\n${there}`).total, secondsOf(there).total, 'never more jerk than its own')
})

t.test('waits count, and layers have their own times', async t => {
  const { layers, total } = secondsOf('G1 X10 F600\n; CHANGE_LAYER\nG4 S3\nG1 X20\n; CHANGE_LAYER\nG1 X30')
  t.equal(layers.length, 3)
  t.ok((layers[1] ?? 0) > 3.9 && (layers[1] ?? 0) < 4.2, `${layers[1]}`)
  t.equal(near(total), near(layers.reduce((sum, seconds) => sum + seconds, 0)))
})

t.test('moves without a speed take no time, and none is infinite', async t => {
  t.equal(secondsOf('G1 X10').total, 0)
  t.ok(Number.isFinite(secondsOf('G1 X10 F1\nG1 X10.0000001 Y0\nG1 E1e9\nG2 I1').total))
})
