import t from 'tap'
import { hazardLeft, materialOf } from '../../../../plugins/health/probability/material.js'
import { nextEvidence, failureProbability, successOf } from '../../../../plugins/health/probability/failure-probability.js'
import { confidenceOf } from '../../../../plugins/health/probability/confidence.js'
import { modelScore } from '../../../../plugins/health/assess.js'
import { isGatedStage, isJobStart } from '../../../../plugins/health/stages.js'
import { stableVerdict, thresholdsFor, verdictOf } from '../../../../plugins/health/verdict.js'
import { PROFILES, type Verdict } from '../../../../plugins/health/types.js'
import { contextOf } from '../../../health/context.js'
import { createRandom } from '../../../health/scene/random.js'

const MEDIUM = { warning: 0.08, critical: 0.2 }

t.test('what is left of the risk meets at the joints', async t => {
  for (const [percent, value] of [[15, 0.4], [50, 0.15], [85, 0.05], [0, 1], [100, 0.05]] as const) {
    t.ok(Math.abs(hazardLeft(percent, 'front') - value) < 1e-9, `${percent} %`)
    t.ok(Math.abs(hazardLeft(percent - 1e-9, 'front') - value) < 1e-6, `just below ${percent} %`)
  }
  t.equal(hazardLeft(40, 'distributed'), 0.6)
})

t.test('success by what the pictures say', async t => {
  const after = (risk: number, scores: readonly number[]) =>
    successOf(risk, scores.reduce((evidence, score) => nextEvidence(evidence, score, MEDIUM), 0))
  const rows: readonly [readonly number[], readonly [number, number, number]][] = [
    [[0, 0, 0, 0, 0], [0.999, 0.996, 0.983]],
    [[0.12, 0.12, 0.12, 0.12, 0.12], [0.983, 0.879, 0.63]],
    [[0, 0, 0, 0, 0.45], [0.943, 0.669, 0.321]],
    [[0, 0, 0.25, 0.25, 0.25], [0.639, 0.178, 0.048]],
    [[0, 0, 0.45, 0.45, 0.45], [0.142, 0.02, 0.005]]
  ]
  for (const [scores, wanted] of rows) {
    const risks = [0.0025, 0.02, 0.08]
    for (const [at, value] of wanted.entries()) {
      const found = after(risks[at] ?? 0, scores)
      t.ok(Math.abs(found - value) < 0.0016, `${scores.join(' ')} at ${risks[at]}: ${found.toFixed(4)}, wanted ${value}`)
    }
  }
})

t.test('two clean pictures make good what three bad ones said', async t => {
  const after = (scores: readonly number[]) =>
    successOf(0.02, scores.reduce((evidence, score) => nextEvidence(evidence, score, MEDIUM), 0))
  t.ok(after([0.25, 0.25, 0.25]) < 0.2)
  t.ok(after([0.25, 0.25, 0.25, 0, 0]) > 0.94)
})

t.test('the reference profile hardly moves', async t => {
  const pla = contextOf({
    filament: { type: 'PLA', color: '#ffffff' },
    progressPct: 0,
    enclosed: false,
    nozzleTargetC: 0,
    amsHumidity: 0
  })
  const { success } = failureProbability({ profile: 'reference', context: pla, score: 1, stable: 'critical', evidence: 0 })
  t.ok(success > 0.55 && success < 0.7, `${success}`)
})

t.test('materials by the longest name they begin with', async t => {
  t.equal(materialOf('PETG-CF 10').name, 'PETG-CF')
  t.equal(materialOf('pla basic').name, 'PLA')
  t.equal(materialOf('Wood').row.closed, 0.08)
  t.equal(materialOf(undefined).row.thirst, 2)
})

