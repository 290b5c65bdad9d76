import t, { type Test } from 'tap'
import type { Kernel } from '../../../core/index.js'
import { createManualClock } from '../../../plugins/emulator/index.js'
import { unreachable } from '../../contract/fleet.js'
import { flaws, type Shape } from '../../contract/rows.js'
import { boot } from '../../helpers/boot.js'
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
  for (const { model, name, serial, ports } of printers) {
    const { _config: config, _printer_state: printer } = await documentOf(kernel, name)
    t.match(config, {
      hostname: '127.0.0.1', serial_number: serial, printer_model: model, mqtt_port: ports.mqtt, mqtt_username: 'bblp'
    })
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

t.test('severities are as decoded; what is not active is told apart in tools only', async t => {
  const { kernel, printer, tool, name } = await boot(t, { models: ['X1C'] })
  const hms = [{ attr: 0x03000100, code: 0x00010007 }, { attr: 0x0C000300, code: 0x00030006 }]
  const settled = (count: number, error: number) => eventually(() => {
    const errors = kernel.printers.get(name)?.state?.errors
    return errors?.printError === error && errors.faults.length === count
  })
  const severities = async () => {
    const { hms_errors: faults } = (await documentOf(kernel, name))._printer_state
    return faults.map(({ type, severity, is_critical: critical }: Fields) => [type, severity, critical])
  }
  printer.patch({ hms })
  await settled(2, 0)
  t.same(await severities(), [['device_hms', 'Fatal', true], ['device_hms', 'Warning', false]])
  t.match((await tool('get_hms_errors', { name })).value, {
    print_error: 0,
    hms_errors: hms.map(() => ({ severity: 'Historical', is_critical: false }))
  }, 'no device error: none is active')

  printer.patch({ print_error: 0x0300400C })
  await settled(3, 0x0300400C)
  t.same((await severities())[0], ['device_error', 'Error', true], 'first in the list')
  const { value } = await tool('get_hms_errors', { name })
  t.match(value, {
    print_error: 0x0300400C,
    hms_errors: [
      { code: 'HMS_0300-400C', type: 'device_error', severity: 'Error', is_critical: true, actions: Array },
      { code: 'HMS_0300-0100-0001-0007', severity: 'Fatal', is_critical: true },
      { code: 'HMS_0C00-0300-0003-0006', severity: 'Historical', is_critical: false }
    ]
  })
  for (const fault of value.hms_errors) t.same(flaws(fault, FAULT), [])
})

t.test('a refused command is an entry of its own, last and never historical', async t => {
  const { kernel, printer, tool, http, name } = await boot(t, { models: ['P1S'] })
  printer.patch({ hms: [{ attr: 0x03000100, code: 0x00010007 }] })
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

t.test('minutes since the job began, up to its end', async t => {
  const clock = createManualClock()
  let time = Date.parse('2026-01-01T00:00:00Z')
  const models = [{ model: 'X1C', clock }] as const
  const { kernel, printer, http, name } = await boot(t, { models, edges: { now: () => time } })
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
