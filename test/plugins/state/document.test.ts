import t, { type Test } from 'tap'
import type { Kernel } from '../../../core/index.js'
import { createManualClock } from '../../../plugins/emulator/index.js'
import { unreachable } from '../../contract/fleet.js'
import { flaws, type Shape } from '../../contract/rows.js'
import { unpacked } from '../../contract/tools.walk.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import {
  CAPABILITIES, CLIMATE, CONFIG, DOCUMENT, DRYER, EXTENSION_TOOL, EXTRUDER, FAULT, JOB, NOZZLE, PRINTER, SPOOL, UNIT
} from './shapes.data.js'

type Fields = Record<string, any>

const MODELS = ['A1_MINI', 'P1S', 'X1C', 'H2D'] as const
const ACCESS_CODE = '24681357'

const documentOf = async (kernel: Kernel, printer: string): Promise<Fields> =>
  (await kernel.app.inject(`/api/health_check?printer=${printer}`)).json().printer

/** Every member is there and of its type, whatever is known. */
function check (t: Test, document: Fields, title: string): void {
  const { _config: config, _printer_state: printer, _active_job_info: job } = document
  const parts: readonly [string, unknown, Shape][] = [
    ['document', document, DOCUMENT],
    ['_config', config, CONFIG],
    ['capabilities', config.capabilities, CAPABILITIES],
    ['_printer_state', printer, PRINTER],
    ['climate', printer.climate, CLIMATE],
    ['nozzle', printer.active_nozzle, NOZZLE],
    ['extension_tool', printer.extension_tool, EXTENSION_TOOL],
    ['_active_job_info', job, JOB],
    ...printer.extruders.map((extruder: Fields) => ['extruder', extruder, EXTRUDER]),
    ...printer.extruders.map(({ nozzle }: Fields) => ['nozzle of an extruder', nozzle, NOZZLE]),
    ...printer.ams_units.map((unit: Fields) => ['AMS unit', unit, UNIT]),
    ...printer.ams_units.filter(({ dryer }: Fields) => dryer).map(({ dryer }: Fields) => ['dryer', dryer, DRYER]),
    ...printer.spools.map((spool: Fields) => ['spool', spool, SPOOL]),
    ...printer.hms_errors.map((fault: Fields) => ['fault', fault, FAULT])
  ]
  for (const [name, value, shape] of parts) t.same(flaws(value, shape), [], `${name} ${title}`)
}

t.test('every member is there, before the first report and after it', async t => {
  const { kernel } = await boot(t, { models: MODELS.map(model => ({ model, accessCode: ACCESS_CODE })) })
  for (const name of kernel.printers.names) check(t, await documentOf(kernel, name), `of ${name}`)
  await kernel.printers.add(unreachable('gone'))
  const before = await documentOf(kernel, 'gone')
  check(t, before, 'of one that never reported')
  t.match(before._printer_state, { gcode_state: 'IDLE', active_tray_id: -1, active_tool: 'SINGLE_EXTRUDER' })
  t.match(before._config, { printer_model: 'H2D', firmware_version: '' })
  t.match(before._active_job_info, { plate_num: -1, plate_type: 'NONE', wall_start_time: -1, project_file_command: {} })
  t.equal(before._lastMessageTime, null)
  await eventually(() => kernel.printers.get('gone')?.problem)
  t.match((await documentOf(kernel, 'gone'))._internalException, /nothing answers on that port/)
})

t.test('what it says of each family', async t => {
  const { kernel, printers } = await boot(t, { models: MODELS })
  // It comes with an answer of its own, after the first report.
  await eventually(() => printers.every(({ name }) => kernel.printers.get(name)?.state?.firmware.printer !== ''))
  for (const { model, name, serial, ports } of printers) {
    const { _config: config, _printer_state: printer } = await documentOf(kernel, name)
    t.match(config, {
      hostname: '127.0.0.1', serial_number: serial, printer_model: model, mqtt_port: ports.mqtt, mqtt_username: 'bblp'
    })
    t.equal(config.watchdog_timeout, model === 'P1S' || model === 'A1_MINI' ? 60 : 30, 'longer where only changes are reported')
    t.match(config.firmware_version, /^\d\d\.\d\d\.\d\d\.\d\d$/, name)
    t.same(printer.extruders.map(({ id }: Fields) => id), model === 'H2D' ? [0, 1] : [-1], name)
    t.equal(config.capabilities.has_dual_extruder, model === 'H2D')
    t.equal(config.capabilities.has_ams, true)
    t.equal(printer.ams_connected_count, printer.ams_units.length)
  }
  const units = (await documentOf(kernel, 'h2d'))._printer_state.ams_units
  t.match(units, [
    { ams_id: 0, model: 'AMS_2_PRO', assigned_to_extruder: 'RIGHT_EXTRUDER', tray_exists: [true, true, true, false] },
    { ams_id: 128, model: 'AMS_HT', assigned_to_extruder: 'LEFT_EXTRUDER', tray_exists: [true] }
  ])
  for (const { dryer } of units) t.match(dryer, { state: 'OFF', refusals: [], refusal_message: '' })
  t.equal((await documentOf(kernel, 'p1s'))._printer_state.ams_units[0].dryer, null, 'this one cannot dry')
})

