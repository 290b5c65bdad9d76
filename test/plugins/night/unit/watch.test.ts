import t from 'tap'
import { callsFor } from '../../../../plugins/night/watch.js'

const MINUTE_MS = 60_000
const watch = { after_min: 10, steps: ['ben', 'cleo'], language: 'en' as const }
const alert = (id: string, minute: number) => ({ id, at: minute * MINUTE_MS, printer: 'x', type: 'job_failed' })

t.test('the next one is told step by step', async t => {
  const told = (minute: number) => callsFor(watch, [alert('a', 0)], minute * MINUTE_MS).map(({ target }) => target)
  t.same([9, 10, 19, 20, 500].map(told), [[], ['ben'], ['ben'], ['ben', 'cleo'], ['ben', 'cleo']])
  t.same(told(1_440), [], 'after a day it is no emergency any more')
})

t.test('several alerts are told in one message, and off is off', async t => {
  t.match(callsFor(watch, [alert('a', 0), alert('b', 5), alert('c', 14)], 15 * MINUTE_MS), [{ step: 0, alerts: [{ id: 'a' }, { id: 'b' }] }])
  t.same(callsFor({ ...watch, after_min: null }, [alert('a', 0)], 100 * MINUTE_MS), [])
  t.same(callsFor({ ...watch, steps: [] }, [alert('a', 0)], 100 * MINUTE_MS), [])
})
