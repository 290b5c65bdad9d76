import t from 'tap'
import { healthChange } from '../../../../plugins/alerts/rules/health.js'
import { jobHealthOf } from '../../../../plugins/health/index.js'
import { createAnalysisWorker, type AnalysisWorker } from '../../../../plugins/health/worker/analysis-worker.js'
import type { MonitorDeps } from '../../../../plugins/health/monitor/monitor.js'
import type { BedPose } from '../../../../plugins/health/analysis/plate-mask/bed-view.js'
import { newPlateMaskState } from '../../../../plugins/health/analysis/plate-mask/judge.js'
import { OUTLINE_KINDS, type Outline } from '../../../../plugins/toolpath/index.js'
import { createSequence } from '../../../health/scene/sequence.js'
import { eventually } from '../../../helpers/eventually.js'
import { bench, stateOf, uniform } from './helpers.js'

const analyst = createAnalysisWorker()
t.teardown(() => analyst.close())
const MINUTE_MS = 60_000

/** Answers that need no picture. */
const canned = (anomaly: () => number): AnalysisWorker => ({
  run: async task => (task.kind === 'analyse'
    ? { anomaly: anomaly(), hot: 0.1, strands: 0.2, diff: 0, memory: task.memory }
    : { annotated_png: new Uint8Array(1), factors_radar_png: null, health_panel_png: new Uint8Array(1) }) as never,
  close: async () => {}
})
/** A bed with nothing on it. */
const emptyOutline = (): Outline => {
  const map = { tops: new Uint16Array(1), bottoms: new Uint16Array(1) }
  const kinds = Object.fromEntries(OUTLINE_KINDS.map(kind => [kind, map])) as Outline['kinds']
  return { cellMm: 256, originX: 0, originY: 0, columns: 1, rows: 1, layer: 49, z: 10, isWhole: true, kinds }
}
let frames = 0
const other = () => Buffer.from(`frame ${++frames}`)

t.test('one analysis a minute, only while a job prints', async t => {
  const it = bench(canned(() => 0))
  t.teardown(it.stop)
  it.report({ gcodeState: 'IDLE' })
  await it.tick()
  t.equal(it.taken, 0)
  it.report()
  for (let tick = 0; tick < 13; tick++) {
    it.camera.jpeg = other()
    await it.tick()
    it.clock.ms += 10_000
  }
  t.equal(it.taken, 3, 'at 0, 60 and 120 s')
  t.equal(it.track.records.length, 3)
})

t.test('a camera that fails or stands still does not use up the minute', async t => {
  const it = bench(canned(() => 0))
  t.teardown(it.stop)
  it.report()
  await it.tick()
  t.same(it.track.window, [])
  it.camera.jpeg = other()
  it.clock.ms += 10_000
  await it.tick()
  t.equal(it.track.window.length, 1)
  it.clock.ms += MINUTE_MS
  await it.tick()
  t.equal(it.track.window.length, 1, 'the same picture again')
})

t.test('a stage that is gated leaves a result without pictures, window and history alone', async t => {
  const it = bench(canned(() => 0.5))
  t.teardown(it.stop)
  it.report({ stage: 4 })
  it.camera.jpeg = other()
  await it.tick()
  t.match(it.track.result, {
    stage_gated: true,
    verdict: 'clean',
    anomaly_score: 0,
    stable_verdict: null,
    success_probability: null,
    hot_pct: null
  })
  t.same([it.taken, it.track.window.length, it.track.records.length], [0, 0, 0])
  t.equal(it.track.pictures, undefined)
  it.report()
  await it.tick()
  t.match(it.track.result, { stage_gated: false, verdict: 'critical' })
  it.report({ stage: 4 })
  it.clock.ms += 10_000
  await it.tick()
  t.equal(it.track.result?.stage_gated, false, 'a fresh verdict says more')
})

