import t from 'tap'
import {
  lostOrTwice, oneAct, onUsedPlates, toldTwice, unbalanced, untrueMornings, withoutOneReason, wrongPowerCuts, type Act,
  type Balance, type Morning, type PowerCut, type Reason
} from './judge.js'

const MINUTE = 60_000
const HOUR = 3_600_000

t.test('a print on a used plate is found', async t => {
  const week = [{ printer: 'x1', print: 'a', plate: 'clear' }, { printer: 'x2', print: 'b', plate: 'clear' }] as const
  t.same(onUsedPlates(week), [])
  t.same(onUsedPlates([...week, { printer: 'x2', print: 'c', plate: 'used' }]), ['x2: c began on a used plate'])
})

t.test('power that goes off too early is found', async t => {
  const cut: PowerCut = { plug: 'one', printer: 'x1', state: 'FINISH', nozzleC: 31, heats: false, dries: false, isStarting: false }
  t.same(wrongPowerCuts([cut, { ...cut, state: 'IDLE' }, { ...cut, state: 'FAILED' }]), [])
  const faults: [Partial<PowerCut>, RegExp][] = [
    [{ state: 'RUNNING' }, /in RUNNING/], [{ state: 'PAUSE' }, /in PAUSE/], [{ state: 'PREPARE' }, /in PREPARE/], [{ state: '' }, /it is in/],
    [{ nozzleC: 50 }, /50 °C/], [{ heats: true }, /heats/], [{ dries: true }, /dries/], [{ isStarting: true }, /about to begin/]
  ]
  for (const [fault, words] of faults) t.match(wrongPowerCuts([{ ...cut, ...fault }]), [words])
})

t.test('an act without a reason, with two, and one that never was are found', async t => {
  const limits = { withinMs: 2 * MINUTE, kills: [10 * HOUR] }
  const acts: Act[] = [
    { at: HOUR, on: 'x1', kind: 'light' }, { at: 2 * HOUR, on: 'x1', kind: 'light' }, { at: HOUR, on: 'x2', kind: 'off' }
  ]
  const logged: Reason[] = acts.map(act => ({ ...act, at: act.at + MINUTE, log: 'audit', isDone: true }))
  t.same(withoutOneReason(acts, logged, [], limits), [])
  t.match(withoutOneReason(acts, logged.slice(1), [], limits), [/x1 light .* no reason/])
  t.match(withoutOneReason(acts, [...logged, { ...logged[0]!, at: HOUR }], [], limits), [/x1 light .* nothing was told/], 'two reasons for one act')
  t.match(withoutOneReason(acts.slice(1), logged, [], limits), [/x1 light .* nothing was told/], 'a reason for nothing')
  t.match(withoutOneReason(acts, logged.map(reason => ({ ...reason, on: 'x3', isDone: false })), [], limits), [/x1/, /x1/, /x2/], 'of another printer')
  t.match(withoutOneReason(acts, logged.map(reason => ({ ...reason, at: reason.at + HOUR / 2, isDone: false })), [], limits), [/x1/, /x1/, /x2/], 'much later')
  t.same(withoutOneReason(acts, [...logged, { ...logged[0]!, at: 3 * HOUR, isDone: false }], [], limits), [], 'what was refused told nobody anything')

  const killed = [...acts, { at: 10 * HOUR - MINUTE, on: 'x1', kind: 'light' }]
  t.match(withoutOneReason(killed, logged, [], limits), [/no reason/])
  const note: Reason = { at: 10 * HOUR - MINUTE, on: 'x1', kind: 'light', log: 'rules', isDone: true }
  t.same(withoutOneReason(killed, logged, [note], limits), [], 'the record of the rule outlived the kill')
  t.match(withoutOneReason(killed, logged, [note], { ...limits, kills: [] }), [/no reason/], 'without a kill nothing is lost')
  t.equal(withoutOneReason([...killed, { at: 10 * HOUR, on: 'x1', kind: 'light' }], logged, [note], limits).length, 1, 'it is a reason once')
})

