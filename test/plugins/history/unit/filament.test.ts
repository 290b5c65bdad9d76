import t from 'tap'
import { costOf, usedOf } from '../../../../plugins/history/filament.js'
import { rowsOf } from '../../../../plugins/history/tables.js'
import type { Print } from '../../../../plugins/history/types.js'
import { readSliceInfo } from '../../../../plugins/projects/read/slice-info.js'

t.test('a print that ended early took its share of the plan', async t => {
  t.equal(usedOf({ result: 'finished', percent: 97 }, 40), 40)
  t.equal(usedOf({ result: 'cancelled', percent: 25 }, 40), 10)
  t.equal(usedOf({ result: 'failed', percent: 25 }, undefined), null)
})

t.test('a cost needs a price', async t => {
  t.equal(costOf({ PLA: 20 }, 'PLA', 125), 2.5)
  t.equal(costOf({ PLA: 20 }, 'PETG', 125), null)
  t.equal(costOf({ PLA: 20 }, 'PLA', null), null)
  t.equal(costOf({}, 'constructor', 1), null)
})

t.test('a print has a cost when all of its filaments have one; grams and metres are those of each', async t => {
  const print = { id: 'a', job: {}, times: {}, faults: [], result: 'finished', percent: 100 } as unknown as Print
  const use = { filament: 1, material: 'PLA', color: '', place: '', tag: '', plannedGrams: 100, plannedMetres: 33.5 }
  const owner = { serial: 's', printer: 'p', model: 'X1C' }
  const filaments = [use, { ...use, filament: 2, material: 'PETG' }]
  const rows = (prices: object) => rowsOf({ ...print, filaments }, owner, prices as Record<string, number>)
    .map(({ values }) => values)
  t.match(rows({ PLA: 20 }), [{ cost: null, materials: ',PLA,PETG,' }, { grams: 100, metres: 33.5, cost: 2 }, { cost: null }])
  t.match(rows({ PLA: 20, PETG: 30 }), [{ cost: 5 }, { cost: 2 }, { cost: 3 }])
})

t.test('the slicer tells grams and metres', async t => {
  const plates = readSliceInfo('<config><plate><metadata key="index" value="1"/>' +
    '<filament id="1" type="PLA" color="#FFFFFF" used_m="4.61" used_g="13.97"/></plate></config>')
  t.match(plates.get(1)?.filaments, [{ id: 1, grams: 13.97, metres: 4.61 }])
})
