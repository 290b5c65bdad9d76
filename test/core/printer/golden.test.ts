import t, { type Test } from 'tap'
import { a1Mini } from './fixtures/a1-mini.data.js'
import { h2d } from './fixtures/h2d.data.js'
import { p1s } from './fixtures/p1s.data.js'
import type { Expected, Family } from './fixtures/types.js'
import { x1c } from './fixtures/x1c.data.js'
import { createFeed, START } from './helpers/feed.js'

const NAMES = ['job', 'heat', 'fans', 'airDuct', 'lights', 'doors', 'ams', 'spools', 'extruders', 'activeTray',
  'extensionTool', 'errors', 'options', 'detectors', 'device', 'firmware', 'capabilities'] as const

function compare (t: Test, actual: Expected, expected: Expected): void {
  for (const name of NAMES) t.strictSame(actual[name], expected[name], name)
  t.strictSame(Object.keys(actual).sort(), [...NAMES, 'receivedAt'].sort(), 'no part more')
}

/** The version report comes before or after the first status: both must lead to the same state. */
function familyTest (family: Family) {
  t.test(family.model, async t => {
    for (const order of ['versions first', 'versions last'] as const) {
      t.test(order, async t => {
        const feed = createFeed(family.serial)
        t.equal(feed.reports.model.model, family.model)
        const version = { info: { command: 'get_version', sequence_id: '20000', ...family.version } }
        if (order === 'versions first') feed.receive(version)
        feed.report(family.report)
        if (order === 'versions last') feed.receive(version)
        compare(t, feed.state, family.expected)
        t.equal(feed.state.receivedAt, START)
        t.strictSame(feed.protocolWarnings.counts, {}, 'nothing in it is odd')
      })
    }

    t.test('what follows', async t => {
      const feed = createFeed(family.serial)
      feed.receive({ info: { command: 'get_version', sequence_id: '20000', ...family.version } })
      feed.report(family.report)
      let expected = family.expected
      for (const { name, patch, changes } of family.steps) {
        const before = feed.state
        feed.report(patch)
        const after = feed.state
        const wanted = expected = { ...expected, ...changes }
        t.test(name, async t => {
          compare(t, after, wanted)
          for (const part of NAMES) {
            if (!(part in changes)) t.equal(after[part], before[part], `${part} is the same object`)
          }
        })
      }
      t.strictSame(feed.protocolWarnings.counts, {}, 'nothing in them is odd')
    })
  })
}

familyTest(a1Mini)
familyTest(p1s)
familyTest(x1c)
familyTest(h2d)
