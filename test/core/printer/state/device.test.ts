import t from 'tap'
import { decode } from '../helpers/decode.js'
import { createFeed, type Fields } from '../helpers/feed.js'
import { h2d } from '../fixtures/h2d.data.js'

const device = (report: Fields, context = {}) => decode(report, { context }).device

t.test('developer mode by bit 29 of the capability word', async t => {
  t.equal(device({ fun: '3EC1AFFF9CFF' }).developerMode, 'off')
  t.equal(device({ fun: '3EC18FFF9CFF' }).developerMode, 'on')
  t.equal(device({ fun: '41AFFF9CFF' }).developerMode, 'off')
  t.equal(device({ fun: '4027FF18FFF9CB3' }).developerMode, 'on')
  t.equal(device({ fun: '40029FD1B30F9CB7' }).developerMode, 'off', '63 bits')
})

t.test('without it: unknown until the printer refuses or shows that it does', async t => {
  t.equal(device({}).developerMode, 'unknown')
  t.equal(device({ hms: [{ attr: 0x05000500, code: 0x00010007 }] }).developerMode, 'off')
  t.equal(device({ hms: [{ attr: 0x05000500, code: 0x00010008 }, { attr: 0x05000400, code: 0x00010007 }] }).developerMode, 'unknown')
  t.equal(device({}, { signatureRefused: true }).developerMode, 'off')
  t.equal(device({ fun: '0' }, { signatureRefused: true }).developerMode, 'on', 'the word knows better')
})

t.test('only what the printer itself reports says for certain that commands need a signature', async t => {
  t.equal(device({ fun: '3EC1AFFF9CFF' }).signedOnly, true)
  t.equal(device({ fun: '3EC18FFF9CFF', hms: [{ attr: 0x05000500, code: 0x00010007 }] }).signedOnly, false)
  t.equal(device({ hms: [{ attr: 0x05000500, code: 0x00010007 }] }).signedOnly, true)
  t.equal(device({}, { signatureRefused: true }).signedOnly, false)
})

t.test('storage: a boolean, a word of old firmware, else home_flag', async t => {
  t.equal(device({ sdcard: true }).storage, true)
  t.equal(device({ sdcard: false, home_flag: 1 << 8 }).storage, false)
  t.equal(device({ sdcard: 'HAS_SDCARD_NORMAL' }).storage, true)
  t.equal(device({ sdcard: 'NO_SDCARD' }).storage, false)
  t.equal(device({ home_flag: 0 }).storage, false)
  t.equal(device({ home_flag: 1 << 8 }).storage, true)
  t.equal(device({ home_flag: 3 << 8 }).storage, true, 'read-only')
  t.equal(device({}).storage, undefined)
})

t.test('addresses are little-endian; 0 is none', async t => {
  t.strictSame(device({ net: { info: [{ ip: 1644210368 }] } }).ipAddresses, ['192.168.0.98'])
  t.strictSame(device({ net: { info: [{ ip: 167880896 }, { ip: 0 }] } }).ipAddresses, ['192.168.1.10'])
  t.strictSame(device({ net: { info: [{ ip: 0 }, { ip: -1 }] } }).ipAddresses, ['255.255.255.255'])
  t.strictSame(device({}).ipAddresses, [])
})

t.test('camera and Wi-Fi', async t => {
  const url = 'rtsps://192.168.1.10:322/streaming/live/1'
  t.hasStrict(device({ wifi_signal: '-53dBm', ipcam: { rtsp_url: url, timelapse: 'enable', ipcam_record: 'disable' } }),
    { wifiSignal: '-53dBm', rtspUrl: url, timelapse: true, recording: false })
  t.equal(device({ ipcam: { rtsp_url: 'disable' } }).rtspUrl, '')
  t.equal(device({ ipcam: { rtsp_url: '' } }).rtspUrl, '')
  t.hasStrict(device({}), { wifiSignal: '', rtspUrl: '', timelapse: false, recording: false, fun: '0', stat: '0' })
})

t.test('the nozzle as it is reported', async t => {
  t.hasStrict(device({ nozzle_type: 'HH01', nozzle_diameter: '0.4' }), { nozzleType: 'HH01', nozzleDiameterMm: 0.4 })
})

const tool = (fields: Fields) => decode({ device: { ext_tool: fields } }).extensionTool

t.test('extension tools', async t => {
  t.strictSame(tool({ type: 'F000', mount: 0, mount_3d: 1, calib: 2 }),
    { type: 'ENHANCED_COOLING_FAN', mount: 'MOUNTED', calibration: 2, rawType: 'F000', mounted: true })
  t.hasStrict(tool({ type: 'CP00', mount_3d: 1 }), { type: 'CUTTING_MODULE', mount: 'MOUNTED', mounted: true })
  t.hasStrict(tool({ type: 'LB00' }), { type: 'LASER_MODULE' })
  t.hasStrict(tool({ type: 'LB01' }), { type: 'LASER_MODULE' })
  t.hasStrict(tool({ type: 'QQ00' }), { type: 'UNKNOWN', rawType: 'QQ00' })
  for (const word of ['constructor', '__proto__']) t.hasStrict(tool({ type: word }), { type: 'UNKNOWN', rawType: word })
  t.hasStrict(tool({ type: '' }), { type: 'NONE' })
  t.strictSame(decode({}).extensionTool, { type: 'NONE', mount: 'UNKNOWN', calibration: 0, rawType: '', mounted: false })
})

