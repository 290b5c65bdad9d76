import t from 'tap'
import { isHolder, placeOfTray, spoolId, wireTrayId } from '../../../../core/printer/state/spools.js'
import { decode, dual, type DecodeOptions } from '../helpers/decode.js'
import type { Fields } from '../helpers/feed.js'

const spools = (report: Fields, options?: DecodeOptions) => decode(report, options).spools
const slot = (tray: Fields, ams: Fields = {}) =>
  spools({ ams: { ...ams, ams: [{ id: '0', tray: [{ id: '0', ...tray }] }] } })[0]

const ABS = { tray_type: 'ABS', tray_color: 'FFFFFFFF' }
const PLA = { tray_type: 'PLA', tray_color: '000000FF' }

t.test('ids of slots in the product and on the wire', async t => {
  t.strictSame([[0, 0], [0, 3], [1, 0], [3, 3]].map(([unit = 0, at = 0]) => [spoolId(unit, at), wireTrayId(unit, at)]),
    [[0, 0], [3, 3], [4, 4], [15, 15]])
  t.strictSame([spoolId(128, 0), wireTrayId(128, 0)], [16, 128], 'first AMS HT')
  t.strictSame([spoolId(135, 0), wireTrayId(135, 0)], [23, 135], 'last AMS HT')
  t.strictSame([spoolId(16, 2), wireTrayId(16, 2)], [2, 2], 'the built-in unit of the A2L')
  t.equal(wireTrayId(4, 1), 17, 'no other unit takes the numbers of the first one')
})

t.test('a place is found again by its number', async t => {
  for (const [units, unit, at] of [
    [[0, 1, 2, 3], 0, 2], [[0, 1, 2, 3], 3, 3], [[0, 4], 4, 1], [[16], 16, 1], [[16, 128], 16, 3], [[16, 128], 128, 0]
  ] as const) t.strictSame(placeOfTray(wireTrayId(unit, at), units), { amsId: unit, slot: at }, `unit ${unit} of ${units}`)
  t.strictSame(placeOfTray(65, [16]), { amsId: 16, slot: 1 }, 'counted like the slots of other units')
})

t.test('the place of a wire id', async t => {
  t.strictSame(placeOfTray(0), { amsId: 0, slot: 0 })
  t.strictSame(placeOfTray(7), { amsId: 1, slot: 3 })
  t.strictSame(placeOfTray(128), { amsId: 128, slot: 0 })
  t.strictSame(placeOfTray(135), { amsId: 135, slot: 0 })
  t.strictSame(placeOfTray(254), { amsId: 254, slot: 0 })
  t.strictSame(placeOfTray(255), { amsId: 255, slot: 0 })
  for (const id of [-1, 1.5, 136, 200, NaN]) t.equal(placeOfTray(id), undefined, String(id))
  t.strictSame([253, 254, 255, 128].map(isHolder), [false, true, true, false])
})

t.test('a spool with everything a tag tells', async t => {
  t.strictSame(slot({
    state: 11,
    tray_info_idx: 'GFA01',
    tray_type: 'PLA',
    tray_sub_brands: 'PLA Matte',
    tray_id_name: 'A01-K1',
    tray_color: '000000FF',
    cols: ['000000FF', 'ffffffff'],
    remain: 93,
    total_len: 330000,
    cali_idx: 2,
    drying_temp: '55',
    drying_time: '8',
    nozzle_temp_min: '190',
    nozzle_temp_max: '230',
    bed_temp: '35',
    tray_weight: '1000',
    k: '0.020',
    tag_uid: 'DE6CF07300000100',
    tray_uuid: '5F3D8925633343C29FB9A97FA9125971'
  }, { tray_exist_bits: '1' }), {
    id: 0,
    amsId: 0,
    slot: 0,
    present: true,
    name: 'A01-K1',
    type: 'PLA',
    subBrand: 'PLA Matte',
    rgba: '000000FF',
    colors: ['000000FF', 'FFFFFFFF'],
    filamentId: 'GFA01',
    k: 0.02,
    bedC: 35,
    nozzleMinC: 190,
    nozzleMaxC: 230,
    dryingC: 55,
    dryingHours: 8,
    remainingPercent: 93,
    state: 11,
    lengthMm: 330_000,
    weightG: 1000,
    tagUid: 'DE6CF07300000100',
    trayUuid: '5F3D8925633343C29FB9A97FA9125971',
    caliIdx: 2
  })
})

t.test('drying hints under their old names', async t => {
  t.hasStrict(slot({ tray_temp: '65', tray_time: '12' }), { dryingC: 65, dryingHours: 12 })
  t.hasStrict(slot({ tray_temp: '65', drying_temp: '55' }), { dryingC: 55 })
})

t.test('what is not reported', async t => {
  t.hasStrict(slot({}), { remainingPercent: -1, caliIdx: -1, k: 0, type: '', name: '', rgba: '00000000', colors: [] })
  t.equal(slot({ remain: -1 })?.remainingPercent, -1)
})

const TAG = { tag_uid: 'DE6CF07300000100', tray_uuid: '5F3D8925633343C29FB9A97FA9125971' }
const NO_TAG = { tag_uid: '0'.repeat(16), tray_uuid: '0'.repeat(32) }

