import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootApp } from './boot.js'
import { testFolder } from '../../helpers/folder.js'
import { printerPorts } from '../../helpers/ports.js'

t.test('the printer: 304 without a body unless data come in', async t => {
  const app = await bootApp(t)
  const { status, body } = await app.get('printer')
  t.equal(status, 200)
  t.match(body, { _recent_update: true, _printer_state: { gcode_state: /\w/ }, _config: { access_code: '********' } })
  t.same((await app.get('health_check')).body, { status: 'success', printer: (await app.get('printer')).body })
  await app.get('toggle_session')
  await app.get('toggle_session')
  await eventually(() => app.kernel.printers.get(app.name)?.live)
  t.equal((await app.get('printer')).status, 200, 'and again after a pause')
})

t.test('a printer that is silent', async t => {
  const app = await bootApp(t)
  app.printer.faults.rejectAccessCode()
  await app.kernel.printers.connect(app.name) // a session that has not heard anything
  const { status, text } = await app.get('printer')
  t.equal(status, 304)
  t.equal(text, '')
  const health = await app.get('health_check')
  t.equal(health.status, 500)
  t.match(health.body, { status: 'error', reason: 'no data to send', printer: { _recent_update: false } })
  const { body } = await app.get('get_all_data')
  t.match(body.printer, { status: 'error', reason: 'no data to send' })
  t.equal((await app.get('set_bed_target_temp', { temp: 50 })).status, 500)
})

t.test('an application without a printer answers all the same', async t => {
  const app = await bootApp(t, { models: [] })
  t.match((await app.get('printer')), { status: 500, body: { status: 'error', reason: /^No printer is configured yet/ } })
  const { body } = await app.get('get_all_data')
  t.same(body.printer, { status: 'error', reason: 'no data to send' })
  t.same(body.bed, { minVal: 0, maxVal: 1, zoom: 0, maxAge: 0, xAxis: { data: [] }, series: { data: [] } })
  t.same(body.tool.series, [])
  t.same(body.gcode_state_durations, {})
  t.match((await app.get('trigger_printer_refresh')), { status: 500 })
})

t.test('failures carry the stack only while the log is at DEBUG', async t => {
  const app = await bootApp(t)
  const plain = await app.get('fake_error')
  t.equal(plain.status, 500)
  t.match(plain.body, { status: 'error', message: /division by zero/, stacktrace: '' })
  t.match((await app.get('toggle_verbosity', { verbose: 'true' })).body, { status: 'success', level: 'INFO', verbose: true })
  t.equal(app.kernel.printers.get(app.name)?.verbose, true)
  t.match((await app.get('toggle_verbosity')).body, { level: 'DEBUG', verbose: false })
  t.match((await app.get('fake_error')).body.stacktrace, /RangeError: division by zero\n +at /)
  t.match((await app.get('toggle_verbosity')).body, { level: 'INFO' })
})

t.test('the log as text', async t => {
  const dir = testFolder(t)
  const app = await bootApp(t, { config: { dataDir: dir, log: { file: `${dir}/prnd.log` } } })
  app.kernel.logs.root.error('something to read')
  await eventually(async () => (await app.get('dump_log')).text.includes('something to read'))
  const { headers } = await app.kernel.app.inject('/api/dump_log')
  t.match(headers['content-type'], /^application\/jsonl\+json/)
  t.same((await app.get('truncate_log')).body, { status: 'success' })
  t.equal((await app.get('dump_log')).text, '')
})

t.test('the session is paused and resumed', async t => {
  const app = await bootApp(t)
  t.same((await app.get('toggle_session')).body, { status: 'success', state: 'PAUSED' })
  t.equal((await app.get('printer')).body._service_state, 'PAUSED')
  t.same((await app.get('trigger_printer_refresh')).body, { status: 'success', printer: {} }, 'asks nothing of a paused one')
  t.same((await app.get('toggle_session')).body, { status: 'success', state: 'CONNECTED' })
  const asked = () => app.printer.requests.filter(({ body }) => (body as { command?: string }).command === 'pushall').length
  const before = asked()
  t.same((await app.get('trigger_printer_refresh')).body, { status: 'success', printer: {} })
  await eventually(() => asked() > before)
})

t.test('a printer that is down gets a new session, and the answer waits for it', async t => {
  const app = await bootApp(t, { models: [{ model: 'P1S', reportEveryMs: 100, ports: await printerPorts() }] })
  const { kernel, printer, name } = app
  const before = kernel.printers.get(name)
  await printer.stop()
  await eventually(() => before?.service === 'DISCONNECTED')
  t.same((await app.get('toggle_session')).body, { status: 'success', state: 'DISCONNECTED' }, 'nothing to pause')
  const first = app.get('trigger_printer_refresh')
  await eventually(() => kernel.printers.get(name) === undefined)
  const answers = Promise.all([first, app.get('trigger_printer_refresh')])
  await eventually(() => kernel.printers.get(name) !== undefined)
  await printer.start()
  for (const { status, body } of await answers) t.same([status, body], [200, { status: 'success', printer: {} }])
  const after = kernel.printers.get(name)
  t.not(after, before)
  t.equal(after?.service, 'CONNECTED')
  t.equal(before?.service, 'QUIT')

  await kernel.printers.disconnect(name)
  t.equal((await app.get('trigger_printer_refresh')).status, 200, 'a session that is missing is begun')
})

t.test('what is not there', async t => {
  const app = await bootApp(t, { models: [] })
  t.match(await app.get('nothing_of_the_kind'), { status: 404, body: { status: 'error', reason: /There is no GET/ } })
  const patch = await app.http('PATCH', '/api/set_bed_target_temp', { temp: 5 })
  t.match(patch, { status: 405, body: { status: 'error' } }, 'the daemon\'s form of it is gone')
})

t.test('a write with a parameter that does not exist does nothing, a read ignores it', async t => {
  const app = await bootApp(t)
  const before = app.printer.requests.length
  for (const [path, params, message] of [
    ['set_bed_target_temp', { temp: 60, tmep: 70 }, "unknown parameter 'tmep'; did you mean 'temp'?"],
    ['set_light_state', { stat: 'on' }, "unknown parameter 'stat'; did you mean 'state'?"],
    ['stop_printing', { printer: 'other' }, "unknown parameter 'printer'; there are none"]
  ] as const) t.match(await app.get(path, params), { status: 500, body: { status: 'error', message } }, path)
  t.equal(app.printer.requests.length, before)
  t.equal((await app.get('set_bed_target_temp', { temp: 60, _: 17 })).status, 200)
  t.equal((await app.get('get_all_data', { t: 17 })).status, 200)
})

t.test('without a job there is nothing to stop', async t => {
  const app = await bootApp(t)
  t.match(await app.get('stop_printing'), { status: 500, body: { status: 'error', reason: /has no job: it is IDLE$/ } })
})
