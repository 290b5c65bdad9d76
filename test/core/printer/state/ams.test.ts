import t from 'tap'
import { errorCode, isAmsModule } from '../../../../core/printer/state/ams.js'
import type { Module } from '../../../../core/printer/state/types.js'
import { decode, type DecodeOptions } from '../helpers/decode.js'
import type { Fields } from '../helpers/feed.js'

const units = (ams: Fields, options?: DecodeOptions) => decode({ ams }, options).ams.units
const unit = (fields: Fields, options?: DecodeOptions) => units({ ams: [{ id: '0', ...fields }] }, options)[0]
const module = (name: string, serial = '', product = '', version = ''): Module =>
  ({ name, serial, product, version, hardware: '' })

t.test('info words: kind, extruder, dryer', async t => {
  t.hasStrict(unit({ info: '1001' }), { model: 'AMS_1', extruder: 0, dryer: undefined, info: 0x1001 })
  t.hasStrict(unit({ info: '2003' }), { model: 'AMS_2_PRO', extruder: 0, dryer: { state: 'OFF', subStatus: 'OFF', fan1: false, fan2: false } })
  t.hasStrict(unit({ info: '2103' }), { model: 'AMS_2_PRO', extruder: 1, dryer: { state: 'OFF' } })
  t.hasStrict(unit({ info: '2093' }), { model: 'AMS_2_PRO', dryer: { state: 'CHECKING' } }, 'a state that is not known says not that it is off')
  t.hasStrict(unit({ info: '10002104' }), { model: 'AMS_HT', extruder: 1, dryer: { state: 'OFF' }, info: 0x10002104 })
  t.hasStrict(unit({ info: '142023' }),
    { model: 'AMS_2_PRO', extruder: 0, dryer: { state: 'DRYING', subStatus: 'OFF', fan1: true, fan2: true } })
  t.hasStrict(unit({ info: '10942023' }),
    { model: 'AMS_2_PRO', extruder: 0, dryer: { state: 'DRYING', subStatus: 'DEHUMIDIFY', fan1: true, fan2: true } })
  t.hasStrict(unit({ info: '11942124' }),
    { model: 'AMS_HT', extruder: 1, dryer: { state: 'DRYING', subStatus: 'DEHUMIDIFY', fan1: true, fan2: true } })
  t.hasStrict(unit({ info: '2002' }), { model: 'AMS_LITE', extruder: 0, dryer: undefined })
  t.hasStrict(unit({ id: '16', info: '30001005' }), { id: 16, model: 'AMS_LITE', extruder: 0, dryer: undefined },
    'the one that is built into the A2L')
})

t.test('every dryer state and sub-status', async t => {
  const states = ['OFF', 'CHECKING', 'DRYING', 'COOLING', 'STOPPING', 'ERROR', 'CANNOT_STOP_HEAT_OOC', 'PRODUCT_TEST']
  for (const [code, state] of states.entries()) {
    t.equal(unit({ info: (0x2003 | code << 4).toString(16) })?.dryer?.state, state, state)
  }
  const sub = ['OFF', 'HEATING', 'DEHUMIDIFY', 'OFF', 'OFF', 'HEATING', 'DEHUMIDIFY']
  for (const [code, status] of sub.entries()) {
    t.equal(unit({ info: (0x2023 | code << 22).toString(16) })?.dryer?.subStatus, status, `sub-status ${code}`)
  }
})

t.test('an extruder that is not 0 or 1 is not known', async t => {
  t.equal(unit({ info: '2E03' })?.extruder, undefined, 'not initialised')
  t.equal(unit({ info: '2F03' })?.extruder, undefined, 'unassigned')
  t.equal(unit({})?.extruder, undefined, 'no info word')
})

