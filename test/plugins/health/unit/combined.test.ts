import t from 'tap'
import { combined } from '../../../../plugins/health/assess.js'
import type { Detection } from '../../../../plugins/health/types.js'
import { thresholdsFor, verdictOf } from '../../../../plugins/health/verdict.js'

const medium = thresholdsFor({ spaghetti: { enabled: false, sensitivity: 'medium' } })
const joined = (anomaly: number, ...detections: Detection[]) =>
  Math.round(combined('improved', anomaly, detections, medium) * 1_000) / 1_000

t.test('a trusted network takes the place of the comparison, others only make it worse', async t => {
  t.equal(joined(0.5), 0.5)
  t.equal(joined(0.19, { score: 0, trust: 1 }), 0, 'what the comparison doubts, the network decides')
  t.equal(joined(0.4, { score: 0.78, trust: 0.5 }), 0.3)
  t.equal(joined(0.4, { score: 0.78, trust: 0 }), 0.4)
  t.equal(joined(0, { score: 0, trust: 1 }, { score: 0.78, trust: 1 }), 0.2, 'the worst of several')
  t.equal(joined(0.5, { score: 0 }), 0.5, 'one that nobody said how far to trust')
  t.equal(joined(0, { score: 1 }), 1)
})

t.test('what is critical by comparison is a warning whatever a network says, and never more', async t => {
  for (const sensitivity of ['low', 'medium', 'high'] as const) {
    const thresholds = thresholdsFor({ spaghetti: { enabled: true, sensitivity } })
    const verdict = (anomaly: number, score: number) =>
      verdictOf(combined('improved', anomaly, [{ score, trust: 1 }], thresholds), thresholds)
    t.equal(verdict(thresholds.critical, 0), 'warning')
    t.equal(verdict(1, 0), 'warning')
    t.equal(verdict(thresholds.critical - 0.001, 0), 'clean')
    t.equal(verdict(1, 1), 'critical', 'the network can')
  }
})
