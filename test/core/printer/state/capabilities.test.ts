import t from 'tap'
import type { Capabilities } from '../../../../core/printer/state/types.js'
import { decode, dual } from '../helpers/decode.js'
import { createFeed, type Fields } from '../helpers/feed.js'
import { x1c } from '../fixtures/x1c.data.js'

const NONE: Capabilities = {
  hasAms: false,
  hasLidar: false,
  hasCamera: true,
  hasDualExtruder: false,
  hasAirFiltration: false,
  hasChamberTemp: false,
  hasChamberDoorSensor: false,
  hasSoundEnableSupport: false,
  hasFilamentTangleDetectSupport: false,
  hasNozzleBlobDetectSupport: false,
  hasAirPrintDetectSupport: false,
  hasAutoRecoverySupport: false,
  hasAutoSwitchFilamentSupport: false,
  hasBuildplateMarkerDetectorSupport: false,
  hasSpaghettiDetectorSupport: false,
  hasPurgechutepileupDetectorSupport: false,
  hasNozzleclumpingDetectorSupport: false,
  hasAirprintingDetectorSupport: false
}

const of = (report: Fields, seen: Partial<Capabilities> = {}) => decode(report, { context: { seen } }).capabilities
const fun = (bit: number) => ({ fun: (1n << BigInt(bit)).toString(16) })
const home = (bit: number) => ({ home_flag: 1 << bit })

t.test('nothing reported, nothing there but the camera', async t => {
  t.strictSame(of({}), NONE)
})

t.test('an unknown model has the camera that it reports', async t => {
  const has = (ipcam: Fields, seen: Partial<Capabilities> = {}) =>
    decode({ ipcam }, { model: 'Z9', context: { seen } }).capabilities.hasCamera
  t.strictSame([{}, { ipcam_dev: '0' }, { ipcam_dev: '1' }, { rtsp_url: 'disable' }].map(ipcam => has(ipcam)),
    [false, false, true, true])
  t.equal(has({}, { hasCamera: true }), true, 'once seen, it stays')
})

t.test('each by what shows it', async t => {
  const cases: [string, Fields, Partial<Capabilities>][] = [
    ['a unit', { ams: { ams: [{ id: '0' }] } }, { hasAms: true, hasAutoSwitchFilamentSupport: true }],
    ['an empty AMS object', { ams: { ams: [], ams_exist_bits: '0' } }, {}],
    ['two extruders', dual({}, {}), { hasDualExtruder: true }],
    ['one extruder', { device: { extruder: { info: [{ id: 0 }] } } }, {}],
    ['an air duct', { device: { airduct: { modeCur: 0 } } }, { hasAirFiltration: true }],
    ['a chamber controller', { device: { ctc: { info: { temp: 25 } } } }, { hasChamberTemp: true }],
    ['the first-layer inspector', { xcam: { first_layer_inspector: true } }, { hasLidar: true }],
    ['the inspector switched off', { xcam: { first_layer_inspector: false } }, {}],
    ['the plate marker, even off', { xcam: { buildplate_marker_detector: false } }, { hasBuildplateMarkerDetectorSupport: true }],
    ['any home_flag', { home_flag: 0 }, { hasAutoRecoverySupport: true }],
    ['home_flag 18', home(18), { hasAutoRecoverySupport: true, hasSoundEnableSupport: true }],
    ['home_flag 19', home(19), { hasAutoRecoverySupport: true, hasFilamentTangleDetectSupport: true }],
    ['home_flag 25', home(25), { hasAutoRecoverySupport: true, hasNozzleBlobDetectSupport: true }],
    ['home_flag 29', home(29), { hasAutoRecoverySupport: true, hasAirPrintDetectSupport: true }],
    ['fun 8', fun(8), { hasSoundEnableSupport: true }],
    ['fun 9', fun(9), { hasFilamentTangleDetectSupport: true }],
    ['fun 12', fun(12), { hasChamberDoorSensor: true }],
    ['fun 13', fun(13), { hasNozzleBlobDetectSupport: true }],
    ['fun 42', fun(42), { hasSpaghettiDetectorSupport: true }],
    ['fun 43', fun(43), { hasPurgechutepileupDetectorSupport: true }],
    ['fun 44', fun(44), { hasNozzleclumpingDetectorSupport: true }],
    ['fun 45', fun(45), { hasAirprintingDetectorSupport: true }]
  ]
  for (const [what, report, expected] of cases) t.strictSame(of(report), { ...NONE, ...expected }, what)
})

