import t from 'tap'
import { formatFor } from '../../../plugins/metrics/format.js'
import metrics from '../../../plugins/metrics/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'

const preset = featuresWith(metrics)

const lines = (text: string, start: string) => text.split('\n').filter(line => line.startsWith(start))
const value = (text: string, line: string) => Number(lines(text, `${line} `)[0]?.slice(line.length + 1) ?? NaN)

t.test('a printer tells its state, progress, temperatures and what is left', async t => {
  const { http, printer, kernel, name } = await boot(t, { preset, models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 100 }] })
  printer.patch({ gcode_state: 'RUNNING', mc_percent: 37, mc_remaining_time: 12, bed_target_temper: 55, layer_num: 7 })
  await eventually(() => kernel.printers.get(name)?.state?.job.percent === 37)
  const { text } = await http('GET', '/metrics')
  t.equal(value(text, 'prnd_printer_up{printer="x1c"}'), 1)
  t.equal(value(text, 'prnd_printer_info{printer="x1c",model="X1C"}'), 1)
  t.equal(value(text, 'prnd_printer_state{printer="x1c",state="RUNNING"}'), 1)
  t.equal(value(text, 'prnd_printer_state{printer="x1c",state="IDLE"}'), 0)
  t.equal(value(text, 'prnd_print_progress_ratio{printer="x1c"}'), 0.37)
  t.equal(value(text, 'prnd_print_remaining_seconds{printer="x1c"}'), 720)
  t.equal(value(text, 'prnd_temperature_target_celsius{printer="x1c",part="bed"}'), 55)
  t.equal(value(text, 'prnd_print_layer{printer="x1c"}'), 7)
  t.equal(value(text, 'prnd_printer_faults{printer="x1c",severity="fatal"}'), 0)
  t.ok(lines(text, 'prnd_filament_remaining_ratio{').length > 0)
})

t.test('whatever a printer says, its series stay few', async t => {
  const { http, printer, kernel, name } = await boot(t, { preset, models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 100 }] })
  const count = async () => lines((await http('GET', '/metrics')).text, 'prnd_').filter(line => line.includes('printer=')).length
  const before = await count()
  for (let at = 0; at < 5; at++) {
    printer.patch({ gcode_state: `STATE${at}`, subtask_name: `job ${at}`, stg_cur: 40 + at })
    await eventually(() => kernel.printers.get(name)?.state?.job.gcodeState === `STATE${at}`)
  }
  const { text } = await http('GET', '/metrics')
  t.equal(value(text, 'prnd_printer_state{printer="x1c",state="OTHER"}'), 1)
  t.notMatch(text, /STATE\d|job \d/)
  const grown = await count() - before
  t.ok(grown <= 10, `${grown} more: an alert counts by its type, and nothing else is new`)
})

t.test('a printer that is off has no figures but that; one that is gone has none', async t => {
  const { http, printer, kernel, name } = await boot(t, { preset, models: [{ model: 'P1S', name: 'p1s', reportEveryMs: 100 }] })
  const figures = async () => (await http('GET', '/metrics')).text
  kernel.events.emit('health:verdict', name, { verdict: 'critical', score: 1 })
  t.equal(value(await figures(), 'prnd_print_health{printer="p1s",verdict="critical"}'), 1)
  kernel.events.emit('health:verdict', name, { verdict: undefined, score: 0 })
  t.same(lines(await figures(), 'prnd_print_health{'), [])
  await printer.stop()
  await eventually(async () => value(await figures(), 'prnd_printer_up{printer="p1s"}') === 0, 30_000)
  t.same(lines(await figures(), 'prnd_temperature_celsius{'), [])
  await kernel.printers.remove(name)
  await eventually(async () => lines(await figures(), 'prnd_printer_up{').length === 0)
})

t.test('who asks for OpenMetrics gets it, and others what they had', async t => {
  const { kernel } = await boot(t, { preset, models: ['P1S'] })
  const ask = (accept?: string) => kernel.app.inject({ url: '/metrics', headers: accept === undefined ? {} : { accept } })
  const plain = await ask()
  t.match(plain.headers['content-type'], /^text\/plain; version=0\.0\.4/)
  t.notMatch(plain.body, '# EOF')
  t.match(plain.body, /^# TYPE prnd_reports_total counter$/m)
  const [open, again] = await Promise.all([ask('application/openmetrics-text;version=1.0.0,text/plain;q=0.5'), ask()])
  t.match(open.headers['content-type'], /^application\/openmetrics-text; version=1\.0\.0/)
  t.ok(open.body.endsWith('# EOF\n'))
  t.match(open.body, /^# TYPE prnd_reports counter$/m)
  t.match(open.body, /^prnd_reports_total\{printer="p1s"\} \d+$/m)
  t.notMatch(again.body, '# EOF', 'two that ask at once each get their own')
})

t.test('the format that is wanted most is taken', async t => {
  for (const [accept, format] of [
    [undefined, 'text'], ['', 'text'], ['*/*', 'text'], ['text/html', 'text'], ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4', 'openmetrics'],
    ['text/plain;q=0.9, application/openmetrics-text;q=0.1', 'text'], ['application/openmetrics-text;q=0', 'text']
  ] as const) t.equal(formatFor(accept), format, String(accept))
})
