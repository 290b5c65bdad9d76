import t from 'tap'
import { ObjectUse, savingsFrom } from '../../../plugins/toolpath/object-use.js'
import { FEATURES, type Feature } from '../../../plugins/toolpath/read/features.data.js'
import type { Move } from '../../../plugins/toolpath/read/moves.js'

const moveOf = (object: number, layer: number, feature: Feature = 'outer_wall', tool = 0, extruded = 2): Move => ({
  line: 1,
  fromX: 0,
  fromY: 0,
  fromZ: 0,
  toX: 1,
  toY: 0,
  toZ: 0,
  arc: undefined,
  length: 1,
  speed: 10,
  isWipe: false,
  isSkippable: false,
  object,
  layer,
  tool,
  extruded,
  feature: FEATURES.indexOf(feature)
})

t.test('filament and time are added up by object and layer', async t => {
  const use = new ObjectUse()
  for (const layer of [1, 2, 3]) {
    for (const object of [7, 9, 7]) t.equal(use.move(moveOf(object, layer, 'outer_wall', layer - 1)), object)
    use.time(10, layer, 9)
    use.time(1, layer, 7)
    use.time(2, layer, 7)
  }
  const { seconds, filament } = use.all
  t.same([...seconds.layers], [1, 1, 2, 2, 3, 3], 'a row for each layer and object, however often they alternate')
  t.same([...filament.values], [4, 2, 4, 2, 4, 2])
  const from = (layer: number, object: number) => savingsFrom(use.all, layer)?.get(object)
  t.same(from(1, 7), { seconds: 9, filament: new Map([[0, 4], [1, 4], [2, 4]]) })
  t.same(from(3, 9), { seconds: 10, filament: new Map([[2, 2]]) })
  t.equal(from(4, 9), undefined)
})

t.test('what is printed whether or not an object is skipped is not part of it', async t => {
  const use = new ObjectUse()
  for (const feature of ['prime_tower', 'skirt', 'custom'] as const) t.equal(use.move(moveOf(7, 1, feature)), 0, feature)
  use.change(true)
  t.equal(use.move(moveOf(7, 1)), 0, 'a filament change')
  use.change(false)
  t.equal(use.move(moveOf(7, 1, 'support')), 7)
  use.time(5, 1, 0)
  t.same(savingsFrom(use.all, 1), new Map([[7, { seconds: 0, filament: new Map([[0, 2]]) }]]))
})

t.test('a plate with too many objects and layers is not added up rather than in part', async t => {
  const use = new ObjectUse()
  for (let layer = 1; layer <= 100; layer++) {
    for (let object = 1; object <= 2_001; object++) use.move(moveOf(object, layer))
  }
  const { isWhole, filament } = use.all
  t.equal(isWhole, false)
  t.equal(filament.layers.length, 200_000)
  t.equal(savingsFrom(use.all, 1), undefined)
})