t.test('a job start resets everything, a pause nothing', async t => {
  const it = bench(canned(() => 0.5))
  t.teardown(it.stop)
  it.report()
  it.camera.jpeg = other()
  await it.tick()
  it.report({ gcodeState: 'PAUSE' })
  it.report({ gcodeState: 'RUNNING' })
  t.equal(it.track.window.length, 1)
  t.ok(it.references.get('p1s'))
  it.report({ gcodeState: 'FINISH' })
  t.ok(it.track.result, 'stays after the end')
  t.ok(it.disk.get('p1s'))
  it.report({ gcodeState: 'PREPARE' })
  it.report({ gcodeState: 'RUNNING' })
  t.match(it.track, { window: [], records: [], evidence: 0, result: undefined, pictures: undefined })
  t.equal(it.references.get('p1s'), undefined)
  t.equal(it.disk.get('p1s'), undefined)
  t.same(it.told.at(-1), { verdict: undefined, score: 0 })
})

t.test('the last result outlives a restart, without pictures', async t => {
  const first = bench(canned(() => 0.5))
  first.report()
  first.camera.jpeg = other()
  await first.tick()
  first.stop()
  t.notMatch(JSON.stringify(first.disk.get('p1s')), /_png|_jpg|base64/)
  const second = bench(canned(() => 0), { disk: first.disk })
  t.teardown(second.stop)
  second.report()
  await eventually(() => second.track.result)
  t.match(second.track.result, { verdict: 'critical' })
  t.equal(second.track.pictures, undefined)
})

t.test('a reference lives for ten minutes', async t => {
  const it = bench(canned(() => 0))
  t.teardown(it.stop)
  const stored = it.references.set('p1s', { jpeg: Buffer.from('x'), capturedAt: 0 })
  it.clock.ms = 600_000
  t.equal(it.references.get('p1s'), stored)
  t.equal(it.references.ageOf(stored), 600)
  it.clock.ms = 600_001
  t.equal(it.references.get('p1s'), undefined)
  t.equal(it.references.ageOf(undefined), null)
})

t.test('sixty records, the oldest go', async t => {
  const it = bench(canned(() => 0))
  t.teardown(it.stop)
  it.report()
  for (let minute = 0; minute < 63; minute++) {
    it.camera.jpeg = other()
    await it.tick()
    it.clock.ms += MINUTE_MS
  }
  t.equal(it.track.records.length, 60)
  t.equal(it.track.records[0]?.ts, (1_700_000_000_000 + 3 * MINUTE_MS) / 1000)
})

t.test('an analysis that ends after its job counts for nothing', async t => {
  let answer = () => {}
  const slow: AnalysisWorker = {
    run: () => new Promise(resolve => {
      answer = () => resolve({
        anomaly: 1,
        hot: 0,
        strands: 0,
        diff: 0,
        memory: undefined
      } as never)
    }),
    close: async () => {}
  }
  const it = bench(slow)
  t.teardown(it.stop)
  it.report()
  it.camera.jpeg = other()
  const done = it.tick()
  await new Promise(resolve => setTimeout(resolve, 20))
  it.report({ gcodeState: 'FINISH' })
  it.report({ gcodeState: 'RUNNING' })
  answer()
  await done
  t.equal(it.track.result, undefined)
})

/** What the alert rule makes of what it is told, a minute apart. */
function alertsOf (told: readonly {
  verdict: 'clean' | 'warning' | 'critical' | undefined,
  score: number
}[]): string[] {
  let memory = healthChange.initial
  const raised: string[] = []
  told.forEach((health, at) => {
    const view = { state: stateOf(), health }
    const outcome = healthChange.detect(view, { ...view, health: told[at - 1] }, memory, {
      at: at * MINUTE_MS,
      describe: () => '',
      sentence: () => '',
      url: () => ''
    })
    if (!outcome) return
    memory = outcome.memory
    raised.push(...outcome.findings.map(({ type }) => `${type} ${at}`))
  })
  return raised
}