t.test('factors stay between 0 and 1 whatever the job', async t => {
  const random = createRandom(3)
  for (let round = 0; round < 300; round++) {
    const context = contextOf({
      progressPct: random.whole(0, 100),
      series: random.of(['X1', 'P1', 'A1', 'H2', 'UNKNOWN']),
      enclosed: random.chance(0.5),
      doorOpen: random.chance(0.3),
      amsHumidity: random.whole(0, 5),
      bedC: random.between(0, 120),
      nozzleC: random.between(0, 300),
      chamberC: random.between(0, 60),
      filament: random.of([null, { type: random.of(['PLA', 'PVA', 'PC', 'TPU 95A', 'X']), color: '#123456' }]),
      settings: random.of([{}, { brim: 'none', walls: 1, infillPct: 5, support: 'tree' }, {
        raftLayers: 2,
        firstLayerMm: 0.3
      }] as const)
    })
    const stable = random.of<Verdict>(['clean', 'warning', 'critical'])
    const { success, factors } = failureProbability({
      profile: random.of(PROFILES),
      context,
      score: random.next(),
      stable,
      evidence: random.between(-2, 9)
    })
    const all = [success, ...Object.values(factors)]
    if (!all.every(value => value >= 0 && value <= 1) || all.length !== 9) {
      t.fail(JSON.stringify({
        success,
        factors
      }))
    }
  }
  t.pass('300 jobs')
})

t.test('a risk that is no number is told, not hidden', async t => {
  const [context, stable] = [contextOf(), 'clean'] as const
  t.throws(() => failureProbability({ profile: 'improved', context, score: NaN, stable, evidence: 0 }), /not a number/)
  t.throws(() => failureProbability({ profile: 'improved', context, score: 0.1, stable, evidence: NaN }), /not a number/)
})

t.test('confidence from nothing to everything', async t => {
  const nothing = contextOf({ stageId: 4, progressPct: 0, amsHumidity: 0 })
  t.equal(confidenceOf(nothing, 0, 1), 0.195)
  const all = contextOf({ filament: { type: 'PLA', color: '#fff' }, settings: { walls: 2 } })
  t.equal(confidenceOf(all, 5, 1), 1)
  t.equal(confidenceOf({ ...all, stageId: 2 }, 5, 1), 0.75, 'a quarter goes with the camera')
  t.equal(confidenceOf(all, 5, 0.5), 0.875)
  t.equal(confidenceOf({ ...all, gcodeState: 'IDLE' }, 5, 1), 0.75)
})

t.test('thresholds follow the detector of the printer', async t => {
  const at = (enabled: boolean, sensitivity: 'low' | 'medium' | 'high') =>
    thresholdsFor({ spaghetti: { enabled, sensitivity } })
  for (const [thresholds, warning, critical] of [[at(true, 'high'), 0.06, 0.15], [at(true, 'low'), 0.12, 0.3],
    [at(true, 'medium'), 0.08, 0.2], [at(false, 'high'), 0.08, 0.2], [at(false, 'low'), 0.08, 0.2]] as const) {
    t.same(thresholds, { warning, critical })
    t.same([warning - 1e-4, warning, critical - 1e-4, critical].map(score => verdictOf(score, thresholds)),
      ['clean', 'warning', 'warning', 'critical'])
  }
})

t.test('the stable verdict is the most common, of several the worst', async t => {
  t.equal(stableVerdict(['critical', 'critical']), undefined)
  t.equal(stableVerdict(['clean', 'clean', 'critical']), 'clean')
  t.equal(stableVerdict(['clean', 'clean', 'critical', 'critical']), 'critical')
  t.equal(stableVerdict(['clean', 'warning', 'critical']), 'critical')
  t.equal(stableVerdict(['warning', 'warning', 'clean', 'clean', 'critical']), 'warning')
})

t.test('which stages say nothing, and what begins a job', async t => {
  t.same([-1, 0, 100, 255].map(isGatedStage), [false, false, false, false])
  t.same([1, 4, 10, 16, 35, 58, 77, 123].map(isGatedStage), Array(8).fill(true))
  for (const before of ['IDLE', 'FINISH', 'FAILED', 'SLICING', 'INIT', 'PREPARE', '']) {
    t.ok(isJobStart('RUNNING', before), before)
    t.ok(isJobStart('PAUSE', before), before)
  }
  t.notOk(isJobStart('RUNNING', 'PAUSE'))
  t.notOk(isJobStart('PAUSE', 'RUNNING'))
  t.notOk(isJobStart('RUNNING', undefined), 'the first that is seen')
  t.notOk(isJobStart('FINISH', 'RUNNING'))
})

t.test('what a model says becomes a score', async t => {
  t.same([0, 0.19, 0.38, 0.58, 0.78, 1].map(value => Math.round(modelScore(value) * 1000) / 1000), [0, 0.04,
    0.08, 0.14, 0.2, 1])
})
