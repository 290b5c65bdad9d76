import t from 'tap'
import { createLogins } from '../../../plugins/relay/logins.js'
import { createRate } from '../../../plugins/relay/rate.js'
import { judge, readRequest } from '../../../plugins/relay/requests.js'
import { checkPlaces, readClients } from '../../../plugins/relay/options.js'
import { WRITING } from '../../../plugins/relay/commands.data.js'
import { resolveModel } from '../../../core/index.js'
import daemon from '../../../presets/daemon/index.js'
import { definePreset } from '../../../core/index.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'

const { signal } = new AbortController()
const clients = [
  { name: 'Ann', code: 'code-of-ann', access: 'full' as const, printers: undefined, signal },
  { name: 'Ben', code: 'code-of-ben', access: 'read' as const, printers: ['x1c'], signal }
]

t.test('who logs in, and how many wrong codes are borne', async t => {
  let now = 0
  const locked: string[] = []
  const logins = createLogins({
    clients: () => clients, now: () => now, signal, onLocked: address => locked.push(address), delayMs: 0
  })
  t.equal((await logins.logIn('x1c', 'a', 'code-of-ann'))?.name, 'Ann')
  t.equal(await logins.logIn('p1s', 'a', 'code-of-ben'), undefined, 'not for this printer')
  t.equal((await logins.prove('x1c', 'a', code => code.endsWith('ben')))?.name, 'Ben')
  t.equal(await logins.logIn('x1c', 'a', undefined), undefined)
  for (let repeat = 0; repeat < 50; repeat++) await logins.logIn('x1c', 'b', 'an old code')
  t.equal((await logins.logIn('x1c', 'b', 'code-of-ann'))?.name, 'Ann', 'a program that repeats one wrong code locks nobody out')
  for (let guess = 0; guess < 8; guess++) await logins.logIn('x1c', 'c', `guess ${guess}`)
  t.same(locked, ['c'])
  t.equal(await logins.logIn('x1c', 'c', 'code-of-ann'), undefined, 'not even the right one')
  t.equal((await logins.logIn('x1c', 'a', 'code-of-ann'))?.name, 'Ann', 'others are not concerned')
  for (let guess = 0; guess < 8; guess++) await logins.logIn('x1c', `2001:db8::${guess}`, `guess ${guess}`)
  t.equal(await logins.logIn('x1c', '2001:db8::99', 'code-of-ann'), undefined, 'a network has any number of addresses')
  now += 11 * 60_000
  t.equal((await logins.logIn('x1c', 'c', 'code-of-ann'))?.name, 'Ann')
})

t.test('a rate lets a burst pass, and then so many a second', async t => {
  let now = 0
  const may = createRate(() => now, 2, 3)
  t.same([may(), may(), may(), may()], [true, true, true, false])
  now += 1000
  t.same([may(), may(), may()], [true, true, false])
  now -= 3_600_000
  t.equal(may(), false)
  now += 500
  t.equal(may(), true, 'a clock that was set back does not count')
})

t.test('every command that is passed on names an operation that there is', async t => {
  const { kernel } = await boot(t, { models: [], preset: definePreset({ name: 'daemon', plugins: [daemon.plugins] }) })
  t.same(Object.values(WRITING).filter(name => !kernel.operations.has(name)), [])
})