t.test('nothing is left, or nobody knows what is left', async t => {
  const left = (tray: Fields, raw: Fields = {}, unit: Fields = {}, options: DecodeOptions = {}) =>
    spools({ ...raw, ams: { ...raw.ams as Fields, ams: [{ id: '0', ...unit, tray: [{ id: '0', ...tray }] }] } }, options)[0]?.remainingPercent
  const empty = { ...PLA, ...TAG, remain: 0 }
  const on = { home_flag: 0x80 }
  t.equal(left(empty, on), 0, 'a spool with a tag, and the estimation is on')
  t.equal(left({ ...PLA, tray_uuid: TAG.tray_uuid, remain: 0 }, on), 0, 'one number is enough')
  t.equal(left(empty), 0, 'nothing is said of the estimation')
  t.equal(left({ ...PLA, remain: 0 }, on), -1, 'no tag')
  t.equal(left({ ...PLA, ...NO_TAG, remain: 0 }, on), -1, 'a tag of zeros is none')
  t.equal(left(empty, { home_flag: 0 }), -1, 'the estimation is off')
  t.equal(left(empty, { home_flag: 0, ams: { calibrate_remain_flag: true } }), 0, 'the flag of its own wins')
  t.equal(left(empty, { ...on, ams: { calibrate_remain_flag: false } }), -1)
  const modules = [{ name: 'ams_f1/0', product: '', version: '', hardware: '', serial: '03C00A000000001' }]
  t.equal(left(empty, on, {}, { context: { modules } }), -1, 'an AMS Lite by its serial')
  t.equal(left(empty, on, { info: '1002' }), -1, 'and by its info word')
  t.equal(left({ ...PLA, remain: 100 }, { home_flag: 0 }), 100, 'any other number is passed on')
})

t.test('colours in any spelling', async t => {
  const rgba = (color: unknown) => slot({ tray_color: color })?.rgba
  t.equal(rgba('0acc38ff'), '0ACC38FF')
  t.equal(rgba('0ACC38'), '0ACC38FF')
  t.equal(rgba('#0ACC38FF'), '0ACC38FF')
  for (const odd of ['', 'red', '12345', 'GGGGGGGG']) t.equal(rgba(odd), '00000000', odd)
})

t.test('presence is what the bits say; without bits a material is a spool', async t => {
  t.equal(slot({ state: 9 }, { tray_exist_bits: '1' })?.present, true, 'a spool without data')
  t.equal(slot({ ...PLA, state: 11 }, { tray_exist_bits: '0' })?.present, false)
  t.equal(slot(PLA)?.present, true)
  t.equal(slot({ state: 11 })?.present, false)
})

t.test('an empty slot shows nothing of its last spool', async t => {
  t.hasStrict(slot({ ...PLA, state: 10, remain: 40, tag_uid: 'DE6CF07300000100' }, { tray_exist_bits: '0' }),
    { present: false, type: '', rgba: '00000000', remainingPercent: -1, tagUid: '', state: 10 })
})

t.test('slots stand in the order of units and slots, holders last', async t => {
  const tray = (ids: number[]) => ids.map(id => ({ id: String(id), ...PLA }))
  const list = spools({
    ams: {
      ams_exist_bits: '33',
      tray_exist_bits: '300ff',
      ams: [{ id: '129', tray: tray([0]) }, { id: '1', tray: tray([3, 0, 2, 1]) }, { id: '128', tray: tray([0]) }, { id: '0', tray: tray([0]) }]
    },
    vt_tray: { id: '254', ...ABS }
  })
  t.strictSame(list.map(({ id, amsId, slot }) => [id, amsId, slot]),
    [[0, 0, 0], [4, 1, 0], [5, 1, 1], [6, 1, 2], [7, 1, 3], [16, 128, 0], [17, 129, 0], [254, -1, 254]])
})

t.test('the units of an A2L: its own slots count from 0', async t => {
  const ams = { tray_exist_bits: '1000000', ams: [{ id: '16', info: '2', tray: [{ id: '0', ...PLA }] }] }
  t.hasStrict(spools({ ams }, { model: 'A2L' })[0], { id: 0, amsId: 16, slot: 0, present: true, type: 'PLA' })
})

t.test('the only holder of a single printer is 254, whatever it calls it', async t => {
  for (const id of ['254', '255']) {
    t.hasStrict(spools({ vt_tray: { id, ...ABS } }), [{ id: 254, amsId: -1, slot: 254, type: 'ABS', present: true }], `vt_tray ${id}`)
    t.hasStrict(spools({ vir_slot: [{ id, ...ABS }] }), [{ id: 254, amsId: -1, slot: 254, type: 'ABS' }], `vir_slot ${id}`)
  }
})

t.test('a dual printer has two holders, 254 left and 255 right', async t => {
  const report = { ...dual({}, {}), vt_tray: { id: '255', ...PLA }, vir_slot: [{ id: '255', ...ABS }, { id: '254' }] }
  t.strictSame(spools(report, { model: 'H2D' }).map(({ id, slot, amsId, type, present }) => [id, slot, amsId, type, present]),
    [[254, 254, -1, '', false], [255, 255, -1, 'ABS', true]])
})

t.test('where both keys come the list is right', async t => {
  t.strictSame(spools({ vt_tray: { id: '255', ...PLA }, vir_slot: [{ id: '255', ...ABS }] }).map(({ type }) => type), ['ABS'])
  t.strictSame(spools({ vt_tray: { id: '255', ...PLA }, vir_slot: [] }).map(({ type }) => type), ['PLA'], 'unless it is empty')
  t.strictSame(spools({}), [])
})

t.test('what is left on a holder is never known', async t => {
  t.equal(spools({ vt_tray: { id: '254', remain: 0, ...PLA } })[0]?.remainingPercent, -1)
})
