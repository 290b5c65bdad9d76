import t from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import metrics, { defineGauge } from '../../../plugins/metrics/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

const gardener = definePlugin({
  name: 'gardener',
  version: '1.0.0',
  kernel: '^2.0.0',
  contributes: {
    gauges: [
      defineGauge({ name: 'garden_trees', help: 'Trees', read: () => 3 }),
      defineGauge({ name: 'garden_bees', help: 'Bees', read: () => 'many' as unknown as number }),
      defineGauge({
        name: 'garden_beds',
        help: 'Beds',
        labels: ['kind', 'side'],
        read: () => [{ labels: { kind: 'roses', side: 'left' }, value: 4 }, { labels: { kind: 'herbs', other: 'no' }, value: 2 }]
      }),
      defineGauge({
        name: 'garden_weeds',
        help: 'Weeds',
        labels: ['n'],
        read: () => Array.from({ length: 3_000 }, (_, n) => ({ labels: { n: String(n) }, value: n }))
      })
    ]
  }
})
const preset = definePreset({ name: 'measured', plugins: [daemon.plugins, gardener] })

/** Value of the line with this name and these labels. */
const valueOf = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find(each => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

t.test('figures follow what happens', async t => {
  const { http, kernel, name } = await boot(t, { preset, models: [{ model: 'P1S', name: 'p "1"' }] })
  const label = 'p \\"1\\"'
  const figures = async () => (await http('GET', '/metrics')).text
  const beds = await figures()
  t.equal(valueOf(beds, 'garden_beds{kind="roses",side="left"}'), 4)
  t.equal(valueOf(beds, 'garden_beds{kind="herbs",side=""}'), 2, 'labels that were not declared are left out')
  t.equal(beds.split('\n').filter(line => line.startsWith('garden_weeds{')).length, 1_000, 'no more than so many')
  const spool = (await http('POST', '/api/spools', { name: 'Red "x"', material: 'PLA', color: '#FF0000', net_g: 750, used_g: 50 })).body
  t.equal(valueOf(await figures(), `prnd_spool_remaining_grams{spool="${spool.id}",name="Red \\"x\\"",material="PLA",color="#FF0000",printer="",place=""}`), 700)
  t.equal(valueOf(await figures(), 'prnd_spools{material="PLA"}'), 1)
  await http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: 40 })
  await http('GET', '/api/nothing-of-that-name')
  const text = await figures()
  t.equal(valueOf(text, 'prnd_sessions{state="CONNECTED"}'), 1)
  t.equal(valueOf(text, 'prnd_sessions{state="QUIT"}'), 0)
  t.ok((valueOf(text, `prnd_reports_total{printer="${label}"}`) ?? 0) >= 1)
  t.equal(valueOf(text, `prnd_commands_total{printer="${label}",result="accepted"}`), 1)
  t.equal(valueOf(text, 'garden_trees'), 3, 'plugins add figures')
  t.equal(valueOf(text, 'garden_bees'), undefined, 'what is no number is not shown')
  t.equal(valueOf(text, 'prnd_http_request_seconds_count{method="PATCH",route="/api/set_bed_target_temp",status="200"}'), 1)
  t.equal(valueOf(text, 'prnd_http_request_seconds_count{method="GET",route="none",status="404"}'), 1)
  t.ok((valueOf(text, 'process_resident_memory_bytes') ?? 0) > 1e7)
  t.match(text, /^nodejs_eventloop_lag_seconds /m)
  t.equal(metrics.needs?.includes('http'), true)

  await kernel.printers.remove(name)
  await eventually(async () => valueOf(await figures(), 'prnd_sessions{state="CONNECTED"}') === 0)
  t.notMatch(await figures(), /prnd_reports_total\{/, 'a removed printer takes its figures with it')
})

t.test('a lost connection and an alert are counted', async t => {
  const { http, printer, kernel, name } = await boot(t, { preset })
  printer.faults.drop()
  await eventually(async () =>
    valueOf((await http('GET', '/metrics')).text, `prnd_reconnects_total{printer="${name}"}`) === 1, 10_000)
  kernel.events.emit('alert', { type: 'job_finished', printer: name, timestamp: '', severity: 'low', payload: {} })
  t.equal(valueOf((await http('GET', '/metrics')).text, `prnd_alerts_total{printer="${name}",type="job_finished"}`), 1)
})

t.test('supervisors are told whether it lives and is ready', async t => {
  const { http, kernel } = await boot(t, { preset })
  t.match(await http('GET', '/livez'), { status: 200, body: { status: 'ok' } })
  t.match(await http('GET', '/readyz'), { status: 200, body: { status: 'ok', printers: { configured: 1, connected: 1 } } })
  t.equal(kernel.ready, true)
  const closing = kernel.close()
  t.equal(kernel.ready, false)
  await closing
})

t.test('with a token the figures need it too', async t => {
  const { http } = await boot(t, { preset, config: { api: { token: 'a-long-token' } }, wait: false })
  for (const path of ['/metrics', '/livez', '/readyz']) t.equal((await http('GET', path)).status, 401, path)
})

t.test('names that Prometheus does not take stop the start', async t => {
  const rows = [
    ['garden trees', /not a valid metric name/],
    ['prnd_sessions', /Two metrics/],
    ['process_cpu_seconds_total', /begin with process_/],
    ['nodejs_version_info', /begin with process_ or nodejs_/]
  ] as const
  for (const [name, words] of rows) {
    const odd = definePlugin({
      name: 'odd',
      version: '1.0.0',
      kernel: '^2.0.0',
      contributes: { gauges: [defineGauge({ name, help: '', read: () => 1 })] }
    })
    const plugins = [daemon.plugins, odd]
    await t.rejects(boot(t, { preset: definePreset({ name: 'odd', plugins }), wait: false }), { message: words })
  }
})
