import t from 'tap'
import { CATALOGUE } from '../../../../plugins/filament/catalogue.js'
import { labelOf } from '../../../../plugins/filament/lines.js'
import { relationOf, type MaterialRelation } from '../../../../plugins/filament/materials.js'

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

const NAMED: readonly (readonly [wanted: string, found: string, relation: MaterialRelation])[] = [
  ['PLA GFA01', 'PLA GFA01', 'same'], ['PLA GFA01', 'PLA GFA00', 'variant'], ['PLA GFA00', 'PLA GFA05', 'variant'],
  ['PLA GFA05', 'PLA GFL96', 'same'], ['PLA GFA01', 'PLA GFL05', 'same'], ['PLA GFA00', 'PLA GFL99', 'same'],
  ['PLA GFL99', 'PLA GFL95', 'variant'], ['PLA GFA50', 'PLA GFL98', 'same'], ['PLA GFA00', 'PLA-CF GFA50', 'variant'],
  ['PETG GFG00', 'PETG GFG02', 'variant'], ['PETG GFG96', 'PETG GFG02', 'same'], ['PETG GFG01', 'PETG GFG99', 'variant'],
  ['PETG-CF GFG98', 'PETG GFG50', 'same'], ['ABS GFB00', 'ABS GFB50', 'variant'], ['ABS GFB00', 'ABS GFB99', 'same'],
  ['ASA GFB01', 'ASA GFB02', 'variant'], ['PA6-CF GFN05', 'PA-CF GFN03', 'variant'], ['PA6-CF GFL50', 'PA GFN05', 'same'],
  ['PAHT-CF GFN04', 'PA-CF GFN03', 'variant'], ['PC GFC00', 'PC GFC01', 'variant'], ['TPU GFU01', 'TPU GFU00', 'variant'],
  ['TPU GFU02', 'TPU GFU98', 'same'], ['TPU GFU02', 'TPU GFU99', 'variant'], ['PLA GFA06', 'PLA GFA05', 'variant'],
  ['PLA', 'PLA GFA01', 'variant'], ['PLA', 'PLA GFA00', 'same'], ['PLA GFA01', 'PLA', 'variant'],
  ['PLA P1234567', 'PLA P1234567', 'same'], ['PLA P1234567', 'PLA P7654321', 'same'], ['PETG GFG00', 'PLA GFA00', 'other']
]

const materialOf = (text: string) => {
  const [type = '', catalogueId = ''] = text.split(' ')
  return { type, catalogueId }
}

for (const [wanted, found, relation] of NAMED) {
  t.test(`'${found}' for '${wanted}', by the catalogue`, async t =>
    t.equal(relationOf(materialOf(wanted), materialOf(found)), relation))
}

t.test("what the catalogue does not know goes by its own name, as a slicer's preset or a spool gives it", async t => {
  const own = (label: string, type = 'PLA') => ({ type, label, catalogueId: `P-${label}` })
  t.equal(relationOf(own('My Silk PLA'), { type: 'PLA', catalogueId: 'GFA05' }), 'same')
  t.equal(relationOf(own('My Silk PLA'), own('Acme PLA Matte')), 'variant')
  t.equal(relationOf(own('Acme PLA'), { type: 'PLA', catalogueId: 'GFA00' }), 'same')
  t.equal(relationOf(own('Acme High-Speed PLA'), { type: 'PLA', catalogueId: 'GFL95' }), 'same')
  t.equal(relationOf(own('Acme PLA for my AMS'), { type: 'PLA', catalogueId: 'GFL99' }), 'same', 'a note is no line')
})

t.test('in words', async t => {
  t.same(['GFA01', 'GFL99', 'GFG02', 'GFN05', 'GFS00', ''].map(catalogueId => labelOf({ type: 'PLA', catalogueId })),
    ['PLA Matte', 'PLA', 'PLA PETG HF', 'PLA PA6-CF', 'PLA Support W', 'PLA'])
  t.equal(labelOf({ type: 'PA6-CF', catalogueId: 'GFN05' }), 'PA6-CF')
  t.equal(labelOf({ type: 'PLA', label: 'Silk', catalogueId: 'P1' }), 'PLA Silk')
  t.equal(labelOf({ type: '' }), '')
})

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