t.test('how a tool is mounted', async t => {
  const mount = (fields: Fields) => tool({ type: 'F000', ...fields }).mount
  t.strictSame([0, 1, 2, 3, 4].map(word => mount({ mount_3d: word })), ['NOT_MOUNTED', 'MOUNTED', 'NO_MODULE', 'NO_CABLE', 'UNKNOWN'])
  t.equal(mount({ mount: 1 }), 'MOUNTED', 'older firmware')
  t.equal(mount({ mount: 1, mount_3d: 0 }), 'NOT_MOUNTED', 'the newer word counts')
})

t.test('mounted is what the mount says, whatever tool it is', async t => {
  for (const type of ['F000', 'CP00', 'LB00', 'QQ00', '']) {
    t.strictSame([0, 1, 2, 3].map(word => tool({ type, mount_3d: word }).mounted), [false, true, false, false], type)
  }
})

t.test('the target of a fan that is replaced by another tool goes to 0 at once', async t => {
  const feed = createFeed(h2d.serial)
  feed.report(h2d.report)
  feed.sent({ section: 'print', command: 'gcode_line', param: 'M106 P9 S179\n' })
  feed.report({ msg: 1, wifi_signal: '-40dBm' })
  feed.report({ msg: 1, device: { ext_tool: { type: 'CP00' } } })
  t.hasStrict(feed.state, { extensionTool: { type: 'CUTTING_MODULE', mounted: true }, fans: { enhancedTarget: 0 } })
})

t.test('the target of a fan that is taken off goes to 0 at once', async t => {
  const feed = createFeed(h2d.serial)
  feed.report(h2d.report)
  feed.sent({ section: 'print', command: 'gcode_line', param: 'M106 P9 S179\n' })
  feed.report({ msg: 1, wifi_signal: '-40dBm' })
  t.equal(feed.state.fans.enhancedTarget, 70)
  feed.report({ msg: 1, device: { ext_tool: { mount_3d: 0 } } })
  t.equal(feed.state.extensionTool.mounted, false)
  t.equal(feed.state.fans.enhancedTarget, 0)
})

const module = (name: string, version: string, product = '') => ({ name, product, version, hardware: '', serial: '' })
const firmware = (...modules: ReturnType<typeof module>[]) => decode({}, { context: { modules } }).firmware

t.test('firmware: of the printer, and of the AMS that comes last', async t => {
  t.hasStrict(firmware(module('th', '1'), module('ota', '01.03.00.00')), { printer: '01.03.00.00', ams: '' })
  t.equal(firmware(module('ams/0', '00.06.49', 'AMS (1)'), module('n3s/128', '04.00', 'AMS HT (1)'), module('ahb', '9')).ams, '04.00')
  t.equal(firmware(module('n3f/0', '04.01')).ams, '04.01', 'without a product name')
  t.equal(firmware(module('ams_f1/0', '00.07')).ams, '00.07')
  t.equal(firmware(module('ahb', '00.21', 'AMS Hub')).ams, '', 'the hub is none')
  t.hasStrict(firmware(), { printer: '', ams: '', modules: [] })
})

t.test('firmware that waits to be installed', async t => {
  t.equal(decode({ upgrade_state: { ota_new_version_number: '01.04.00.00' } }).firmware.newVersion, '01.04.00.00')
  t.equal(decode({ upgrade_state: { status: 'IDLE' } }).firmware.newVersion, '')
})

t.test('modules as they are reported, in either vocabulary', async t => {
  const feed = createFeed(h2d.serial)
  feed.receive({
    info: {
      command: 'get_version',
      module: [
        { name: 'ota', product_name: 'Bambu Lab H2D', project_name: 'O1D', sw_ver: '01', hw_ver: 'N/A', sn: 'S' },
        { name: 'esp32', product_name: '', project_name: 'C11' },
        { name: 'th' }
      ]
    }
  })
  t.strictSame(feed.reports.context.modules, [
    { name: 'ota', product: 'Bambu Lab H2D', version: '01', hardware: 'N/A', serial: 'S' },
    { name: 'esp32', product: 'C11', version: '', hardware: '', serial: '' },
    { name: 'th', product: '', version: '', hardware: '', serial: '' }
  ])
  feed.receive({ info: { command: 'get_version', module: [] } })
  t.equal(feed.reports.context.modules.length, 3, 'an empty answer takes nothing away')
})
