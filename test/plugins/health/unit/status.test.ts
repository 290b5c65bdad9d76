import t from 'tap'
import { assess } from '../../../../plugins/health/assess.js'
import { BADGES } from '../../../../plugins/health/pictures/colors.js'
import { agreedSuccess, statusOf, visibilityOf, type StatusInput } from '../../../../plugins/health/status.js'
import type { Verdict } from '../../../../plugins/health/types.js'
import { EMPTY_STATE } from '../../../../plugins/health/analysis/improved/analysis-state.js'
import type { AnalysisWorker } from '../../../../plugins/health/worker/analysis-worker.js'
import { contextOf } from '../../../health/context.js'
import type { PlateLayout } from '../../../../plugins/health/types.js'
import { bench } from './helpers.js'

const statusFor = (input: Partial<StatusInput> & { job?: Parameters<typeof contextOf>[0] }) =>
  statusOf({ context: contextOf(input.job ?? {}), verdict: 'clean', visibility: 'clear', success: 0.96, ...input })

t.test('what is not printing stands by instead of being clean', async t => {
  for (const [job, reason] of [
    [{ gcodeState: 'IDLE' }, 'idle'], [{ gcodeState: 'FINISH' }, 'idle'], [{ gcodeState: 'FAILED' }, 'idle'],
    [{ gcodeState: 'PREPARE' }, 'preparing'], [{ stageId: 14, layer: 0 }, 'preparing'], [{ stageId: 4, layer: 9 }, 'busy'], [{ stageId: 2 }, 'heating'],
    [{ layer: 0, nozzleC: 90 }, 'heating'], [{ gcodeState: 'PAUSE' }, 'paused'], [{ stageId: 16 }, 'paused']
  ] as const) {
    t.match(statusFor({ job }), { word: 'standby', reason, health: null }, `${JSON.stringify(job)} is ${reason}`)
  }
  t.match(statusFor({ job: { layer: 0 } }), { word: 'clean', reason: null }, 'hot and on the first layer')
  t.match(statusFor({ job: { nozzleC: 90 } }), { word: 'clean' }, 'a nozzle that rests in the middle of a print')
})

t.test('a pause does not make a failure go away, the end of the job does', async t => {
  t.match(statusFor({ job: { gcodeState: 'PAUSE' }, verdict: 'critical', stable: 'critical' }), { word: 'critical', reason: 'paused' })
  t.match(statusFor({ job: { gcodeState: 'FINISH' }, verdict: 'critical', stable: 'critical' }), { word: 'standby', reason: 'idle' })
})

t.test('a clean verdict says how well the print is seen, and blind there is none', async t => {
  t.match(statusFor({ visibility: 'blurred' }), { word: 'clean', summary: 'The print looks good, as far as can be seen. The picture is out of focus.' })
  t.match(statusFor({ visibility: 'obstructed' }), { word: 'clean', summary: /tool head/ })
  for (const visibility of ['dark', 'washed', 'covered', 'missing'] as const) {
    t.match(statusFor({ visibility }), { word: 'standby', reason: 'unseen', health: null }, visibility)
    t.match(statusFor({ visibility, verdict: 'critical' }), { word: 'critical' }, `${visibility}, and critical before`)
  }
  t.equal(visibilityOf(undefined, 0.8), 'obstructed')
  t.equal(visibilityOf('flat'), 'covered')
})

t.test('word, gauge and chance agree whatever was found', async t => {
  const verdicts: Verdict[] = ['clean', 'warning', 'critical']
  for (const verdict of verdicts) {
    for (const stable of [undefined, ...verdicts]) {
      for (const success of [0, 0.3, 0.76, 1]) {
        const { word, health } = statusFor({ verdict, stable, success })
        t.not(word, 'standby')
        const band = health === null ? '' : health >= 0.7 ? 'clean' : health >= 0.4 ? 'warning' : 'critical'
        t.equal(band, word, `${verdict}, stable ${stable}, ${success}`)
        if (word !== 'clean') t.ok(agreedSuccess(word, success) < 0.7)
        t.ok(BADGES[word])
      }
    }
  }
  t.match(statusFor({ verdict: 'critical', stable: 'clean' }), { word: 'warning', summary: /next pictures/ })
  t.match(statusFor({ verdict: 'warning' }), { word: 'warning', summary: /next pictures/ }, 'the first pictures of a job')
  t.notMatch(statusFor({ verdict: 'warning', stable: 'warning' }).summary, /confirm/)
})

