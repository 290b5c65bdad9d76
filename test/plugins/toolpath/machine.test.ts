import t from 'tap'
import { FEATURES } from '../../../plugins/toolpath/read/features.data.js'
import { Machine } from '../../../plugins/toolpath/read/machine.js'
import type { Move, Orders } from '../../../plugins/toolpath/read/moves.js'
import { Scanner } from '../../../plugins/toolpath/read/scanner.js'

const near = (value: number) => Math.round(value * 1e4) / 1e4

/** What a printer would do, in short words. */
function follow (text: string) {
  const moves: Move[] = []
  const orders: string[] = []
  const say = (name: string) => (...values: readonly unknown[]) => { orders.push([name, ...values.slice(0, -1)].join(' ')) }
  const listener: Orders = {
    move: move => moves.push({ ...move }),
    layer: say('layer'),
    heat: say('heat'),
    tool: say('tool'),
    home: ({ x, y, z }) => orders.push(`home ${Number(x)}${Number(y)}${Number(z)}`),
    dwell: say('dwell'),
    acceleration: say('acceleration'),
    jerk: say('jerk'),
    progress: say('progress'),
    change: say('change'),
    other: say('other'),
    unreadable: say('unreadable'),
    unknown: say('unknown'),
    tooLong: line => orders.push(`too long ${line}`)
  }
  const scanner = new Scanner(new Machine(listener))
  scanner.write(Buffer.from(text))
  scanner.end()
  const path = moves.map(({ toX, toY, toZ, extruded }) => [toX, toY, toZ, extruded].map(near).join(' '))
  return { moves, orders, path }
}

t.test('positions are absolute or relative, and extrusion by itself', async t => {
  t.same(follow('G90\nM83\nG1 X10 Y10 E1\nG1 X20 E1\nG91\nG1 X5 Z1 E1\nG90\nG1 Y0 E1').path,
    ['10 10 0 1', '20 10 0 1', '25 10 1 1', '25 0 1 1'], 'G90 does not end relative extrusion')
  t.same(follow('M82\nG1 X1 E5\nG1 X2 E7\nG92 E0\nG1 X3 E1\nG91\nG1 E-2\nG90\nG1 X4 E2').path,
    ['1 0 0 5', '2 0 0 2', '3 0 0 1', '3 0 0 -2', '4 0 0 1'], 'absolute extrusion, and a relative retraction')
})

t.test('G92 moves the origin, and homing takes that back', async t => {
  t.same(follow('G1 X10\nG92 X0 Y5\nG1 X1 Y5\nG28 X\nG1 X2').path, ['10 0 0 0', '11 0 0 0', '2 0 0 0'])
  t.same(follow('G28\nG28 X Y').orders, ['home 111', 'home 110'])
})

t.test('speed, its factors and units', async t => {
  const [first, second, third] = follow('G1 X1 F600\nM220 S200\nM221 S50\nG1 X2 E1\nG20\nG1 X1 E1 F60').moves
  t.same([first?.speed, second?.speed, second?.extruded], [10, 20, 0.5])
  t.same([third?.toX, third?.speed, third?.extruded].map(value => near(value ?? 0)),
    [25.4, near(25.4 * 2), near(24.4 * 0.5)])
})

t.test('arcs have their own length', async t => {
  const [start, arc] = follow('G1 X10\nG3 X0 Y10 I-10 J0 E2').moves
  t.equal(near(start?.length ?? 0), 10)
  t.equal(near(arc?.length ?? 0), near(5 * Math.PI))
  t.equal(follow('G2 X10 Y0').moves[0]?.length, 10, 'one without a centre is straight')
  t.equal(near(follow('G1 X10\nG3 X10 Y0 Z3 I-5').moves[1]?.length ?? 0), near(Math.hypot(10 * Math.PI, 3)), 'a full turn that climbs')
})

t.test('heat, tools, waits and limits are reported', async t => {
  t.same(follow('M104 S220\nM109 T1 S200\nM140 S60\nM190 R55\nM141 S40\nM104').orders,
    ['heat nozzle 220  false', 'heat nozzle 200 1 true', 'heat bed 60  false', 'heat bed 55  true', 'heat chamber 40  false'])
  t.same(follow('M620 M\nM620 Q1\nT1\nM620 S1A\nT1000\nM621 S1A\nM620 S255\nM620.1 E F500\nG4 P500\nG4 S2\nM204 S5000\nM205 X9\nM73 P5 R10\nM400\nM400 S3\nM400 P250\nG29.2 S0').orders,
    ['other M 620', 'other M 620', 'tool 1', 'change true 1', 'other T 1000', 'change false 1', 'change true ', 'other M 620.1', 'dwell 0.5', 'dwell 2', 'acceleration 5000 5000', 'jerk 9   ', 'progress 5 10', 'other M 400', 'dwell 3', 'dwell 0.25', 'other G 29.2'])
})

t.test('comments of three slicers name layers and features', async t => {
  const feature = (text: string) => FEATURES[follow(`${text}\nG1 X1 E1`).moves[0]?.feature ?? 0]
  t.same(['; FEATURE: Outer wall', ';TYPE:External perimeter', ';TYPE:WALL-OUTER'].map(feature), Array(3).fill('outer_wall'))
  t.equal(feature('; FEATURE: Something new'), 'custom')
  for (const layer of ['; CHANGE_LAYER', ';LAYER_CHANGE', ';LAYER:0']) {
    t.same(follow(`G1 X1\n${layer}\nG1 X2\n${layer}\nG1 X3`).moves.map(move => move.layer), [0, 1, 2], layer)
  }
  const moves = follow('; OBJECT_ID: 87\nG1 X1 E1\n; WIPE_START\nG1 X2\n; WIPE_END\n; stop printing object\nG1 X3').moves
  t.match(moves, [{ object: 87, isWipe: false }, { object: 87, isWipe: true }, { object: 0, isWipe: false }])
})

t.test('nonsense moves nothing to nowhere', async t => {
  t.same(follow(`G92 XNaN\nG1 X1\nG1 X${'9'.repeat(400)} Y1\nG1 X2`).path, ['1 0 0 0', '1 1 0 0', '2 1 0 0'])
  for (const text of ['G1 XNaN Y--', 'G2 X1 I0 J0', 'G1', 'G92 XNaN\nG1 X1', 'M220 S0\nG1 X1 F0', 'M220 S-5\nG1 X1', 'G3 R0']) {
    for (const { toX, toY, toZ, extruded, length, speed } of follow(text).moves) {
      t.ok([toX, toY, toZ, extruded, length, speed].every(Number.isFinite), text)
    }
  }
})

t.test('filament that the printer flushes by itself counts, and moves nothing', async t => {
  const { path } = follow('M83\nG1 X5 Y6 E1 F300\n; VFLUSH_START\n;VG1 E41.5 F300\n; VFLUSH_END\nG1 X6 E1')
  t.same(path, ['5 6 0 1', '5 6 0 41.5', '6 6 0 1'])
})

t.test('damaged commands are named', async t => {
  t.same(follow('G28\nG1 X1 Y\nG1 X\u0000\u0001 E1\n\u0000G\u00001\nSYNC T5\nG1 X9').orders.filter(order => order.startsWith('unreadable')).length, 3)
})