t.test('an X1C of older firmware has its chamber sensor and its door', async t => {
  const modules = (version: string) => [{ name: 'ota', product: '', version, hardware: '', serial: '' }]
  const has = (report: Fields, model: string, version = '01.07.00.00') => {
    const { capabilities } = decode(report, { model, context: { modules: modules(version) } })
    const { hasChamberTemp, hasChamberDoorSensor } = capabilities
    return [hasChamberTemp, hasChamberDoorSensor]
  }
  const older = { chamber_temper: 31, home_flag: 0 }
  t.strictSame(has(older, 'X1C'), [true, true])
  t.strictSame(has(older, 'X1E', '01.01.02.00'), [true, true])
  t.strictSame(has(older, 'X1C', '01.06.00.00'), [true, false], 'its door came with an update')
  t.strictSame(has({ ...older, fun: '0' }, 'X1C'), [true, false], 'the word decides where there is one')
  t.strictSame(has({ chamber_temper: 5, home_flag: 0 }, 'P1S'), [false, false])
  t.strictSame(has({ chamber_temper: 5, home_flag: 0 }, 'UNKNOWN'), [false, false], 'the constant of printers without a sensor')
  t.strictSame(has({ home_flag: 0 }, 'X1C'), [false, true])
})

t.test('versions that come later decide about the door', async t => {
  const feed = createFeed(x1c.serial)
  const { fun, device, ...older } = x1c.report
  feed.report({ ...older, chamber_temper: 31 })
  t.equal(feed.state.capabilities.hasChamberDoorSensor, false)
  feed.receive({ info: { command: 'get_version', module: [{ name: 'ota', sw_ver: '01.07.00.00' }] } })
  t.hasStrict(feed.state.capabilities, { hasChamberDoorSensor: true, hasChamberTemp: true })
  t.ok(fun && device)
})

t.test('what was seen once stays', async t => {
  const sticky: Partial<Capabilities> = {
    hasAms: true,
    hasDualExtruder: true,
    hasAirFiltration: true,
    hasChamberTemp: true,
    hasSoundEnableSupport: true,
    hasFilamentTangleDetectSupport: true,
    hasNozzleBlobDetectSupport: true,
    hasAirPrintDetectSupport: true,
    hasAutoRecoverySupport: true,
    hasBuildplateMarkerDetectorSupport: true
  }
  t.strictSame(of({}, sticky), { ...NONE, ...sticky, hasAutoSwitchFilamentSupport: true })
})

t.test('a new connection does not take an ability away', async t => {
  const feed = createFeed(x1c.serial)
  feed.report(x1c.report)
  const { device, ams, xcam, ...less } = x1c.report
  feed.reports.expectFullReport()
  feed.report(less)
  t.hasStrict(feed.state.capabilities, { hasAms: true, hasChamberTemp: true, hasBuildplateMarkerDetectorSupport: true })
  t.equal(feed.state.ams.units.length, 0, 'though there is no unit now')
  t.ok(device && ams && xcam)
})

t.test('an unplugged unit leaves the ability', async t => {
  const feed = createFeed(x1c.serial)
  feed.report(x1c.report)
  feed.report({ msg: 0, ams: { power_on_flag: true, ams_exist_bits: '0', tray_exist_bits: '0', ams: [] } })
  t.equal(feed.state.ams.units.length, 0)
  t.equal(feed.state.capabilities.hasAms, true)
})
