import t from 'tap'
import { plateCost } from '../../../../plugins/projects/print/start-cost.js'

t.test('what a plate does not say, or says below nothing, is unknown', t => {
  t.same(plateCost({ seconds: 7_200, grams: 12.5 }), { prints: 1, grams: 12.5, hours: 2 })
  for (const [seconds, grams] of [[0, 0], [null, null], [-1_000_000, -1_000_000], [undefined, undefined]] as const) {
    t.same(plateCost({ seconds, grams }), { prints: 1, grams: undefined, hours: undefined })
  }
  t.end()
})
