import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootApp, type App } from './boot.js'
import { COMMON, DUAL, REFUSED, SINGLE, type WireCase } from './wire.data.js'

async function walk (t: Test, app: App, cases: readonly WireCase[]): Promise<void> {
  for (const { path, query, wire } of cases) {
    const name = `${path} ${JSON.stringify(query ?? {})}`
    const sent = (await app.wire(path, query)).filter(({ command }) => command !== 'pushall' && command !== 'get_version')
    t.equal(sent.length, wire.length, `${name}: ${JSON.stringify(sent)}`)
    t.match(sent, wire, name)
  }
}

t.test('what each write sends to a printer with one nozzle', async t => {
  const app = await bootApp(t)
  await walk(t, app, [...COMMON, ...SINGLE])
  t.equal((await app.get('printer')).body._printer_state.climate.chamber_temp_target, 45, 'kept for an external chamber')
  const { status, body } = await app.get('toggle_active_tool')
  t.equal(status, 500, 'no second tool')
  t.match(body, { status: 'error', message: /single extruder/ })
})

t.test('and to one with two', async t => {
  const app = await bootApp(t, { models: [{ model: 'H2D', reportEveryMs: 100 }] })
  await walk(t, app, [...COMMON, ...DUAL])
})

t.test('what is refused: 500, with the reason, and nothing sent', async t => {
  const app = await bootApp(t)
  const before = app.printer.requests.length
  for (const { path, query } of REFUSED) {
    const { status, body } = await app.get(path, query)
    const name = `${path} ${JSON.stringify(query ?? {})}`
    t.equal(status, 500, name)
    t.match(body, { status: 'error', message: /\w/, reason: body.message, stacktrace: '' }, name)
  }
  t.equal(app.printer.requests.length, before)
})

t.test('job control', async t => {
  const app = await bootApp(t, { models: [{ model: 'P1S', reportEveryMs: 100, speed: 100 }] })
  app.printer.startJob({ objects: [12, 13, 14], minutes: 600 })
  await eventually(() => app.kernel.printers.get(app.name)?.state?.job.gcodeState === 'RUNNING', 20_000)
  t.match(await app.wire('skip_objects', { objects: '12, 13' }), [{ command: 'skip_objects', obj_list: [12, 13] }])
  t.match(await app.wire('pause_printing'), [{ command: 'pause' }])
  t.match(await app.wire('resume_printing'), [{ command: 'resume' }])
  t.match(await app.wire('send_gcode', { gcode: 'M220 S90' }), [{ param: 'M220 S90\n' }], 'also while a job runs')
  t.match(await app.wire('stop_printing'), [{ command: 'stop' }])
})

t.test('filament is loaded', async t => {
  const app = await bootApp(t)
  t.match(await app.wire('load_filament', { slot: 2 }), [{ command: 'ams_change_filament' }])
})

t.test('the first slot, unless another is named; nothing to unload is the printer\'s to say', async t => {
  const app = await bootApp(t)
  t.match(await app.wire('load_filament'), [{ command: 'ams_change_filament', target: 0 }])
})

/** A time that comes before an answer which waits longer. */
function passing (ms: number): { passed: boolean } {
  const time = { passed: false }
  setTimeout(() => { time.passed = true }, ms)
  return time
}

t.test('answers that wait for the printer to tell of it', async t => {
  const app = await bootApp(t)
  const first = passing(900)
  t.match(await app.wire('set_nozzle_details', { nozzle_diameter: 0.6, nozzle_type: 'HARDENED_STEEL' }),
    [{ command: 'set_accessories', nozzle_diameter: 0.6, nozzle_type: 'hardened_steel' }])
  t.ok(first.passed, 'one second')
  const second = passing(1_900)
  const details = { tray_id: 1, tray_info_idx: 'GFA00', tray_type: 'PLA', tray_color: '#FF0000' }
  t.match(await app.wire('set_spool_details', details),
    [{ command: 'ams_filament_setting', tray_info_idx: 'GFA00', tray_color: 'FF0000FF' }])
  t.ok(second.passed, 'two seconds')
})

t.test('a head request does not act', async t => {
  const { kernel, printer } = await bootApp(t)
  const before = printer.requests.length
  t.equal((await kernel.app.inject({ method: 'HEAD', url: '/api/stop_printing' })).statusCode, 405)
  t.equal((await kernel.app.inject({ method: 'HEAD', url: '/api/printer' })).statusCode, 200, 'that of a read may be asked for')
  t.equal(printer.requests.length, before)
})
