import t from 'tap'
import { moduleName, rankFaults } from '../../../../core/printer/state/errors.js'
import type { Fault } from '../../../../core/printer/state/types.js'
import { decode } from '../helpers/decode.js'
import { START } from '../helpers/feed.js'

const errors = (report: Record<string, unknown>, context = {}) => decode(report, { context }).errors
const hms = (attr: number, code: number) => errors({ hms: [{ attr, code }] }).faults[0]
const device = (number: number) => errors({ print_error: number }).faults[0]

t.test('an HMS entry as text', async t => {
  t.strictSame(hms(50331904, 65543), {
    type: 'device_hms',
    code: 'HMS_0300-0100-0001-0007',
    digits: '0300010000010007',
    module: 'Motion controller',
    severity: 'Fatal',
    critical: true
  })
})

t.test('severity is the upper half of the code', async t => {
  const severity = (code: number) => [hms(0x03000100, code)?.severity, hms(0x03000100, code)?.critical]
  t.strictSame(severity(0x00010001), ['Fatal', true])
  t.strictSame(severity(0x00020001), ['Error', true])
  t.strictSame(severity(0x00030001), ['Warning', false])
  t.strictSame(severity(0x00040001), ['Info', false])
  t.strictSame(severity(0x00000001), ['Info', false])
  t.strictSame(severity(0x00090001), ['Info', false])
})

t.test('modules by the first byte', async t => {
  const names = [0x03, 0x05, 0x07, 0x08, 0x0B, 0x0C, 0x10, 0x12, 0x18, 0x42].map(byte => moduleName(byte * 2 ** 24))
  t.strictSame(names, ['Motion controller', 'Mainboard', 'AMS', 'Toolhead', 'Camera', 'Camera and lidar AI',
    'Print task check', 'AMS Lite', 'AMS HT', 'System'])
})

t.test('words above 2^31 may come as negative numbers; entries without a place are skipped', async t => {
  t.equal(hms(-1, -1)?.digits, 'FFFFFFFFFFFFFFFF')
  t.equal(hms(4294967295, 4294967295)?.digits, 'FFFFFFFFFFFFFFFF')
  t.equal(hms(0, 65543), undefined)
  t.equal(hms(0x07FF2000, 0x00020001)?.code, 'HMS_07FF-2000-0002-0001')
})

t.test('an error number as text, with its class', async t => {
  t.strictSame(device(50348044), {
    type: 'device_error',
    code: 'HMS_0300-400C',
    digits: '0300400C',
    module: 'Motion controller',
    severity: 'Info',
    critical: false
  })
  t.hasStrict(device(0x03004006), { code: 'HMS_0300-4006', severity: 'Error', critical: true })
  t.hasStrict(device(0x07008011), { code: 'HMS_0700-8011', module: 'AMS', severity: 'Warning', critical: false })
  t.hasStrict(device(0x0500C010), { code: 'HMS_0500-C010', module: 'Mainboard', severity: 'Info', critical: false })
  t.hasStrict(device(0x0500400E), { code: 'HMS_0500-400E', severity: 'Info', critical: false }, 'cancelled by a person')
})

t.test('no error, and phases that are none', async t => {
  t.strictSame(errors({}), { printError: 0, faults: [] })
  t.strictSame(errors({ print_error: 0, hms: [] }), { printError: 0, faults: [] })
  t.strictSame(errors({ print_error: 0x03003FFF }), { printError: 0x03003FFF, faults: [] })
  t.equal(errors({ print_error: 0x03004000 }).faults.length, 1)
})

const refusal = { command: 'ams_change_filament', amsId: 1, errorNumber: 83935311, reason: '', at: START }

t.test('a refused command', async t => {
  t.strictSame(errors({}, { refusals: [refusal] }).faults, [{
    type: 'command_error',
    code: 'HMS_0500-C04F',
    digits: '0500C04F',
    module: 'Mainboard',
    severity: 'Info',
    critical: false,
    command: { name: 'ams_change_filament', amsId: 1, at: START, reason: '' }
  }])
  t.hasStrict(errors({}, { refusals: [{ ...refusal, errorNumber: 0, reason: 'Not find' }] }).faults,
    [{ code: '', digits: '', module: 'System', severity: 'Warning', critical: false, command: { reason: 'Not find' } }],
    'without a number it is not critical')
})

t.test('the order: error, then HMS as received, then refusals', async t => {
  const { faults } = errors({
    print_error: 0x07008011, hms: [{ attr: 0x07002000, code: 0x00020001 }, { attr: 0x03000100, code: 65543 }]
  }, { refusals: [refusal] })
  t.strictSame(faults.map(({ digits }) => digits), ['07008011', '0700200000020001', '0300010000010007', '0500C04F'])
})

const fault = (type: Fault['type'], digits: string): Fault =>
  ({ type, digits, code: '', module: '', severity: 'Error', critical: true })
const ranks = (...faults: Fault[]) => rankFaults(faults).map(({ historical }) => historical)

t.test('active and historical', async t => {
  const first = fault('device_hms', 'A')
  const later = fault('device_hms', 'B')
  const error = fault('device_error', 'C')
  const refused = fault('command_error', 'D')
  t.strictSame(ranks(error, first, later, refused), [false, false, true, false], 'an error makes the first HMS active')
  t.strictSame(ranks(first, later, refused), [true, true, false], 'without one all HMS are old')
  t.strictSame(ranks(error), [false])
  t.strictSame(ranks(refused), [false])
  t.strictSame(ranks(), [])
})

t.test('equal codes do not matter for the rank, only the place', async t => {
  t.strictSame(ranks(fault('device_error', 'A'), fault('device_hms', 'A'), fault('device_hms', 'A')), [false, false, true])
  t.strictSame(rankFaults([fault('device_hms', 'A')]).map(({ fault }) => fault.severity), ['Error'], 'a rank changes no fault')
})
