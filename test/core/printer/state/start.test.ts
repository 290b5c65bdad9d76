import t from 'tap'
import type { StartRecord } from '../../../../core/printer/state/context.js'
import { followStart, isStartPending, startOf } from '../../../../core/printer/state/start.js'

const BEFORE = { gcode_state: 'FINISH', task_id: '7', subtask_id: '7', subtask_name: 'old', print_error: 0 }
const OURS = { task_id: '42', subtask_id: '42', subtask_name: 'cube' }
const UNPRINTABLE = 0x05004003
const BUSY = 0x05004004

const begun = followStart(startOf(OURS, undefined, 0, true), BEFORE, false, 0)

/** What becomes of a start after these reports; the last may be the first of a connection. */
const outcome = (reports: readonly object[], { isFirst = false, now = 1_000, start = begun } = {}): StartRecord['outcome'] => {
  let seen = start
  reports.forEach((report, at) => {
    seen = followStart(seen, { ...BEFORE, ...report }, isFirst && at === reports.length - 1, now)
  })
  return seen?.outcome
}

t.test('reports that say nothing of a start leave it pending', async t => {
  const cases: readonly (readonly [title: string, report: object, options?: object])[] = [
    ['the job of before', {}],
    ['the job of before, after a lost connection', {}, { isFirst: true }],
    ['for days', {}, { now: 9e9 }],
    ['the names of the new one', OURS],
    ['the name of the new one under another number', { ...OURS, task_id: '99', subtask_id: '99' }],
    ['the percent of the new one', { ...OURS, mc_percent: 0 }],
    ['the screen was closed', { gcode_state: 'IDLE' }],
    ['the answer to somebody who came second', { print_error: BUSY }],
    ['a phase, which is no error', { print_error: 0x05000001 }],
    ['an error of the AMS that ends no job', { print_error: 0x07008011 }]
  ]
  for (const [title, report, options] of cases) t.equal(outcome([report], options), undefined, title)
  const failed = followStart(startOf(OURS, undefined, 0, true), { ...BEFORE, gcode_state: 'FAILED', print_error: UNPRINTABLE }, false, 0)
  const still = { gcode_state: 'FAILED', print_error: UNPRINTABLE }
  t.equal(outcome([still, still], failed && { start: failed }), undefined, 'the failure and the error of before')
  t.equal(outcome([still, { ...still, print_error: 0 }, still], failed && { start: failed }), 'failed', 'the same error again')
})

t.test('a start is over when the printer tells of it', async t => {
  const cases: readonly (readonly [title: string, outcome: string, report: object, options?: object])[] = [
    ['it is prepared', 'began', { ...OURS, gcode_state: 'PREPARE' }],
    ['it runs', 'began', { ...OURS, gcode_state: 'RUNNING' }],
    ['it waits', 'began', { ...OURS, gcode_state: 'PAUSE' }],
    ['it runs under another number', 'began', { ...OURS, task_id: '99', subtask_id: '99', gcode_state: 'RUNNING' }],
    ['its names come later', 'began', { gcode_state: 'PREPARE' }],
    ['another job runs', 'other', { task_id: '9', subtask_id: '9', subtask_name: 'theirs', gcode_state: 'RUNNING' }],
    ['an error', 'failed', { print_error: UNPRINTABLE }],
    ['an error that halts it', 'failed', { print_error: 0x05008013 }],
    ['a card that cannot be read', 'failed', { print_error: 0x0500C010 }],
    ['a person cancelled it', 'failed', { gcode_state: 'FAILED', print_error: 0x0300400C }],
    ['it failed', 'failed', { ...OURS, gcode_state: 'FAILED' }],
    ['the printer was switched off', 'restarted', { gcode_state: 'IDLE', task_id: '0', subtask_id: '', subtask_name: '' }, { isFirst: true }],
    ['and is just there again', 'restarted', { gcode_state: '', task_id: '0', subtask_id: '', subtask_name: '' }, { isFirst: true }],
    ['another job was printed while nobody looked', 'other', { task_id: '9', subtask_id: '9', subtask_name: 'theirs' }, { isFirst: true }],
    ['it is shown as over for longer than any firmware is late', 'ended', OURS, { now: 600_000 }]
  ]
  for (const [title, expected, report, options] of cases) t.equal(outcome([report], options), expected, title)
  const idle = followStart(startOf(OURS, undefined, 0, true), { ...BEFORE, gcode_state: 'IDLE' }, false, 0)
  t.equal(outcome([{ ...OURS, gcode_state: 'FINISH' }], idle && { start: idle }), 'ended', 'it is over and never ran')
  t.equal(outcome([{ ...OURS, gcode_state: 'RUNNING' }, { print_error: UNPRINTABLE }]), 'began', 'what comes later is not about the start')
})

t.test('what was accepted is pending without end, what was never answered for ten minutes', async t => {
  const start = startOf(OURS, undefined, 0, true)
  t.ok(isStartPending(start, 9e12))
  t.ok(isStartPending({ ...start, accepted: false }, 599_999))
  t.notOk(isStartPending({ ...start, accepted: false }, 600_000))
  t.notOk(isStartPending({ ...start, outcome: 'given_up' }, 1))
  t.notOk(isStartPending(undefined, 1))
})