t.test('the access code is masked, wherever the document is served', async t => {
  const { kernel, tool } = await boot(t, { models: [{ model: 'P1S', name: 'p1s', accessCode: ACCESS_CODE }] })
  t.equal((await documentOf(kernel, 'p1s'))._config.access_code, '********')
  for (const url of ['/api/printer', '/api/health_check']) {
    const { body } = await kernel.app.inject(url)
    t.ok(body.includes('"access_code":"********"'))
    t.notOk(body.includes(ACCESS_CODE), url)
  }
  t.notOk(JSON.stringify((await tool('get_printer_state', { name: 'p1s' })).result).includes(ACCESS_CODE))
})

t.test('the same state is the same document, written once', async t => {
  const clock = createManualClock()
  const { kernel, name } = await boot(t, { models: [{ model: 'P1S', clock }] })
  const session = kernel.printers.get(name)
  if (!session) throw new Error('no session')
  const { document } = kernel.services.state
  const first = document(session)
  t.equal(document(session), first)
  session.verbose = true
  const verbose = document(session)
  t.not(verbose, first, 'an option of the session changes it')
  t.equal(verbose._config.verbose, true)
  const changed = session.events.once('state')
  clock.advance(5_000)
  await changed
  t.not(document(session), verbose, 'a report changes it')
  t.equal(document(session), document(session))
})

t.test('a fault that is not active reads Historical wherever faults are listed', async t => {
  const { kernel, printer, tool, http, client, name } = await boot(t, { models: ['X1C'] })
  const hms = [{ attr: 0x03000100, code: 0x00010007 }, { attr: 0x0C000300, code: 0x00030006 }]
  const settled = (count: number, error: number) => eventually(() => {
    const errors = kernel.printers.get(name)?.state?.errors
    return errors?.printError === error && errors.faults.length === count
  })
  const outlets: Readonly<Record<string, () => Promise<Fields[]>>> = {
    'GET /api/printer': async () => ((await http('GET', '/api/printer')).body as Fields)._printer_state.hms_errors,
    'GET /api/health_check': async () => (await documentOf(kernel, name))._printer_state.hms_errors,
    get_hms_errors: async () => (await tool('get_hms_errors', { name })).value.hms_errors,
    get_printer_state: async () => (unpacked((await tool('get_printer_state', { name })).value) as Fields).hms_errors,
    'the resource': async () => {
      const [content] = (await client.readResource({ uri: `prnd://printers/${name}` })).contents
      return JSON.parse(content && 'text' in content ? content.text : '')._printer_state.hms_errors
    }
  }
  const ranks = async (read: () => Promise<Fields[]>) =>
    (await read()).map(({ type, severity, is_critical: critical }) => [type, severity, critical])
  printer.patch({ hms })
  await settled(2, 0)
  for (const [outlet, read] of Object.entries(outlets)) {
    t.same(await ranks(read), hms.map(() => ['device_hms', 'Historical', false]), `${outlet}: without a device error none is active`)
  }

  printer.patch({ print_error: 0x03004006 })
  await settled(3, 0x03004006)
  for (const [outlet, read] of Object.entries(outlets)) {
    t.same(await ranks(read),
      [['device_error', 'Error', true], ['device_hms', 'Fatal', true], ['device_hms', 'Historical', false]],
      `${outlet}: the error and the first HMS entry are active`)
    for (const fault of await read()) t.same(flaws(fault, FAULT), [])
  }
  t.match((await tool('get_hms_errors', { name })).value, {
    print_error: 0x03004006,
    hms_errors: [
      { code: 'HMS_0300-4006', actions: Array }, { code: 'HMS_0300-0100-0001-0007' }, { code: 'HMS_0C00-0300-0003-0006' }
    ]
  })
})

