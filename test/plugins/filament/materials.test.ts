import t from 'tap'
import { CATALOGUE } from '../../../plugins/filament/catalogue.js'
import { relationOf, type MaterialRelation } from '../../../plugins/filament/materials.js'

const ROWS: readonly (readonly [wanted: string, found: string, relation: MaterialRelation])[] = [
  ['PLA', 'PLA', 'same'], ['pla', 'PLA', 'same'], ['PLA-CF', 'PLA CF', 'same'],
  ['PLA', 'PLA-CF', 'variant'], ['PLA', 'PLA Silk', 'variant'], ['PETG', 'PETG-CF', 'variant'], ['PLA', 'PLA+', 'variant'],
  ['PA6-CF', 'PA-GF', 'variant'], ['PAHT-CF', 'PA-CF', 'variant'], ['TPU', 'TPU 95A', 'variant'],
  ['PLA', 'PETG', 'other'], ['PETG', 'PLA-CF', 'other'], ['PET-CF', 'PETG-CF', 'other'], ['PA', 'PPA-CF', 'other'],
  ['ABS', 'ASA', 'other'], ['PC', 'PP', 'other'],
  ['PLA-S', 'Support For PLA', 'same'], ['Sup.PLA', 'PLA-S', 'same'],
  ['PLA', 'PLA-S', 'variant'], ['Support For PLA', 'PLA', 'variant'], ['PLA-S', 'PETG', 'other'], ['PA-S', 'PLA-S', 'other'],
  ['PVA', 'PLA', 'other'], ['PVA', 'PVA', 'same'], ['PVA', 'BVOH', 'other'], ['ABS', 'HIPS', 'other'],
  ['', 'PLA', 'unknown'], ['PLA', '', 'unknown'], ['', '', 'unknown'],
  ['Mystery', 'PLA', 'unknown'], ['PLA', 'Mystery', 'unknown'], ['Mystery', 'mystery', 'same']
]

for (const [wanted, found, relation] of ROWS) {
  t.test(`'${found}' for '${wanted}'`, async t => t.equal(relationOf({ type: wanted }, { type: found }), relation))
}

t.test('the catalogue tells support from the plastic it supports', async t => {
  const support = { type: 'PLA', catalogueId: 'GFS02' }
  t.equal(relationOf({ type: 'PLA', catalogueId: 'GFA00' }, support), 'variant')
  t.equal(relationOf(support, { type: 'PLA-S', catalogueId: 'GFS02' }), 'same')
  t.equal(relationOf(support, support), 'same')
})

t.test('one entry under two types is no certain mismatch', async t => {
  const catalogueId = 'GFT01'
  t.equal(relationOf({ type: 'PET-CF', catalogueId }, { type: 'PETG', catalogueId }), 'unknown')
  t.equal(relationOf({ type: 'PET-CF', catalogueId }, { type: 'PETG', catalogueId: 'GFG99' }), 'other')
  t.equal(relationOf({ type: 'PLA', catalogueId: '' }, { type: 'PETG', catalogueId: '' }), 'other', 'no entry is not one entry')
})

t.test('every entry of the catalogue has a family that is known', async t => {
  for (const { filament_type: type, name } of CATALOGUE) t.not(relationOf({ type }, { type: 'PLA' }), 'unknown', name)
})
