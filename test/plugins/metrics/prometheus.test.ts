import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort, ownPorts } from '../../helpers/ports.js'
import { findProgram } from '../../helpers/programs.js'

const prometheus = findProgram('prometheus')
const promtool = findProgram('promtool')
const skip = (prometheus === undefined || promtool === undefined) && 'prometheus is not installed'

const DEPLOY = join(import.meta.dirname, '../../../docs/deploy')
const RULES = join(DEPLOY, 'prometheus/prnd-alerts.yml')

const check = (args: readonly string[], input?: string) =>
  execFileSync(promtool ?? '', args, { encoding: 'utf8', ...(input !== undefined && { input }), stdio: 'pipe' })

/** Prometheus as Debian ships it, which looks at one service each second. */
async function startPrometheus (t: Test, target: string) {
  const folder = testFolder(t)
  const port = await freePort()
  copyFileSync(RULES, join(folder, 'prnd-alerts.yml'))
  const config = readFileSync(join(DEPLOY, 'prometheus/prometheus.yml'), 'utf8')
    .replaceAll('15s', '1s').replace('localhost:49152', target)
  writeFileSync(join(folder, 'prometheus.yml'), config)
  const child = spawn(prometheus ?? '', [`--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  const get = async (path: string): Promise<any> =>
    await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json().catch(() => ({}))
  await eventually(async () => (await get('status/buildinfo').catch(() => ({}))).status === 'success', 60_000)
  return {
    get,
    query: async (expr: string): Promise<any[]> => {
      const { status, data, error } = await get(`query?query=${encodeURIComponent(expr)}`)
      if (status !== 'success') throw new Error(`${expr}: ${error}`)
      return data.result
    }
  }
}

const MODELS = [
  { model: 'X1C', name: 'x "1"', reportEveryMs: 100 }, { model: 'H2D', name: 'h2d', reportEveryMs: 100 }
] as const

t.test('Prometheus takes the figures, evaluates the rules, and every panel of the dashboard asks for what there is', {
  skip
}, async t => {
  const { kernel, printers } = await boot(t, { models: MODELS, listen: true, config: { ports: ownPorts(0, 20) } })
  printers[0]?.patch({ gcode_state: 'FAILED', mc_percent: 42 })
  const { query, get } = await startPrometheus(t, `127.0.0.1:${kernel.apiPort}`)
  await eventually(async () => (await query('prnd_printer_state{state="FAILED"} == 1')).length === 1, 60_000)
  t.match(await query('prnd_printer_up == 1'), [{ metric: { job: 'prnd' } }, { metric: { job: 'prnd' } }])
  t.match(await query('prnd_print_progress_ratio{printer="x \\"1\\""}'), [{ value: [Number, '0.42'] }])
  t.same((await query('prnd_temperature_celsius{printer="h2d"}')).map(({ metric }) => metric.part).sort(),
    ['bed', 'chamber', 'nozzle_left', 'nozzle_right'])

  await eventually(async () => (await get('alerts')).data?.alerts.some((one: any) =>
    one.labels.alertname === 'PrintFailed' && one.state === 'firing' && one.labels.printer === 'x "1"'), 60_000)
  const rules = (await get('rules')).data.groups.flatMap(({ rules }: any) => rules)
  t.same(rules.filter(({ health }: any) => health !== 'ok').map(({ name, health }: any) => `${name}: ${health}`), [])

  const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/prnd-dashboard.json'), 'utf8'))
  const known = new Set((await get('label/__name__/values')).data as string[])
  const names = new Set<string>()
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      await t.resolves(query(expr.replaceAll('$printer', '.*')), title)
      for (const [name] of expr.matchAll(/\b(?:prnd|process)_[a-z_]+/g)) names.add(name)
    }
  }
  t.ok(names.size > 8, `${names.size} figures`)
  const sometimes = new Set(['prnd_print_health', 'prnd_alerts_total']) // only once there was one
  t.same([...names].filter(name => !known.has(name) && !sometimes.has(name)), [], 'every figure of the dashboard is there')
  t.match(await get('targets'), { data: { activeTargets: [{ health: 'up', lastError: '' }] } }, 'as OpenMetrics, which it asks for')
})

t.test('promtool finds nothing wrong with the figures and the rules', { skip }, async t => {
  const { http } = await boot(t, { models: MODELS })
  const { text } = await http('GET', '/metrics')
  t.equal(check(['check', 'metrics'], text.split('\n').filter(line => !/nodejs_|process_/.test(line)).join('\n')), '')
  t.match(check(['check', 'rules', RULES]), 'SUCCESS')
})

t.test('the rules fire when they should and not before', { skip }, async t => {
  const folder = testFolder(t)
  const file = join(folder, 'rules.test.yml')
  writeFileSync(file, JSON.stringify({
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [{
      interval: '1m',
      input_series: [
        { series: 'prnd_printer_up{printer="a"}', values: '1 0x60' },
        { series: 'prnd_temperature_target_celsius{printer="b",part="bed"}', values: '60x60' },
        { series: 'prnd_temperature_target_celsius{printer="c",part="bed"}', values: '60x60' },
        { series: 'prnd_printer_state{printer="c",state="RUNNING"}', values: '1x60' }
      ],
      alert_rule_test: [
        { eval_time: '10m', alertname: 'PrinterUnreachable', exp_alerts: [] },
        {
          eval_time: '12m',
          alertname: 'PrinterUnreachable',
          exp_alerts: [{ exp_labels: { severity: 'warning', printer: 'a' }, exp_annotations: { summary: 'a sends no reports' } }]
        },
        {
          eval_time: '31m',
          alertname: 'HotWithoutJob',
          exp_alerts: [{
            exp_labels: { severity: 'warning', printer: 'b', part: 'bed' },
            exp_annotations: { summary: 'bed of b is heated, and nothing is printed' }
          }]
        }
      ]
    }]
  }))
  t.match(check(['test', 'rules', file]), 'SUCCESS')
})
