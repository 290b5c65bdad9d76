import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { createKernel, definePlugin, definePreset } from '../../../core/index.js'
import alerts, { defineAlert, type Alert, type AnyAlertRule } from '../../../plugins/alerts/index.js'
import filament from '../../../plugins/filament/index.js'
import http from '../../../plugins/http/index.js'
import mcp from '../../../plugins/mcp/index.js'
import openapi from '../../../plugins/openapi/index.js'
import state from '../../../plugins/state/index.js'
import system from '../../../plugins/system/index.js'
import { boot, type BootOptions } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

const preset = definePreset({ name: 'alerts', plugins: [openapi, http, mcp, filament, system, state, alerts] })
const start = (t: Test, options: BootOptions = {}) => boot(t, { preset, ...options })

const ERROR = { print_error: 0x03008008 }
const OTHER_ERROR = { print_error: 0x05008030 }

t.test('a printer that fails: the queue is one, whoever reads it', async t => {
  const { printer, name, kernel, http, tool } = await start(t)
  const { queue } = kernel.services.alerts
  t.same((await http('GET', '/api/alerts')).body, [], 'the first state told nothing')
  printer.patch({ gcode_state: 'RUNNING', subtask_name: 'cube' })
  await eventually(() => queue.peek(name).length === 1)
  printer.patch(ERROR)
  await eventually(() => queue.peek(name).length === 2)

  const peek = await tool('get_pending_alerts', { name, clear: false })
  t.match(peek.value.result, [
    { type: 'job_started', printer: name, severity: 'high', payload: { subtask_name: 'cube' }, timestamp: /T.*\+00:00$/ },
    { type: 'hms_error_new', payload: { errors: [{ code: 'HMS_0300-8008', description: /\w/ }] } }
  ])
  t.same(JSON.parse(peek.text), peek.value.result, 'the text says the same')
  const { body } = await http('GET', '/api/alerts', { printer: name })
  t.same(body, peek.value.result)
  t.same((await tool('get_pending_alerts', { name })).value.result, [], 'read over HTTP, gone for the tool')

  printer.patch({ gcode_state: 'PAUSE', stg_cur: 16 })
  await eventually(() => queue.peek(name).length === 2)
  t.match((await tool('get_pending_alerts', { name })).value.result, [{ type: 'job_paused' }, { type: 'stage_change' }])
  t.same((await http('GET', '/api/alerts')).body, [], 'and the other way round')
  printer.patch({ gcode_state: 'RUNNING', stg_cur: 0 })
  await eventually(() => queue.peek(name).length === 1)
  t.same((await http('DELETE', '/api/alerts')).body, { status: 'ok' })
  t.same((await http('GET', '/api/alerts')).body, [])
})

t.test('the clock of the system jumps by a day: nothing is lost, nothing is told twice', async t => {
  const DAY_MS = 86_400_000
  for (const jump of [DAY_MS, -DAY_MS]) {
    let offset = 0
    const { printer, name, kernel } = await start(t, { dependencies: { now: () => Date.now() + offset } })
    const { queue } = kernel.services.alerts
    const hasErrors = (count: number) =>
      eventually(() => kernel.printers.get(name)?.state?.errors.faults.length === count)
    printer.patch(ERROR)
    await hasErrors(1)
    printer.patch({ print_error: 0 })
    await hasErrors(0)
    t.match(queue.drain(name), [{ type: 'hms_error_new' }, { type: 'hms_error_cleared' }])
    offset = jump
    printer.patch(ERROR)
    await hasErrors(1)
    t.same(queue.drain(name), [], 'half a minute is not over')
    printer.patch({ gcode_state: 'RUNNING', ...OTHER_ERROR })
    await eventually(() => queue.peek(name).length === 2)
    const told = queue.drain(name)
    t.match(told, [{ type: 'job_started' }, { type: 'hms_error_new' }])
    const isNow = ({ timestamp }: Alert) => Math.abs(Date.parse(timestamp) - Date.now() - jump) < 60_000
    t.ok(told.every(isNow), 'with the time of the system')
  }
})

t.test('all printers at once, by name', async t => {
  const models = [{ model: 'X1C', name: 'a' }, { model: 'P1S', name: 'b' }, { model: 'P1S', name: 'c' }] as const
  const { printers, kernel, http } = await start(t, { models })
  printers[0]?.patch({ gcode_state: 'RUNNING' })
  printers[1]?.patch({ gcode_state: 'FAILED' })
  const { queue } = kernel.services.alerts
  await eventually(() => queue.peek('a').length > 0 && queue.peek('b').length > 0)
  t.match((await http('GET', '/api/alerts', { printer: 'a', all: 'true' })).body, { a: [{ type: 'job_started' }], b: [{ type: 'job_failed' }] })
  t.same((await http('GET', '/api/alerts', { all: 'true' })).body, {}, 'every queue is empty, and left out')
})