t.test('the kind: serial before info before module name', async t => {
  const kind = (serial: string, info: string | undefined, name = 'n3f/0') =>
    unit(info === undefined ? {} : { info }, { context: { modules: [module(name, serial)] } })?.model
  t.equal(kind('00600A000000001', '2003'), 'AMS_1')
  t.equal(kind('03C00A000000001', '2003'), 'AMS_LITE')
  t.equal(kind('19C00A000000001', '1001'), 'AMS_2_PRO')
  t.equal(kind('19F00A000000001', '1001'), 'AMS_HT')
  t.equal(kind('', '1001'), 'AMS_1')
  t.equal(kind('', '2000'), 'AMS_2_PRO')
  t.equal(kind('', undefined, 'ams/0'), 'AMS_1')
  t.equal(kind('', undefined, 'ams_f1/0'), 'AMS_LITE')
  t.equal(kind('', undefined, 'n3s/0'), 'AMS_HT')
  t.equal(unit({})?.model, 'UNKNOWN')
})

t.test('serial and firmware come from the module of that number', async t => {
  const modules = [module('ota', 'x', '', '01.00'), module('n3f/1', '19C2', '', '04.02'), module('n3f/0', '19C1', '', '04.01')]
  t.hasStrict(unit({}, { context: { modules } }), { chipId: '19C1', firmware: '04.01' })
  t.hasStrict(unit({}), { chipId: '', firmware: '' })
})

t.test('climate of a unit', async t => {
  t.hasStrict(unit({ temp: '26.2', humidity: '5', humidity_raw: '8' }), { temperatureC: 26.2, humidityIndex: 5, humidityPercent: 8 })
  for (const celsius of [-20, -3.5, 24, 85.2, 100]) t.equal(unit({ temp: String(celsius) })?.temperatureC, celsius)
  for (const celsius of [-20.1, -273, 100.5, 6553.5]) t.equal(unit({ temp: celsius })?.temperatureC, 0, 'no sensor measures this')
  t.hasStrict(unit({}), { temperatureC: 0, humidityIndex: 0, humidityPercent: 0 }, 'no sensor')
  for (const raw of ['0', '101', '-3', 'x']) t.equal(unit({ humidity_raw: raw })?.humidityPercent, 0, raw)
  t.equal(unit({ humidity_raw: 100 })?.humidityPercent, 100)
})

t.test('slots of each kind, by their bits', async t => {
  const all = units({
    tray_exist_bits: '10eff',
    ams: ['0', '1', '2', '3', '128', '129'].map(id => ({ id, tray: [] }))
  }, { model: 'H2D' })
  t.strictSame(all.map(({ id, trayExists }) => [id, trayExists]), [
    [0, [true, true, true, true]],
    [1, [true, true, true, true]],
    [2, [false, true, true, true]],
    [3, [false, false, false, false]],
    [128, [true]],
    [129, [false]]
  ])
  t.strictSame(units({ tray_exist_bits: '5000000', ams: [{ id: '16', info: '2' }] }, { model: 'A2L' })[0]?.trayExists,
    [true, false, true, false])
})

t.test('units that the bits deny are gone; others may come in any order', async t => {
  const list = ['128', '2', '0', '1'].map(id => ({ id }))
  t.strictSame(units({ ams_exist_bits: '17', ams: list }).map(({ id }) => id), [0, 1, 2, 128])
  t.strictSame(units({ ams_exist_bits: '11', ams: list }).map(({ id }) => id), [0, 128])
  t.strictSame(units({ ams_exist_bits: '4', ams: list }).map(({ id }) => id), [2], 'the first need not be there')
  t.strictSame(units({ ams: list }).map(({ id }) => id), [0, 1, 2, 128])
  t.strictSame(units({ ams_exist_bits: '0', ams: [{ id: '16' }] }).map(({ id }) => id), [16], 'the A2L has no bit for its own')
})

t.test('a unit or slot of an impossible number is no reason to stop', async t => {
  for (const id of [-1, -(2 ** 31), 2 ** 40, 1e300, 'x', '__proto__']) {
    const report = { ams: { ams_exist_bits: '1', tray_exist_bits: '1', ams: [{ id, tray: [{ id }] }, { id: '0', tray: [{ id: '0' }] }] } }
    t.ok(decode(report, { model: 'H2D' }).ams.units.some(({ id }) => id === 0), String(id))
  }
})

