import t from 'tap'
import { modelByName, type PrinterSession } from '../../../../core/index.js'
import {
  isBefore, loadedFrom, loadTemperatures, placeOf, placeOfId, printingC, spoolAt, stateOf, unitOf
} from '../../../../plugins/filament/units.js'

const spool = (amsId: number, slot: number, id = amsId * 4 + slot) =>
  ({ id, amsId, slot, nozzleMinC: 190, nozzleMaxC: 240 })
const state = {
  ams: { units: [{ id: 0, slots: 4 }, { id: 1, slots: 4 }, { id: 128, slots: 1 }] },
  spools: [spool(0, 0), spool(1, 2), spool(128, 0, 16), spool(-1, 254, 254)],
  extruders: [{ id: -1, tray: { amsId: 255, slot: 0 } }]
}
const session = { name: 'bench', state, model: modelByName('P1S') } as unknown as PrinterSession
const silent = { name: 'bench', state: undefined, problem: { message: 'nobody there' } } as unknown as PrinterSession

t.test('a unit by its id, or by its position and then by its id', async t => {
  t.equal(unitOf(session, { ams_id: 1 }).id, 1)
  t.equal(unitOf(session, {}).id, 0, 'the first one by default')
  const only = (...ids: number[]) =>
    ({ ...session, state: { ams: { units: ids.map(id => ({ id })) } } }) as unknown as PrinterSession
  t.equal(unitOf(only(128), {}).id, 128, 'or the only one')
  t.throws(() => unitOf(only(128, 129), {}), { code: 'PRN_ERR_NO_AMS_UNIT' }, 'but none of several')
  t.throws(() => unitOf(only(128), { ams_id: 0 }), { code: 'PRN_ERR_NO_AMS_UNIT' }, 'nor one that was named')
  t.equal(unitOf(session, { unit_id: 2 }).id, 128, 'the third one')
  t.equal(unitOf(session, { unit_id: 128 }).id, 128)
  t.throws(() => unitOf(session, { ams_id: 2 }), { message: "AMS unit 2 not found on 'bench'.", statusCode: 400 })
  t.match((() => { try { unitOf(session, { ams_id: 2 }) } catch (error) { return error } })(),
    { extra: { reason: 'no AMS unit with ams_id 2' } })
  for (const id of [-1, 3, 129, 254]) t.throws(() => unitOf(session, { unit_id: id }), { code: 'PRN_ERR_NO_AMS_UNIT' })
})

t.test('a place must be there', async t => {
  t.strictSame(placeOf(session, { ams_id: 1 }, 3), { amsId: 1, slot: 3 })
  t.strictSame(placeOf(session, { ams_id: 77 }, 254), { amsId: 254, slot: 0 }, 'holders belong to no unit')
  t.throws(() => placeOf(session, { unit_id: 77 }, 254), { code: 'PRN_ERR_NO_AMS_UNIT' }, 'a position is checked all the same')
  t.throws(() => placeOf(session, { ams_id: 0 }, 4), /slot must be 0 to 3 for AMS unit 0, got 4/)
  t.throws(() => placeOf(session, { ams_id: 128 }, 1), /slot must be 0 for AMS unit 128, got 1/)
  t.strictSame(placeOfId(session, 6), { amsId: 1, slot: 2 })
  t.strictSame(placeOfId(session, 128), { amsId: 128, slot: 0 })
  t.strictSame(placeOfId(session, 255), { amsId: 255, slot: 0 })
  for (const id of [-1, 104, 127, 136, 253, 256]) t.throws(() => placeOfId(session, id), /^.*tray_id must be/)
  t.throws(() => placeOfId(session, 8), { code: 'PRN_ERR_NO_AMS_UNIT' })
  const a2l = { ...session, state: { ams: { units: [{ id: 16, slots: 4 }] } } } as unknown as PrinterSession
  t.strictSame([1, 65].map(id => placeOfId(a2l, id)), Array(2).fill({ amsId: 16, slot: 1 }), 'the built-in unit')
})

t.test('before the first report nothing is known', async t => {
  t.throws(() => stateOf(silent), { code: 'PRN_ERR_NOT_CONNECTED', extra: { detail: 'nobody there' } })
  t.throws(() => placeOf(silent, { ams_id: 0 }, 0), { code: 'PRN_ERR_NOT_CONNECTED' })
})

t.test('what lies in a place, and what is in a nozzle', async t => {
  const known = stateOf(session)
  t.equal(spoolAt(known, { amsId: 1, slot: 2 }, false)?.id, 6)
  t.equal(spoolAt(known, { amsId: 255, slot: 0 }, false)?.id, 254, 'the only holder, by either name')
  t.equal(spoolAt(known, { amsId: 255, slot: 0 }, true), undefined, 'of two, this one is empty')
  t.equal(loadedFrom(known, 254, false)?.id, 254)
  t.equal(loadedFrom(known, 0, false), undefined)
})

t.test('a filament is moved at the middle of its temperatures, which the nozzle must reach', async t => {
  const { model } = session
  t.equal(printingC(spool(0, 0) as never, 210, model), 215)
  t.equal(printingC(undefined, 210, model), 210)
  t.equal(printingC({ ...spool(0, 0), nozzleMaxC: 0 } as never, 210, model), 210, 'nobody said what it is')
  t.equal(printingC({ ...spool(0, 0), nozzleMinC: 100, nozzleMaxC: 120 } as never, 210, model), 180)
  t.equal(printingC({ ...spool(0, 0), nozzleMinC: 200, nozzleMaxC: 600 } as never, 210, model), 300, 'a lying report')
})

t.test('a holder of a dual printer is loaded past the filament that its nozzle holds', async t => {
  const PA = { ...spool(128, 0, 16), nozzleMinC: 270, nozzleMaxC: 290 }
  const PLA = { ...spool(-1, 254, 254), nozzleMinC: 190, nozzleMaxC: 230 }
  const state = {
    spools: [PA, PLA],
    extruders: [{ id: 0, tray: { amsId: 254, slot: 0 } }, { id: 1, tray: { amsId: 128, slot: 0 } }]
  }
  const dual = { name: 'bench', state, model: modelByName('H2D') } as unknown as PrinterSession
  t.strictSame(loadTemperatures(dual, 254), { presentC: 280, nextC: 210 }, 'the left one')
  t.strictSame(loadTemperatures(dual, 255), { presentC: 210, nextC: 215 }, 'the right one, about which nothing is known')
  const empty = { ...dual, state: { spools: [PLA], extruders: [{ id: 0 }, { id: 1 }] } } as unknown as PrinterSession
  t.strictSame(loadTemperatures(empty, 254), { presentC: 210, nextC: 210 }, 'an empty nozzle')
})

t.test('versions are compared as numbers', async t => {
  t.equal(isBefore('01.08.00.00', '01.08.01.00'), true)
  t.equal(isBefore('01.10.00.00', '01.09.00.00'), false)
  t.equal(isBefore('01.09.00.00', '01.09.00.00'), false)
  t.equal(isBefore('', '01.09.00.00'), false, 'an unknown one is taken for new')
  t.equal(isBefore('01.00.00.00', undefined), false)
})