t.test('a print that nobody ordered, and one that was ordered once and begun twice, are found', async t => {
  const limits = { withinMs: MINUTE, kills: [] }
  const act: Act = { at: HOUR, on: 'x1', kind: 'start', id: 'copy1' }
  const run: Reason = { ...act, at: HOUR - 10 * MINUTE, log: 'queue', isDone: true }
  t.same(withoutOneReason([act], [run], [], limits), [], 'it may wait for its file')
  t.match(withoutOneReason([act, { ...act, id: 'copy2' }], [run], [], limits), [/start copy2 .* no reason/])
  t.match(withoutOneReason([act, act], [run], [], limits), [/start copy1 .* no reason/])
  t.match(withoutOneReason([], [run], [], limits), [/start copy1 .* nothing was told/])
})

t.test('commands that come together are one act', async t => {
  const at = (ms: number, kind = 'light'): Act => ({ at: ms, on: 'x1', kind })
  t.equal(oneAct([at(0), at(10), at(20), at(0, 'bed')], 15).length, 2)
  t.equal(oneAct([at(0), at(16)], 15).length, 2)
})

t.test('energy that is lost, invented, or on the wrong print is found', async t => {
  const balance: Balance = { plug: 'one', said: 1_204.4, booked: 1_204.4, prints: 1_000, between: 204.4, byPrint: 1_000 }
  t.same(unbalanced([balance, { ...balance, said: 1_205.3 }]), [], 'to a watt-hour')
  t.match(unbalanced([{ ...balance, said: 1_206 }]), [/counted and was booked: 1206.000 and 1204.400/])
  t.match(unbalanced([{ ...balance, booked: 1_210, between: 210 }]), [/counted and was booked/])
  t.match(unbalanced([{ ...balance, between: 200 }]), [/time between/])
  t.match(unbalanced([{ ...balance, byPrint: 998 }]), [/one by one/])
  t.equal(unbalanced([{ ...balance, said: NaN, booked: NaN }]).length, 2, 'what is not known is not innocent')
})

t.test('a report that is not true is found', async t => {
  const record = (id: string, result: string, hour: number, grams = 10) =>
    ({ id, result, endedAt: hour * HOUR, grams })
  const prints = [
    record('a', 'finished', 1), record('b', 'finished', 24), record('c', 'failed', 12, 2.5), record('d', 'finished', 25), { ...record('e', 'running', 3), endedAt: null }
  ]
  const told: Morning = { from: 0, until: 24 * HOUR, prints: 3, finished: 2, failed: 1, cancelled: 0, grams: 22.5 }
  t.same(untrueMornings([told], prints), [])
  for (const [wrong, words] of [
    [{ finished: 3 }, /tells of 3 finished, and there were 2/], [{ failed: 0 }, /0 failed/], [{ grams: 22 }, /22 grams/], [{ prints: 4 }, /4 prints/],
    [{ cancelled: 1 }, /1 cancelled/], [{ grams: NaN }, /NaN grams/]
  ] as const) t.match(untrueMornings([{ ...told, ...wrong }], prints), [words])
  t.equal(untrueMornings([{ ...told, until: 25 * HOUR }], prints).length, 3, 'a print more')
})

t.test('a job that is lost, printed twice or counted wrongly is found', async t => {
  const job = { job: 'j', wanted: 2, counted: 2, printed: 2 }
  t.same(lostOrTwice([job]), [])
  t.match(lostOrTwice([{ ...job, counted: 1, printed: 1 }]), [/1 of 2/])
  t.match(lostOrTwice([{ ...job, counted: 3, printed: 3 }]), [/3 of 2/])
  t.match(lostOrTwice([{ ...job, counted: 1 }]), [/2 were printed, and 1 are counted/])
  t.same(toldTwice('x1', ['1', '2', '3']), [])
  t.same(toldTwice('x1', ['1', '2', '1', '1']), ['x1 was told twice to start 1'])
})
