import t from 'tap'
import { filamentsOf } from '../../../../plugins/history/filament.js'
import { gramsIn, plateCourse, usedByLayers } from '../../../../plugins/history/used-by-layers.js'
import type { Feed } from '../../../../plugins/history/types.js'

const course = (tool: number, ...grams: number[]) =>
  ({ tool, grams: Float64Array.from(grams), metres: Float64Array.from(grams, one => one / 4) })

/** Four layers; the second filament begins with the third. */
const PLATE = plateCourse([course(0, 1, 11, 21, 25, 29), course(2, 0, 0, 0, 5, 11)], 4)
const RUNS = { result: 'running', totalLayers: 4 } as const

const grams = (print: Parameters<typeof usedByLayers>[1]) =>
  usedByLayers(PLATE, print)?.filaments.map(({ filament, grams }) => `${filament} ${grams}`)

t.test('all layers before the one in progress count, and half of that', async t => {
  t.same(grams({ ...RUNS, layer: 1 }), ['1 6', '3 0'], 'with what is purged before the first')
  t.same(grams({ ...RUNS, layer: 3 }), ['1 23', '3 2.5'])
  t.same(grams({ ...RUNS, layer: 4 }), ['1 27', '3 8'])
  t.same(grams({ ...RUNS, layer: 4, result: 'finished' }), ['1 29', '3 11'])
  t.match(usedByLayers(PLATE, { ...RUNS, layer: 3 }), { layer: 3, percent: 63.75, filaments: [{ metres: 5.75 }, {}] })
})

t.test('it is not counted without layers, or if the printer prints another plate', async t => {
  t.equal(grams({ ...RUNS, layer: 0 }), undefined)
  t.equal(grams({ ...RUNS, layer: 3, totalLayers: 0 }), undefined)
  t.equal(grams({ ...RUNS, layer: 3, totalLayers: 7 }), undefined)
  t.same(grams({ ...RUNS, layer: 3, totalLayers: 5 }), ['1 23', '3 2.5'], 'slicers count in different ways')
  t.equal(usedByLayers(plateCourse([course(0, 0, 0)], 1), { ...RUNS, layer: 1, totalLayers: 1 }), undefined, 'no filament')
})

t.test('the first layers include what comes before them', async t => {
  t.equal(gramsIn(PLATE, 1, [[0, 2]]), 21)
  t.equal(gramsIn(PLATE, 1, [[0, 1], [2, 9]]), 19)
  t.equal(gramsIn(PLATE, 2, [[0, 4]]), 0, 'the plate does not use it')
})

t.test('spools share a filament by the grams of their layers', async t => {
  const feed = (slot: number, spans: Feed['spans']): Feed =>
    ({ filament: 1, place: `ams 0 slot ${slot}`, material: 'PLA', color: '', tag: '', amount: 2, seconds: 9, spans })
  const list = [feed(0, [[0, 2]]), feed(1, [[2, 4]])]
  const print = {
    planned: [{ id: 1, type: 'PLA', color: '', grams: 58 }],
    mapping: ['ams 0 slot 0'],
    feeds: { list, inUse: [1], active: '', reported: '', amount: 4, seconds: 18 },
    result: 'finished'
  } as const
  const planned = (plate?: typeof PLATE) => filamentsOf(print, plate).map(({ plannedGrams }) => plannedGrams)
  t.same(planned(), [29, 29], 'by layers while the plate is not known')
  t.same(planned(PLATE), [42, 16])
})
