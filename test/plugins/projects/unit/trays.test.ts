import t from 'tap'
import type { PrinterState } from '../../../../core/index.js'
import { loadedSpools, ownNumber, trayAt, traysOf } from '../../../../plugins/projects/mapping/trays.js'

const spool = (amsId: number, slot: number, more: object = {}) => ({
  id: amsId < 0 ? slot : amsId * 4 + slot,
  amsId,
  slot,
  present: true,
  type: 'PLA',
  subBrand: '',
  rgba: 'FF0000FF',
  colors: [],
  filamentId: '',
  remainingPercent: -1,
  weightG: 0,
  ...more
})

const state = (spools: readonly object[], units: readonly object[] = []) =>
  ({ spools, ams: { units } }) as unknown as PrinterState
const only = (given: object, units?: readonly object[]) => traysOf(state([given], units), false)[0]

t.test('places are named and numbered', async t => {
  const spools = [spool(0, 1), spool(3, 3), spool(16, 2), spool(129, 0), spool(-1, 254), spool(-1, 255)]
  t.same(traysOf(state(spools), true).map(({ trayId, name }) => [trayId, name]), [
    [1, 'AMS A · slot 2'], [15, 'AMS D · slot 4'], [2, 'AMS lite · slot 3'], [129, 'AMS HT B'],
    [254, 'the left external holder'], [255, 'the right external holder']
  ])
  t.equal(only(spool(-1, 254))?.name, 'the external holder')
})

t.test('the built-in unit of the A2L is also known by numbers that count it like the others', async t => {
  const trays = traysOf(state([spool(16, 1), spool(128, 0)]), false)
  t.same([65, 1, 128, 66, -1].map(given => ownNumber(trays, given)), [1, 1, 128, 66, -1])
})

t.test('what is left, where the printer can know', async t => {
  t.equal(only(spool(0, 0, { remainingPercent: 15, weightG: 1000 }))?.remainingG, 150)
  t.equal(only(spool(0, 0, { remainingPercent: 0, weightG: 250 }))?.remainingG, 0)
  t.equal(only(spool(0, 0, { remainingPercent: -1, weightG: 1000 }))?.remainingG, undefined)
  t.equal(only(spool(0, 0, { remainingPercent: 100 }))?.remainingG, undefined, 'a spool of no known weight')
})

t.test('what a unit says of its slots', async t => {
  const unit = (dryer?: string) => [{ id: 0, extruder: 1, ...(dryer && { dryer: { state: dryer } }) }]
  t.equal(only(spool(0, 0), unit())?.extruder, 1)
  const drying = ['OFF', 'ERROR', 'CHECKING', 'DRYING', 'COOLING'].map(dryer => only(spool(0, 0), unit(dryer))?.isDrying)
  t.same(drying, [false, false, true, true, true])
  t.equal(only(spool(0, 0), unit())?.isDrying, false, 'a unit that cannot dry')
})

t.test('labels and colours', async t => {
  t.match(only(spool(0, 0, { subBrand: 'PLA Silk', colors: ['FF0000FF', '0000FFFF'] })),
    { label: 'PLA Silk', color: '#FF0000', colors: ['#FF0000', '#0000FF'] })
  t.equal(only(spool(0, 0, { subBrand: 'Basic' }))?.label, 'PLA Basic')
  t.match(only(spool(0, 0, { rgba: '00000000' })), { label: 'PLA', color: '', colors: [] })
})

t.test('holders are there whatever is reported; the only one answers to both numbers', async t => {
  const trays = traysOf(state([spool(-1, 254)]), false)
  t.equal(trayAt(trays, 255, false), trays[0])
  t.match(trayAt([], 255, true), { type: '', isHolder: true, extruder: 0 })
  t.match(trayAt(trays, 255, true), { trayId: 255, type: '' }, 'of two nozzles each has its own')
  t.equal(trayAt(trays, 3, false), undefined)
})

t.test('only spools in units, of a known kind, are chosen without being asked for', async t => {
  const spools = [spool(0, 0, { present: false }), spool(0, 1, { type: '' }), spool(0, 2), spool(-1, 254)]
  t.same(loadedSpools(traysOf(state(spools), false)).map(({ trayId }) => trayId), [2])
})