t.test('what a request comes to', async t => {
  const model = resolveModel('00M00A000000001')
  const verdict = (body: object, section = 'print') =>
    readRequest(Buffer.from(JSON.stringify({ [section]: body }))).map(asked => judge(asked, 'full', model))[0]
  const gcode = (param: unknown) => verdict({ command: 'gcode_line', param })
  t.match(gcode('M106 P1 S128\n'), { kind: 'write', operation: 'climate.setFan' })
  t.match(gcode('M104 S220 ; heat\nM140 S60'), { kind: 'write', operation: 'climate.setNozzleTarget' })
  t.match(gcode('M104 S220\nG28'), { kind: 'write', operation: 'print.sendGcode' })
  t.match(gcode(7), { kind: 'refused' })
  for (const param of ['M104 S301', 'M104S301', 'm 109 R 999', 'N1 M140 S200', 'G4\n M0104 S500', 'M141 S60', 'M104 S1e9', 'M104 S5-', 'M104 S10 S999',
    'M140 S60 M104 S999']) {
    t.match(gcode(param), { kind: 'refused' }, param)
  }
  t.match(gcode('M104 S220\nG28 X'), { kind: 'write', operation: 'print.sendGcode' })
  for (const param of ['M211 S \nM211 X1 Y1 Z1\nM1002 push_ref_mode\nG91 \nG1 X10.0 F3000\nM1002 pop_ref_mode\nM211 R\n',
    'M83 \nG0 E10 F900\n', 'M204.2 K1.0 \nM220 K1.0 \nM73.2 R1.0 \nM1002 set_gcode_claim_speed_level 5\n', 'N3 G28*45',
    'M109 S220', 'M190 S60', 'G1X10Y-5.5E.2F1200', 'M900 K0.02', 'M400']) {
    t.match(gcode(param), { kind: 'write', operation: 'print.sendGcode' }, param)
  }
  for (const param of ['M303 E0 S450', 'M303 S110', 'm0303 e0 s300', 'N1M303S300', 'M104 S9 99', 'M104 S 9 99', 'M104 S200 G28', 'M104 S200M109 S999',
    'M301 P50', 'M304 P9', 'M502', 'M500', 'M42 P1 S255', 'M620 S1A', 'M620.1 E F523 T340', 'T1', 'M104 200', 'M104 S2OO', 'M104 S0x200',
    'M104 S200 S210', 'M104 S"999"', 'M104S-', 'M109 R', 'M104 S', 'G10 P1 S999', 'M567', 'G28 M104', 'M1002 x M104 S999', '(x) M104 S999', '%',
    'M104 S200 X9', 'M106 P1 S255 M104', 'M1040 S900', 'M104.1 S900', 'G29 ; ok\nM307 H0']) {
    t.match(gcode(param), { kind: 'refused' }, param)
  }
  t.match(gcode('M303 E0 S450'), { reason: /not known what 'M303 E0 S450' heats/ })
  for (const body of [
    { command: 'extrusion_cali', filaments: [{ nozzle_temp: 220, bed_temp: 60 }] }, { command: 'ams_change_filament', tar_temp: -1, curr_temp: -1 },
    { command: 'ams_filament_drying', ams_id: 128, temp: 85, cooling_temp: 45 }, { command: 'set_nozzle_temp', target_temp: '250' },
    { command: 'ams_filament_setting', nozzle_temp_min: 190, nozzle_temp_max: 240 }
  ]) t.match(verdict(body), { kind: 'write' }, JSON.stringify(body))
  for (const body of [
    { command: 'extrusion_cali', filaments: [{ nozzle_temp: 450, bed_temp: 60 }] }, { command: 'flowrate_cali', filaments: [{ bed_temp: '200' }] },
    { command: 'ams_change_filament', tar_temp: 999 }, { command: 'ams_filament_drying', ams_id: 0, temp: 85 }, { command: 'ams_filament_drying', ams_id: 128, temp: 120 },
    { command: 'set_nozzle_temp', target_temp: [999] }, { command: 'set_nozzle_temp' }, { command: 'set_bed_temp', temp: '1e2' }, { command: 'set_bed_temp', temp: null },
    { command: 'set_bed_temp', temp: { valueOf: 60 } }, { command: 'set_ctt', ctt_val: '0x20' }, { command: 'pause', nozzle_temp: 999 }
  ]) t.match(verdict(body), { kind: 'refused' }, JSON.stringify(body))
  t.match(verdict({ command: 'set_bed_temp', temp: 200 }), { kind: 'refused' })
  t.match(verdict({ command: 'set_nozzle_temp', target_temp: 'hot' }), { kind: 'refused' })
  t.match(verdict({ command: 'pause', section: 'upgrade' }), { kind: 'write', operation: 'print.pause' })
  const [asked] = readRequest(Buffer.from('{"print":{"command":"pause","section":"upgrade","sequence_id":3}}\0\n'))
  t.match(asked, { name: 'print.pause', command: { section: 'print' }, sequenceId: 3 })
  t.match(verdict({ name: 'Bertha' }, 'update'), { kind: 'write', operation: 'system.renamePrinter' })
})

t.test('a model that is not known has limits too', async t => {
  const model = resolveModel('ZZZ00A000000001')
  const verdict = (text: string) => readRequest(Buffer.from(`{"print":${text}}`)).map(asked => judge(asked, 'full', model))[0]
  for (const text of ['{"command":"set_nozzle_temp","target_temp":300}', '{"command":"gcode_line","param":"M140 S110"}',
    '{"command":"ams_filament_drying","ams_id":128,"mode":1,"temp":80,"duration":12}']) t.match(verdict(text), { kind: 'write' }, text)
  for (const text of ['{"command":"set_nozzle_temp","target_temp":650}', '{"command":"set_nozzle_temp","target_temp":1e999}',
    '{"command":"gcode_line","param":"M140 S400"}', '{"command":"gcode_line","param":"M104 S650"}', '{"command":"set_bed_temp","temp":400}',
    '{"command":"ams_filament_drying","ams_id":128,"mode":1,"temp":80,"duration":1e999}',
    '{"command":"ams_filament_drying","ams_id":128,"mode":1,"temp":80,"duration":"5000"}',
    '{"command":"ams_filament_drying","ams_id":128,"mode":1,"temp":80,"duration":{}}']) t.match(verdict(text), { kind: 'refused' }, text)
})

t.test('a configuration that cannot be meant is refused', async t => {
  const folder = testFolder(t, { a: 'eight-ch', b: 'eight-ch', short: 'seven-7', odd: 'with a space' })
  const client = (name: string, file: string) => ({ name, code: { file: `${folder}/${file}` }, access: 'read' as const })
  const options = (...list: ReturnType<typeof client>[]) => ({
    clients: list, printers: [], groups: [], bind: '0.0.0.0', announce: true, detect: true, connectionsPerClient: 8
  })
  await t.rejects(readClients(options(client('A', 'a'), client('B', 'b'))), /clients\[1\]\.code is that of another/)
  await t.rejects(readClients(options(client('A', 'short'))), /must have 8 to 32/)
  await t.rejects(readClients(options(client('A', 'odd'))), /without spaces/)
  t.match(await readClients(options(client('A', 'a'))), [{ name: 'A', code: 'eight-ch' }])
  const two = { ...options(), printers: [{ printer: 'a' }, { printer: 'b' }] }
  t.throws(() => checkPlaces(two), /port 8883 is taken/)
  t.throws(() => checkPlaces({ ...options(), printers: [{ printer: 'a' }], groups: [{ group: 'b', model: 'X1C' }] }),
    /groups\[0\]: .*port 8883 is taken/)
  t.doesNotThrow(() => checkPlaces({ ...two, printers: [{ printer: 'a', bind: '10.0.0.1' }, { printer: 'b', bind: '10.0.0.2' }] }))
})
