import { existsSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { definePlugin, definePreset, type Services } from '../../../core/index.js'
import alerts from '../../../plugins/alerts/index.js'
import { healthWith, defineHealthDetector, type Frame } from '../../../plugins/health/index.js'
import http from '../../../plugins/http/index.js'
import mcp from '../../../plugins/mcp/index.js'
import filament from '../../../plugins/filament/index.js'
import state from '../../../plugins/state/index.js'
import system from '../../../plugins/system/index.js'
import telemetry from '../../../plugins/telemetry/index.js'
import { streamFailed } from '../../../plugins/health/errors.js'
import { boot } from '../../helpers/boot-features.js'
import { createSequence } from '../../health/scene/sequence.js'
import { testFolder } from '../../helpers/folder.js'

const clean = createSequence({ seed: 1001, machine: 'enclosed', fails: false, width: 640, height: 360 })
let next = 0
const picture = async () => (await clean.frame(next++ % clean.frames)).jpeg

/** A camera that shows what the test wants. */
const cameraOf = (take: () => Promise<Buffer>) => definePlugin({
  name: 'fake-camera',
  version: '1.0.0',
  kernel: '^2.0.0',
  provides: ['camera'],
  contributes: { healthDetectors: [defineHealthDetector({ name: 'calm', detect: async () => ({ score: 0.1 }) })] },
  setup: ({ provide }) => provide('camera', {
    latestFrame: async (): Promise<Frame> => ({ jpeg: await take(), capturedAt: Date.now() })
  } as unknown as Services['camera'])
})

async function start (t: Test, take = picture, opened: string[] = []) {
  let steady = 0
  const health = healthWith({
    folder: testFolder(t),
    openBrowser: async address => { opened.push(address); return true },
    steady: () => steady
  })
  const preset = definePreset({
    name: 'test',
    plugins: [http, mcp, system, filament, state, telemetry, alerts,
      cameraOf(take), [health, { monitor: true }]]
  })
  const it = await boot(t, { preset, models: ['P1S'] })
  const session = it.kernel.printers.resolve(it.name)
  return { ...it, name: it.name, session, pass: (ms: number) => { steady += ms } }
}

const SCALARS = ['counts', 'verdict', 'stable_verdict', 'success_probability', 'decision_confidence', 'factor_contributions', 'anomaly_score',
  'hot_pct', 'strand_score', 'diff_score', 'reference_age_s', 'quality', 'status', 'layer', 'total_layers', 'progress_pct', 'timestamp']

t.test('the report has every field, in order, and the composite', async t => {
  const { http, tool, name } = await start(t)
  const { status, body } = await http('GET', '/api/analyze_active_job', { printer: name })
  t.equal(status, 200, String(body.detail))
  t.same(Object.keys(body), [...SCALARS, 'job_state_composite_jpg'])
  t.match(body, {
    stable_verdict: 'clean',
    diff_score: null,
    reference_age_s: null,
    timestamp: /^\d{4}-.*T.*\+00:00$/
  })
  t.equal(Object.keys(body.factor_contributions).length, 8)
  t.match(body.job_state_composite_jpg, /^data:image\/jpeg;base64,/)
  const answer = await tool('analyze_active_job', { name, categories: ['c', 'D', 'h', 'P', 'z'], quality: 'preview' })
  t.notOk(answer.failed, answer.text.slice(0, 200))
  t.same(Object.keys(answer.value).slice(SCALARS.length), ['raw_png', 'diff_png', 'air_zone_png', 'mask_png', 'annotated_png', 'heat_png',
    'edge_png', 'factors_radar_png', 'health_panel_png', 'project_thumbnail_png', 'project_layout_png'])
  t.equal(answer.value.quality, 'preview')
  t.equal(answer.value.diff_png, null)
  t.equal(answer.value.project_thumbnail_png, null)
})

t.test('a stored reference is shared, and its own difference is nothing', async t => {
  const { http, name, pass } = await start(t)
  const stored = await http('GET', '/api/analyze_active_job', { printer: name, store_reference: 'true' })
  t.match(stored.body, { diff_score: 0, reference_age_s: 0 })
  pass(61_000)
  const later = await http('GET', '/api/analyze_active_job', { printer: name })
  t.ok(later.body.diff_score > 0)
  t.equal(later.body.reference_age_s, 61)
  pass(600_000)
  t.equal((await http('GET', '/api/analyze_active_job', { printer: name })).body.reference_age_s, null)
})

t.test('failures as they are documented', async t => {
  let problem: unknown = streamFailed('no picture within 15 s')
  const { http, tool, name } = await start(t, async () => {
    if (Buffer.isBuffer(problem)) return problem
    throw problem
  })
  const first = await http('GET', '/api/analyze_active_job', { printer: name })
  t.same([first.status, first.body.error, first.body.detail], [400, 'stream_failed', 'no picture within 15 s'])
  problem = new Error('socket gone')
  t.same((await tool('analyze_active_job', { name })).value, { error: 'stream_failed', detail: 'socket gone' })
  problem = Buffer.from('no jpeg at all')
  t.match((await tool('analyze_active_job', { name })).value, { error: 'analysis_failed', detail: String })
  t.match((await tool('analyze_active_job', { name: 'nobody' })).value, { error: "Printer 'nobody' not connected", detail: /^No printer of that name/ })
  t.equal((await http('GET', '/api/analyze_active_job', { printer: name, quality: 'best' })).status, 400)
  t.match((await tool('open_job_state', { name })).value, { error: 'no_result', detail: String })
})

t.test('the monitor fills history, live page and files', async t => {
  const opened: string[] = []
  const { kernel, http, tool, name, session, pass, printer } = await start(t, picture, opened)
  const events: unknown[] = []
  kernel.events.on('health', (...told) => events.push(told))
  const real = session.state
  t.ok(real, String(printer.name))
  Object.defineProperty(session, 'state', { get: () => real && { ...real, job: { ...real.job, gcodeState: 'RUNNING', stage: { id: 0, name: '' } } } })
  for (let minute = 0; minute < 2; minute++) {
    await kernel.services.health.monitor.tick(session)
    pass(60_000)
  }
  t.ok(events.length >= 2)
  const history = await http('GET', '/api/monitoring_history', { printer: name, raw: 'true' })
  t.ok(history.body.health.length >= 2)
  t.match(kernel.services.jobHealth.result(name), { stage_gated: false, success_probability_trend: 'building' })
  for (const kind of ['annotated', 'factors_radar', 'health_panel'] as const) {
    const png = await kernel.services.jobHealth.image(name, kind)
    t.equal(png && Buffer.from(png).subarray(1, 4).toString(), 'PNG', kind)
  }
  const panel = kernel.contributed('panels').find(({ id }) => id === 'health-trend')
  t.match(panel?.render(session), /^<svg/)
  const { value, failed } = await tool('open_job_state', { name })
  t.notOk(failed, JSON.stringify(value))
  t.match(value, {
    opened: true,
    verdict: 'clean',
    stable_verdict: 'clean',
    score: Number,
    layer: Number,
    timestamp: String
  })
  t.same(Object.keys(value.paths), ['composite', 'annotated', 'health', 'raw'])
  t.ok(Object.values(value.paths as Record<string, string>).every(path => existsSync(path)))
  t.equal(readFileSync(value.composite_path as string).readUInt16BE(0), 0xFFD8)
  t.equal(opened.length, 4)
})