t.test('a critical verdict leaves no good chance beside it', async t => {
  const judged = assess({
    profile: 'improved',
    context: contextOf({ progressPct: 95 }),
    analysis: { anomaly: 0.21, hot: 0, strands: 0, diff: null },
    detections: [],
    window: ['critical', 'critical', 'critical'],
    evidence: 0,
    seenFrom: 0
  })
  t.match(judged, { verdict: 'critical', stable: 'critical', status: { word: 'critical' } })
  t.ok(judged.odds.success <= 0.39)
})

t.test('a clean first picture says that it is the first look, unless a network looks', async t => {
  const judged = (isFirst: boolean, trust?: number) => assess({
    profile: 'improved',
    context: contextOf(),
    analysis: { anomaly: 0, hot: 0, strands: 0, diff: null, ...(isFirst && { isFirst }) },
    detections: trust === undefined ? [] : [{ score: 0, trust }],
    window: [],
    evidence: 0,
    seenFrom: 0
  }).status
  t.match(judged(true), { word: 'clean', summary: /first look/ })
  t.notMatch(judged(false).summary, /first look/)
  t.notMatch(judged(true, 1).summary, /first look/)
})

t.test('who begins to look late says so, unless a network looks', async t => {
  const judged = (seenFrom: number, trust?: number, plate?: PlateLayout) => assess({
    profile: 'improved',
    context: contextOf({ progressPct: 45, ...(plate && { plate }) }),
    analysis: { anomaly: 0, hot: 0, strands: 0, diff: null },
    detections: trust === undefined ? [] : [{ score: 0, trust }],
    window: [],
    evidence: 0,
    seenFrom
  })
  t.match(judged(40).status, {
    word: 'clean',
    summary: 'The print looks good. Seen since 40 %: what was there before is judged with less certainty.'
  })
  const plate = { boxes: [[100, 100, 150, 150]] as const, bedMm: [256, 256] as const }
  t.match(judged(40, undefined, plate).status, { summary: /compared with the plate of the job/ })
  t.ok((judged(40, undefined, plate).confidence ?? 0) > (judged(40).confidence ?? 1), 'surer with the plate')
  t.match(judged(2).status, { summary: 'The print looks good.' })
  t.match(judged(40, 1).status, { summary: 'The print looks good.' })
  t.ok((judged(40).confidence ?? 1) < (judged(2).confidence ?? 0))
})

const canned = (anomaly: number, gate?: 'dark'): AnalysisWorker => ({
  run: async () => ({ anomaly, hot: 0, strands: 0, diff: 0, memory: EMPTY_STATE, ...(gate && { gate }) }) as never,
  close: async () => {}
})

t.test('the result of a job changes with what the printer does', async t => {
  const it = bench(canned(0))
  t.teardown(it.stop)
  it.report()
  it.camera.jpeg = Buffer.from('one')
  await it.tick()
  t.match(it.track.result?.status, { word: 'clean', reason: null, summary: /since 25 %/ })
  it.report({ stage: 16, gcodeState: 'PAUSE' })
  t.match(it.track.result?.status, { word: 'standby', reason: 'paused' })
  t.match(it.track.pictures?.source.view.status, { word: 'standby' }, 'the pictures say the same')
  it.report({ gcodeState: 'FINISH' })
  t.match(it.track.result, { verdict: 'clean', status: { word: 'standby', reason: 'idle' } })
})

t.test('a camera that goes dark or away takes the clean verdict back', async t => {
  let run = canned(0).run
  const it = bench({ run: (...task) => run(...task), close: async () => {} })
  t.teardown(it.stop)
  it.report()
  it.camera.jpeg = Buffer.from('one')
  await it.tick()
  t.match(it.track.result?.status, { word: 'clean' })
  it.clock.ms += 60_000
  run = canned(0, 'dark').run
  it.camera.jpeg = Buffer.from('night')
  await it.tick()
  t.match(it.track.result?.status, { word: 'standby', reason: 'unseen', sight: 'dark' })
  it.clock.ms += 60_000
  run = canned(0).run
  it.camera.jpeg = Buffer.from('two')
  await it.tick()
  t.match(it.track.result?.status, { word: 'clean', sight: 'clear' })
  it.clock.ms += 100_000
  await it.tick()
  t.match(it.track.result?.status, { word: 'clean' }, 'the same picture, not for long yet')
  it.clock.ms += 100_000
  await it.tick()
  t.match(it.track.result?.status, { word: 'standby', sight: 'missing' })
})
