import t from 'tap'
import { extrudedUntil, gramsOf, Layers, MOST_LAYERS } from '../../../plugins/toolpath/layers.js'
import { Machine } from '../../../plugins/toolpath/read/machine.js'
import type { Orders } from '../../../plugins/toolpath/read/moves.js'
import { Scanner } from '../../../plugins/toolpath/read/scanner.js'

const near = (value: number) => Math.round(value * 1e4) / 1e4

function layersOf (text: string) {
  const layers = new Layers()
  const nothing = () => {}
  const orders: Orders = {
    move: move => layers.move(move),
    layer: (layer, z, line) => { layers.begin(layer, z, line) },
    change: isBegin => layers.change(isBegin),
    heat: nothing,
    tool: nothing,
    home: nothing,
    dwell: nothing,
    acceleration: nothing,
    jerk: nothing,
    progress: nothing,
    other: nothing,
    tooLong: nothing,
    unreadable: nothing,
    unknown: nothing
  }
  const scanner = new Scanner(new Machine(orders))
  scanner.write(Buffer.from(text))
  scanner.end()
  return layers
}

const PRINT = `M83
T0
G1 X10 E1
; CHANGE_LAYER
G1 Z0.2
G1 X20 E2
G1 E-0.8
G1 X30
G1 E0.8
M620 S1A
T1
G1 E30
M621 S1A
; FEATURE: Prime tower
G1 X40 E3
; CHANGE_LAYER
; FEATURE: Outer wall
G1 Z0.4
G1 X50 E4`

t.test('filament is counted by layer, tool and use', async t => {
  const { all } = layersOf(PRINT)
  t.same(all.map(({ z, line }) => [near(z), line]), [[0, 0], [0.2, 4], [0.4, 16]])
  t.same([...all[1]?.extruded ?? []].map(([tool, uses]) => [tool, near(uses.part), uses.prime, uses.flush]),
    [[0, 2, 0, 0], [1, 0, 3, 30]], 'a retraction is given back')
  t.same([...extrudedUntil(all)].map(([tool, uses]) => [tool, near(uses.part), uses.prime, uses.flush]),
    [[0, 3, 0, 0], [1, 4, 3, 30]])
  t.equal(extrudedUntil(all, 0).get(1), undefined, 'before the first layer')
})

t.test('grams of 1 m of the usual filament', async t => {
  t.equal(near(gramsOf(1_000, 1.24, 1.75)), 2.9825)
})

t.test('layers without an end take no more memory', async t => {
  const layers = new Layers()
  t.ok(layers.begin(MOST_LAYERS, 1, 1))
  t.notOk(layers.begin(MOST_LAYERS + 1, 1, 2))
  layers.time(5, MOST_LAYERS + 7)
  t.same([layers.all.length, layers.all.at(-1)?.seconds], [MOST_LAYERS + 1, 5])
})