t.test('a printer without a session', async t => {
  const { name, kernel, http, tool, printer } = await start(t)
  printer.patch({ gcode_state: 'FAILED' })
  await eventually(() => kernel.services.alerts.queue.peek(name).length === 1)
  await kernel.printers.disconnect(name)
  t.match(await http('GET', '/api/alerts', { printer: name }), { status: 400, body: { error: 'not_connected', reason: `Printer '${name}' not connected` } })
  t.match(await http('DELETE', '/api/alerts', { printer: name }), { status: 400, body: { error: 'not_connected' } })
  const answer = await tool('get_pending_alerts', { name })
  const absent = { error: `Printer '${name}' not connected`, detail: /is configured, but has no session/ }
  t.match(answer.value, { result: [absent] }, 'a list with one object')
  await kernel.printers.connect(name)
  await eventually(() => kernel.printers.get(name)?.live === true, 10_000)
  t.match((await http('GET', '/api/alerts')).body, [{ type: 'job_failed' }], 'the queue outlived the session, and nothing was added')
  await kernel.printers.remove(name)
  t.same(kernel.services.alerts.queue.drainAll(), {})
})

t.test('a lost connection that comes back with the same state alerts nothing', async t => {
  const { printer, name, kernel } = await start(t)
  const { queue } = kernel.services.alerts
  printer.patch({ gcode_state: 'RUNNING', stg_cur: 4, ...ERROR })
  await eventually(() => queue.peek(name).length === 3)
  queue.drain(name)
  const session = kernel.printers.get(name)
  printer.faults.drop()
  await eventually(() => session?.service !== 'CONNECTED', 10_000)
  await eventually(() => session?.service === 'CONNECTED' && session.live, 10_000)
  let reports = 0
  session?.events.on('state', () => { reports++ })
  await session?.refresh()
  await eventually(() => reports >= 1, 10_000)
  t.same(queue.peek(name), [])
})

t.test('nothing alerts while the session is paused; then the last state before counts', async t => {
  const { printer, name, kernel } = await start(t)
  const { queue } = kernel.services.alerts
  const session = kernel.printers.get(name)
  await session?.pause()
  printer.patch({ gcode_state: 'RUNNING' })
  session?.rememberChamberTarget(40)
  kernel.events.emit('health:verdict', name, { verdict: 'clean', score: 0 })
  kernel.events.emit('health:verdict', name, { verdict: 'critical', score: 1 })
  t.same(queue.peek(name), [])
  await session?.resume()
  await eventually(() => queue.peek(name).length > 0, 10_000)
  t.match(queue.peek(name), [{ type: 'job_started' }])
})

t.test("the job monitor's verdicts come by an event", async t => {
  const { name, kernel } = await start(t)
  const heard: Alert[] = []
  kernel.events.on('alert', alert => heard.push(alert))
  kernel.events.emit('health:verdict', name, { verdict: 'clean', score: 0.01 })
  kernel.events.emit('health:verdict', name, { verdict: 'warning', score: 0.1 })
  const payload = { from_verdict: 'clean', to_verdict: 'warning', score: 0.1 }
  t.match(heard, [{ type: 'health_escalated', printer: name, payload }])
})

t.test('the resource is told of when alerts come and when they go', async t => {
  const { client, printer, name, http } = await start(t, { models: [{ model: 'X1C', name: 'my x1c' }] })
  const uri = 'prnd://printers/my%20x1c/alerts'
  const { resourceTemplates } = await client.listResourceTemplates()
  t.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'prnd://printers/{name}/alerts'))
  let updates = 0
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    if (params.uri === uri) updates++
  })
  await client.subscribeResource({ uri })
  const read = async (): Promise<Alert[]> => {
    const { contents: [content] } = await client.readResource({ uri })
    return JSON.parse((content as { text: string }).text)
  }
  t.same(await read(), [])
  printer.patch({ gcode_state: 'FAILED' })
  await eventually(() => updates === 1)
  t.match(await read(), [{ type: 'job_failed', printer: name }])
  t.equal((await read()).length, 1, 'reading does not empty the queue')
  await http('DELETE', '/api/alerts')
  await eventually(() => updates === 2)
  t.same(await read(), [])
})

t.test('rules of other plugins: their alerts are queued, their faults are theirs', async t => {
  const rule = defineAlert({
    type: 'bed_hot',
    severity: 'low',
    detect: ({ heat: { bed } }, { heat }) =>
      bed.actual > 50 && heat.bed.actual <= 50 ? { celsius: bed.actual } : undefined
  })
  const outside = (rules: readonly AnyAlertRule[]) =>
    definePlugin({ name: 'outside', version: '1.0.0', kernel: '*', contributes: { alerts: rules } })
  const withRule = { ...preset, plugins: [preset.plugins, outside([rule])] }
  const { printer, name, kernel } = await start(t, { preset: withRule })
  printer.patch({ bed_temper: 55 })
  await eventually(() => kernel.services.alerts.queue.peek(name).length === 1)
  t.match(kernel.services.alerts.queue.peek(name), [{ type: 'bed_hot', payload: { celsius: 55 } }])

  const broken = await createKernel({ ...preset, plugins: [preset.plugins, outside([{ name: 'bad' } as never])] },
    { dataDir: testFolder(t), log: { file: false } })
  t.teardown(() => broken.close())
  await t.rejects(broken.start({ listen: false }), { message: /Alert rule 'bad' of plugin 'outside'.*detect must be a function/ })
})
