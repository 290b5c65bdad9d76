import t from 'tap'
import { costOf, usedOf } from '../../../../plugins/history/filament.js'
import { rowsOf } from '../../../../plugins/history/tables.js'
import type { Print } from '../../../../plugins/history/types.js'
import { readSliceInfo } from '../../../../plugins/projects/read/slice-info.js'

const USE = { filament: 2, share: 0.5, plannedGrams: 40, plannedMetres: 12 }
const BY_LAYERS = { layer: 7, percent: 60, filaments: [{ filament: 2, grams: 50, metres: 16 }] }

t.test('what a print used is planned, counted by layers, or the share of the plan by percent', async t => {
  const finished = { result: 'finished', percent: 97, layer: 7 } as const
  const cancelled = { result: 'cancelled', percent: 25, layer: 7 } as const
  const unplanned = { ...USE, plannedGrams: undefined, plannedMetres: undefined }
  t.same(usedOf(finished, USE), { grams: 40, metres: 12, basis: 'planned' })
  t.same(usedOf({ ...finished, byLayers: BY_LAYERS }, USE), { grams: 40, metres: 12, basis: 'planned' })
  t.same(usedOf(cancelled, USE), { grams: 10, metres: 3, basis: 'scaled' })
  t.same(usedOf({ ...cancelled, byLayers: BY_LAYERS }, USE), { grams: 25, metres: 8, basis: 'layers' }, 'of its share')
  t.same(usedOf({ ...cancelled, layer: 8, byLayers: BY_LAYERS }, USE).basis, 'scaled', 'the figures are of another layer')
  t.same(usedOf({ ...cancelled, byLayers: BY_LAYERS }, { ...USE, filament: 1 }).basis, 'scaled', 'nothing is known of it')
  t.same(usedOf({ ...cancelled, result: 'failed' }, unplanned), { grams: null, metres: null, basis: null })
  t.same(usedOf({ ...finished, byLayers: BY_LAYERS }, unplanned), { grams: 25, metres: 8, basis: 'layers' })
})

t.test('a cost needs a price', async t => {
  t.equal(costOf({ PLA: 20 }, 'PLA', 125), 2.5)
  t.equal(costOf({ PLA: 20 }, 'PETG', 125), null)
  t.equal(costOf({ PLA: 20 }, 'PLA', null), null)
  t.equal(costOf({}, 'constructor', 1), null)
})

t.test('a print has a cost when all of its filaments have one; grams and metres are those of each', async t => {
  const print = { id: 'a', job: { subtaskName: 'cube' }, times: {}, faults: [], result: 'finished', percent: 100 } as unknown as Print
  const use = { filament: 1, material: 'PLA', color: '', place: '', tag: '', plannedGrams: 100, plannedMetres: 33.5 }
  const owner = { serial: 's', printer: 'p', model: 'X1C' }
  const filaments = [use, { ...use, filament: 2, material: 'PETG' }]
  const rows = (prices: object) => rowsOf({ ...print, filaments }, owner, prices as Record<string, number>)
    .map(({ values }) => values)
  t.match(rows({ PLA: 20 }), [{ cost: null, materials: ',PLA,PETG,' }, { grams: 100, metres: 33.5, cost: 2 }, { cost: null }])
  t.match(rows({ PLA: 20, PETG: 30 }), [{ cost: 5 }, { cost: 2 }, { cost: 3 }])
})

t.test('what a printer reports fits the columns, whatever it is', t => {
  const job = { subtaskName: 'x'.repeat(5_000), plate: -1e300 }
  const print = { id: 'a', job, times: {}, faults: [], percent: 1e12, plannedSeconds: 1.5, layer: NaN } as unknown as Print
  const use = { filament: 3e9, material: 'y'.repeat(5_000), color: '', place: '', tag: '', share: 0 } as never
  const [row, filament] = rowsOf({ ...print, filaments: [use] }, { serial: 's', printer: 'p', model: 'X1C' })
  t.match(row?.values, { percent: 2 ** 31 - 1, plate: 1 - 2 ** 31, planned_s: 2, layer: 0, name: 'x'.repeat(300) })
  t.match(filament?.values, { filament: 2 ** 31 - 1, material: 'y'.repeat(40) })
  t.equal(row?.values.materials, `,${'y'.repeat(40)},`)
  t.end()
})

t.test('the slicer tells grams and metres', async t => {
  const plates = readSliceInfo('<config><plate><metadata key="index" value="1"/>' +
    '<filament id="1" type="PLA" color="#FFFFFF" used_m="4.61" used_g="13.97"/></plate></config>')
  t.match(plates.get(1)?.filaments, [{ id: 1, grams: 13.97, metres: 4.61 }])
})
