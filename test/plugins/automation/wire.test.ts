import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootApp, type App } from '../../presets/standalone/boot.js'

const lightsSent = ({ printer }: App) => printer.requests.map(({ body }) => body as Record<string, unknown>)
  .filter(({ command, led_node: node }) => command === 'ledctrl' && node === 'chamber_light').map(({ led_mode: mode }) => mode)

const lightIs = ({ kernel, name }: App, mode: string) =>
  eventually(() => kernel.printers.get(name)?.state?.lights.mode === mode)

t.test('the light follows a job, and the times begin anew with it', async t => {
  const app = await bootApp(t)
  app.printer.patch({ gcode_state: 'IDLE', lights_report: [{ node: 'chamber_light', mode: 'off' }] })
  await lightIs(app, 'off')
  const before = lightsSent(app).length
  app.printer.patch({ gcode_state: 'PREPARE' })
  await eventually(async () => 'PREPARE' in (await app.get('get_all_data')).body.gcode_state_durations)
  t.notOk('IDLE' in (await app.get('get_all_data')).body.gcode_state_durations, 'the time before does not count')
  app.printer.patch({ gcode_state: 'RUNNING' })
  await eventually(() => lightsSent(app).length > before)
  t.same(lightsSent(app).slice(before), ['on'])
  await lightIs(app, 'on')
  app.printer.patch({ gcode_state: 'PAUSE' })
  await eventually(async () => 'PAUSE' in (await app.get('get_all_data')).body.gcode_state_durations)
  app.printer.patch({ gcode_state: 'RUNNING' })
  app.printer.patch({ gcode_state: 'FINISH' })
  await eventually(() => lightsSent(app).length > before + 1)
  t.same(lightsSent(app).slice(before), ['on', 'off'])
  const { gcode_state_durations: durations } = (await app.get('get_all_data')).body
  t.ok('PAUSE' in durations, 'a pause is part of the job')
})

t.test('a reconnect that changed nothing does nothing', async t => {
  const app = await bootApp(t)
  app.printer.patch({ gcode_state: 'FINISH', lights_report: [{ node: 'chamber_light', mode: 'off' }] })
  await lightIs(app, 'off')
  app.printer.patch({ lights_report: [{ node: 'chamber_light', mode: 'on' }] })
  await lightIs(app, 'on')
  const before = lightsSent(app).length
  app.printer.faults.drop()
  const session = app.kernel.printers.get(app.name)
  await eventually(() => session?.live === false)
  await eventually(() => session?.live === true, 10_000)
  await app.kernel.printers.connect(app.name)
  await eventually(() => app.kernel.printers.get(app.name)?.live === true, 10_000)
  t.equal(lightsSent(app).length, before)
})

t.test('switched off by the operator', async t => {
  const options = { lightOnAtStart: false }
  const app = await bootApp(t, { config: { plugins: { automation: options } } })
  app.printer.patch({ gcode_state: 'IDLE', lights_report: [{ node: 'chamber_light', mode: 'off' }] })
  await lightIs(app, 'off')
  const before = lightsSent(app).length
  app.printer.patch({ gcode_state: 'RUNNING' })
  await eventually(async () => 'RUNNING' in (await app.get('get_all_data')).body.gcode_state_durations)
  t.equal(lightsSent(app).length, before)
})
