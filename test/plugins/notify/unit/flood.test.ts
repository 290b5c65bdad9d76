import t from 'tap'
import type { Alert } from '../../../../plugins/alerts/index.js'
import { FloodGate } from '../../../../plugins/notify/flood.js'

const MINUTE_MS = 60_000

function desk () {
  let at = 1_000_000
  const gate = new FloodGate(() => at)
  const told: Alert[] = []
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) { at += 1_000; told.push(...gate.due()) }
  }
  const alert = (type: string, payload: object = {}, printer = 'p1s') => {
    told.push(...gate.take({ type, printer, timestamp: new Date(at).toISOString(), severity: 'high', payload: { ...payload } }))
  }
  const fault = (...codes: string[]) => alert('hms_error_new', { errors: codes.map(code => ({ code })) })
  return { gate, told, pass, alert, fault }
}

t.test('a loop of pauses is one message and one counted follow-up', async t => {
  const { told, pass, alert } = desk()
  for (let round = 0; round < 8; round++) {
    alert('job_paused', { stage_id: 16 })
    pass(1_000)
    alert('job_resumed')
    pass(1_000)
  }
  pass(9 * MINUTE_MS)
  t.match(told, [{ type: 'job_paused' }, { type: 'job_paused', payload: { repeated: 7, goes_on: true } }])
  t.equal(told.length, 2)
})

t.test('a fault that flickers is one message and one counted follow-up', async t => {
  const { told, pass, fault } = desk()
  for (let round = 0; round < 12; round++) { fault('A'); pass(4_000) }
  pass(9 * MINUTE_MS)
  t.equal(told.length, 2)
  t.match(told[1], { payload: { errors: [{ code: 'A' }], repeated: 11 } })
})

t.test('no alert gets lost: another code, another cause, another printer and a new event are told at once', async t => {
  const { told, pass, alert, fault } = desk()
  fault('A')
  fault('A', 'B')
  t.same(told.map(({ payload }) => payload.errors), [[{ code: 'A' }], [{ code: 'B' }]])
  alert('job_paused', { stage_id: 16 })
  alert('job_paused', { stage_id: null, code: 'C' })
  alert('job_paused', { stage_id: 16 }, 'x1c')
  t.equal(told.length, 5)
  pass(11 * MINUTE_MS)
  const before = told.length
  fault('A')
  t.equal(told.length, before + 1, 'after a quiet time')
  for (const type of ['job_finished', 'job_finished', 'health_escalated']) alert(type)
  t.equal(told.length, before + 4, 'what never repeats itself is not held back')
})

t.test('a fault that never ends is told ever more rarely, and a pause that is the only repetition as it is', async t => {
  const { told, pass, alert, fault } = desk()
  for (let minute = 0; minute < 240; minute += 6) { fault('A'); pass(6 * MINUTE_MS) }
  t.ok(told.length <= 9, `${told.length} messages of 40 in four hours`)
  told.length = 0
  alert('job_paused', { stage_id: 16 })
  pass(5_000)
  alert('job_resumed')
  pass(2 * MINUTE_MS)
  t.same(told.map(({ type, payload }) => [type, 'repeated' in payload]), [['job_paused', false], ['job_resumed', false]])
})

t.test('a failure waits a moment for the number that makes it a cancellation', async t => {
  const { gate, told, pass, alert } = desk()
  alert('job_failed')
  pass(1_000)
  alert('job_failed', { cancelled: true, replaces: 'job_failed' })
  pass(MINUTE_MS)
  t.same(told.map(({ payload }) => payload.cancelled), [true])
  alert('job_failed')
  pass(6_000)
  t.equal(told.length, 2)
  alert('job_failed')
  t.equal(gate.due(true).length, 1, 'also when the service ends meanwhile')
})

t.test('a second failure within a moment does not replace the first, unless it says that it was a cancellation', async t => {
  const { told, pass, alert } = desk()
  alert('job_failed', { subtask_name: 'a' })
  pass(1_000)
  alert('job_failed', { subtask_name: 'a' })
  pass(6_000)
  t.equal(told.length, 2, 'a printer that refuses a start twice')
  alert('job_failed', { subtask_name: 'b' })
  alert('job_failed', { subtask_name: 'c', cancelled: true })
  t.same(told.slice(2).map(({ payload }) => payload.subtask_name), ['b', 'c'])
})

t.test('a printer that invents faults pushes out nothing that is held back, its own or that of others', async t => {
  const { gate, told, fault, alert } = desk()
  for (let times = 0; times < 2; times++) alert('hms_error_new', { errors: [{ code: 'A' }] }, 'other')
  for (let times = 0; times < 2; times++) fault('mine')
  for (let number = 0; number < 1_100; number++) fault(`invented ${number}`)
  const first = told.length
  alert('hms_error_new', { errors: [{ code: 'A' }] }, 'other')
  t.equal(told.length, first, 'the incident of the other is still known')
  t.match(gate.due().map(({ payload }) => payload.errors), [[{ code: 'mine' }]])
  t.match(gate.due(true), [{ printer: 'other', payload: { repeated: 2 } }])
})