t.test('what a drying unit reports', async t => {
  const dry = { dry_duration: 4, dry_filament: 'PETG', dry_temperature: 65 }
  t.hasStrict(unit({ info: '2023', dry_time: 239, dry_setting: dry, dry_sf_reason: [6] })?.dryer,
    { remainingMinutes: 239, targetC: 65, durationHours: 4, filament: 'PETG', refusals: [6] })
  const idle = { dry_duration: -1, dry_filament: '', dry_temperature: -1 }
  t.hasStrict(unit({ info: '2003', dry_time: 0, dry_setting: idle, dry_sf_reason: [2, 3] })?.dryer,
    { remainingMinutes: 0, targetC: -1, durationHours: -1, filament: '', refusals: [2, 3] })
  t.hasStrict(unit({ info: '2003' })?.dryer, { targetC: -1, durationHours: -1, filament: '', refusals: [] }, 'old firmware')
})

t.test('a dryer that reports no setting dries at what it accepted', async t => {
  const context = { dryers: { 0: { errorNumber: 0, reason: '', count: 0, targetC: 55 } } }
  t.equal(unit({ info: '2023' }, { context })?.dryer?.targetC, 55)
  t.equal(unit({ info: '2003' }, { context })?.dryer?.targetC, -1, 'not when it is off')
  t.equal(unit({ info: '2023', dry_setting: { dry_temperature: 60 } }, { context })?.dryer?.targetC, 60)
})

t.test('a refused drying command is told by its unit', async t => {
  const context = { dryers: { 0: { errorNumber: 83935307, reason: 'x', count: 2, targetC: 0 } } }
  t.hasStrict(unit({ info: '2003' }, { context })?.dryer,
    { failCode: 'HMS_0500-C04B', failErrorNumber: 83935307, failReason: 'x', failCount: 2 })
  t.hasStrict(unit({ id: '1', info: '2003' }, { context })?.dryer, { failCode: '', failErrorNumber: 0, failReason: '', failCount: 0 })
  t.equal(errorCode(83935311), 'HMS_0500-C04F')
  t.equal(errorCode(0x07008011), 'HMS_0700-8011')
})

t.test('status words', async t => {
  const status = (word: number) => decode({ ams_status: word }).ams.statusText
  t.strictSame([0, 0x0102, 0x0200, 768, 0x0400, 0x1000, 0x2000, 0xFF00, 0x0500].map(status),
    ['Idle', 'Filament Changing', 'RFID Identifying', 'Assist/Engaged', 'Calibration', 'Self Check', 'Debug', 'Unknown', 'Idle'])
  t.hasStrict(decode({ ams_status: 0x0107, ams_rfid_status: 1 }).ams, { statusRaw: 0x0107, rfidStatus: 1 })
})

t.test('settings, and whether there is an AMS at all', async t => {
  t.hasStrict(decode({ ams: { insert_flag: true, power_on_flag: false } }).ams,
    { readOnInsert: true, readAtPowerOn: false, estimateRemaining: false })
  t.equal(decode({ ams: {}, home_flag: 1 << 7 }).ams.estimateRemaining, true)
  t.equal(decode({ ams: { calibrate_remain_flag: false }, home_flag: 1 << 7 }).ams.estimateRemaining, false, 'its own field first')
  t.hasStrict(decode({}).ams, { present: false, units: [], existBits: 0 })
  t.hasStrict(decode({ ams: { ams_exist_bits: '0', ams: [] } }).ams, { present: true, units: [], existBits: 0 })
})

t.test('which modules are AMS units', async t => {
  for (const name of ['ams/0', 'ams_f1/0', 'n3f/3', 'n3s/128']) t.ok(isAmsModule(module(name)), name)
  t.ok(isAmsModule(module('x', '', 'AMS HT (1)')))
  for (const name of ['ahb', 'ota', 'th', 'ext']) t.notOk(isAmsModule(module(name)), name)
  t.notOk(isAmsModule(module('ahb', '', 'AMS Hub')))
})