t.test('spaghetti escalates within five analyses, and what is taken away recovers', async t => {
  const it = bench(analyst)
  t.teardown(it.stop)
  const failing = createSequence({ seed: 1031, machine: 'enclosed', fails: true })
  const order = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 0, 1, 2, 0, 1, 2]
  for (const [at, index] of order.entries()) {
    const { jpeg, context } = await failing.frame(index)
    it.camera.jpeg = at < 8 ? jpeg : Buffer.concat([jpeg, Buffer.from([at])])
    it.report({ layer: context.layer, percent: context.progressPct })
    await it.tick()
    it.clock.ms += MINUTE_MS
  }
  const raised = alertsOf(it.told)
  t.match(raised[0], /^health_escalated [4-7]$/, raised.join(', '))
  t.match(raised.at(-1), /^health_recovered 1[0-6]$/)
  const { pictures } = it.track
  const live = await pictures?.live()
  t.ok(live?.annotated, 'pictures for the live page')
  t.equal(await pictures?.live(), live, 'made once')
})

t.test('a picture that shows nothing is no verdict', async t => {
  const it = bench(analyst)
  t.teardown(it.stop)
  it.report()
  for (const grey of [4, 90, 128, 252]) {
    it.camera.jpeg = await uniform(grey)
    await it.tick()
    t.same(it.track.window, [], `grey ${grey}`)
    t.equal(it.references.get('p1s'), undefined)
    it.clock.ms += 10_000
  }
})

t.test('pictures that cannot be drawn are named in the log, and tried again', async t => {
  let broken = true
  const fine = canned(() => 0)
  const it = bench({
    ...fine,
    run: async (task, signal) => {
      if (task.kind === 'live' && broken) throw new Error('no memory')
      return await fine.run(task, signal)
    }
  })
  t.teardown(it.stop)
  const logged: object[] = []
  const log = { error: (fields: object) => logged.push(fields) } as unknown as MonitorDeps['log']
  const health = jobHealthOf(it.monitor, log)
  t.equal(await health.image('p1s', 'annotated'), undefined, 'nothing was looked at yet')
  t.same(logged, [])
  it.report()
  it.camera.jpeg = other()
  await it.tick()
  t.equal(await health.image('p1s', 'annotated'), undefined)
  t.match(logged, [{ printer: 'p1s', err: { message: 'no memory' } }])
  broken = false
  t.same(await health.image('p1s', 'annotated'), new Uint8Array(1))
  t.equal(await health.image('p1s', 'factors_radar'), undefined, 'there is none of this kind')
  t.equal(logged.length, 1)
})

t.test('the monitor compares with what should be on the plate, says what it finds, and keeps where the camera is', async t => {
  const outline = emptyOutline()
  const pose = { found: [[[0.6, 1.1], [0.9, 0.7], [0.4, 0.6], [0, 0.8]]], rises: [] } as unknown as BedPose
  const asked: unknown[] = []
  const it = bench({
    run: async task => {
      if (task.kind !== 'analyse') return {} as never
      asked.push(task.expected)
      const memory = { ...task.memory, mask: { ...newPlateMaskState(pose) } }
      return { anomaly: 0.14, hot: 0, strands: 0, diff: 0, finding: 'Part missing: all of it.', memory } as never
    },
    close: async () => {}
  })
  t.teardown(it.stop)
  it.report()
  it.camera.jpeg = other()
  await it.tick()
  t.same(asked, [undefined], 'the plate of the job was not read')
  t.same(it.expected.pose, pose)
  it.expected.outline = outline
  it.clock.ms += MINUTE_MS
  it.camera.jpeg = other()
  await it.tick()
  t.equal((asked[1] as { outline: unknown }).outline, outline)
  t.match(it.track.result?.status, { word: 'warning', summary: /Part missing: all of it\.$/ })
})