t.test('a refused command is an entry of its own, last and never historical', async t => {
  const { kernel, printer, tool, http, name } = await boot(t, { models: ['P1S'] })
  printer.patch({ gcode_state: 'RUNNING', hms: [{ attr: 0x03000100, code: 0x00010007 }] })
  await eventually(() => kernel.printers.get(name)?.state?.errors.faults.length === 1)
  const lift = printer.faults.refuse('pause', { err_code: 0x05024004, reason: 'no' })
  t.equal((await http('POST', '/api/pause_printing', { printer: name })).status, 409)
  lift()
  const { hms_errors: [, last] } = (await tool('get_hms_errors', { name })).value
  t.match(last, { type: 'command_error', code: 'HMS_0502-4004', command: 'pause', ams_id: -1, timestamp: Number })
  t.not(last.severity, 'Historical')
  t.ok(Math.abs(last.timestamp - Date.now() / 1000) < 60, 'in seconds')
  t.equal((await http('POST', '/api/pause_printing', { printer: name })).status, 200)
  t.equal((await tool('get_hms_errors', { name })).value.hms_errors.length, 1, 'an accepted one ends it')
})

t.test('a refused command without a number is told in words, and is not critical', async t => {
  const { kernel, printer, tool, name } = await boot(t, { models: ['P1S'] })
  const refused = async (reply: object) => {
    const lift = printer.faults.refuse('pause', reply)
    await kernel.printers.get(name)?.perform('to pause', { section: 'print', command: 'pause' }).catch(() => {})
    lift()
    return (await tool('get_hms_errors', { name })).value.hms_errors
  }
  t.match(await refused({ reason: 'not while homing' }), [{ code: '', msg: 'not while homing', severity: 'Warning', is_critical: false }])
  t.match(await refused({}), [{ code: '', msg: "The printer refused 'pause' and gave no reason", is_critical: false }])
})

t.test('minutes since the job began, up to its end', async t => {
  const clock = createManualClock()
  let time = Date.parse('2026-01-01T00:00:00Z')
  const models = [{ model: 'X1C', clock }] as const
  const { kernel, printer, http, name } = await boot(t, { models, dependencies: { now: () => time } })
  const minutes = async () => (await documentOf(kernel, name))._active_job_info.elapsed_minutes
  const gets = (state: string) => eventually(() => kernel.printers.get(name)?.state?.job.gcodeState === state)
  t.equal(await minutes(), 0)
  printer.startJob({ minutes: 30, layers: 10 })
  await gets('PREPARE')
  t.equal((await documentOf(kernel, name))._active_job_info.wall_start_time, time / 1000)
  const pass = async (ms: number) => {
    time += ms
    const changed = kernel.printers.get(name)?.events.once('state')
    clock.advance(1_000)
    await changed
  }
  await pass(119_000)
  t.equal(await minutes(), 1, 'whole minutes')
  await pass(1_000)
  t.equal(await minutes(), 2)
  t.equal((await http('POST', '/api/stop_printing', { printer: name })).status, 200)
  clock.advance(200)
  await gets('FAILED')
  await pass(600_000)
  t.equal(await minutes(), 2, 'the clock stands')
})

t.test('what the start command said goes with its job', async t => {
  const { kernel, printer, name } = await boot(t, { models: [{ model: 'P1S', clock: createManualClock() }] })
  const jobOf = async () => (await documentOf(kernel, name))._active_job_info
  const start = { command: 'project_file', result: 'success', param: 'Metadata/plate_2.gcode', md5: '', bed_type: 'textured_plate' }
  const take = (ack: object, report: Fields) => {
    printer.publish(JSON.stringify({ print: { ...start, sequence_id: '7', ...ack } }))
    printer.patch({ gcode_state: 'RUNNING', gcode_file: '', ...report })
    return eventually(() => kernel.printers.get(name)?.state?.job.subtaskName === report.subtask_name)
  }
  await take({ url: 'file:///sdcard/a.3mf', subtask_name: 'a: 1', task_id: '0' }, { subtask_name: 'a_ 1', task_id: '0' })
  t.match(await jobOf(), {
    plate_num: 2, plate_type: 'TEXTURED_PLATE', project_file_command: { url: 'file:///sdcard/a.3mf', bed_type: 'textured_plate', subtask_name: 'a: 1' }
  })
  printer.patch({ subtask_name: 'b' })
  await eventually(() => kernel.printers.get(name)?.state?.job.subtaskName === 'b')
  const { plate_num: plate, plate_type: type, project_file_command: command } = await jobOf()
  t.same([plate, type, command], [-1, 'NONE', {}], 'another job')
})
