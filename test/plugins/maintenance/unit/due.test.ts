import t from 'tap'
import { NOTHING } from '../../../../plugins/maintenance/counters.js'
import { dueOf, hoursLeft } from '../../../../plugins/maintenance/due.js'

const DAY_MS = 86_400_000
const never = { at: 0, counters: NOTHING }

t.test('a task is soon due at nine tenths of an interval, and due at its end', async t => {
  const states = [0, 269, 270, 299.9, 300, 5_000]
    .map(hours => dueOf({ hours: 300 }, { ...NOTHING, hours }, never, 0).state)
  t.same(states, ['ok', 'ok', 'soon', 'soon', 'due', 'due'])
})

t.test('the interval that ends first decides', async t => {
  const due = dueOf({ hours: 300, days: 90 }, { ...NOTHING, hours: 30 }, never, 89 * DAY_MS)
  t.match(due, { state: 'soon', progress: [{ unit: 'days', used: 89, every: 90 }, { unit: 'hours', used: 30, every: 300 }] })
  t.equal(hoursLeft(due), 270)
})

t.test('it is counted from when it was done last, and a counter that was set back does not go below nothing', async t => {
  const since = { at: 10 * DAY_MS, counters: { ...NOTHING, hours: 1_000, grams: 500 } }
  t.match(dueOf({ hours: 300 }, { ...NOTHING, hours: 1_100 }, since, 0), { state: 'ok', progress: [{ used: 100 }] })
  t.match(dueOf({ grams: 100 }, { ...NOTHING, grams: 20 }, since, 0), { share: 0 })
  t.equal(dueOf({ days: 5 }, NOTHING, since, 9 * DAY_MS).share, 0, 'a clock that was set back')
})

t.test('a task without an interval is never due', async t => {
  t.match(dueOf({}, { ...NOTHING, hours: 1e9 }, never, 1e15), { state: 'ok', share: 0, progress: [] })
  t.equal(hoursLeft(dueOf({ days: 1 }, NOTHING, never, 0)), undefined)
})
