import t from 'tap'
import { activeFaults, rankFaults } from '../../../../core/index.js'
import { createFeed, type Fields } from '../helpers/feed.js'
import { p1s } from '../fixtures/p1s.data.js'
import { x1c } from '../fixtures/x1c.data.js'

const MINUTE_MS = 60_000

function printer ({ serial, report }: { serial: string, report: Fields } = x1c) {
  const feed = createFeed(serial)
  feed.report(report)
  /** Sends a command and answers it. */
  const exchange = (command: Fields & { command: string }, answer: Fields = { result: 'success' }) => {
    const { sequenceId } = feed.sent({ section: 'print', ...command })
    feed.receive({ print: { ...command, sequence_id: sequenceId, ...answer } })
  }
  const refusals = () => feed.state.errors.faults.filter(({ type }) => type === 'command_error')
    .map(({ code, command }) => [command?.name, command?.amsId, code])
  return Object.assign(feed, { exchange, refusals })
}

const CANCELLED = 0x0300400C
const job = ({ state: { job } }: ReturnType<typeof printer>) => [job.gcodeState, job.cancelled, job.stage.name]

t.test('a job that a person ended is cancelled, until the next one begins', async t => {
  const one = printer(p1s)
  one.report({ msg: 1, gcode_state: 'RUNNING', stg_cur: 0 })
  t.strictSame(job(one), ['RUNNING', false, ''])
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: CANCELLED, stg_cur: 255 })
  t.strictSame(job(one), ['FAILED', true, ''], 'nothing was completed')
  t.hasStrict(one.state.errors.faults, [{ severity: 'Info', critical: false }])
  one.report({ msg: 1, print_error: 0 })
  t.strictSame(job(one), ['FAILED', true, ''], 'also once the error is cleared')
  one.report({ msg: 1, gcode_state: 'PREPARE' })
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: 0x03004006 })
  t.strictSame(job(one), ['FAILED', false, ''], 'the next one failed by itself')
})

t.test('the number may come in another report than the state', async t => {
  const one = printer(p1s)
  one.report({ msg: 1, gcode_state: 'RUNNING' })
  one.report({ msg: 1, gcode_state: 'FAILED' })
  t.equal(one.state.job.cancelled, false)
  one.report({ msg: 1, print_error: 0x0500400E })
  t.equal(one.state.job.cancelled, true)
})

const ENTRY = { attr: 0x0C000C00, code: 0x0002001B }
const REPEATED = { attr: 0x03002C0C, code: 0x0003400C }

t.test('every family tells of a cancellation in its own way', async t => {
  const ways: Record<string, Fields[]> = {
    'X1: with the state': [{ gcode_state: 'FAILED', print_error: CANCELLED }],
    'as a text': [{ gcode_state: 'FAILED', print_error: String(CANCELLED) }],
    'A1: before the state, and cleared again': [{ print_error: CANCELLED }, { print_error: 0 }, { gcode_state: 'FAILED' }],
    'after the state': [{ gcode_state: 'FAILED' }, { print_error: 0x0500400E }],
    'P1: as idle': [{ gcode_state: 'IDLE', print_error: CANCELLED }],
    'P1: as idle, then the number': [{ gcode_state: 'IDLE' }, { print_error: CANCELLED }],
    'P1: the number, then as idle': [{ print_error: CANCELLED }, { gcode_state: 'IDLE', print_error: 0 }],
    'H2: in the health list': [{ gcode_state: 'FAILED', hms: [ENTRY, REPEATED] }],
    'H2: in the health list, later': [{ gcode_state: 'FAILED' }, { hms: [ENTRY, REPEATED] }],
    'as the reason that stays': [{ gcode_state: 'FAILED', fail_reason: String(CANCELLED) }]
  }
  for (const [way, reports] of Object.entries(ways)) {
    const one = printer(p1s)
    one.report({ msg: 1, gcode_state: 'RUNNING', mc_percent: 57, layer_num: 12 })
    for (const report of reports) one.report({ msg: 1, ...report })
    t.equal(one.state.job.cancelled, true, way)
    t.equal(one.state.errors.faults.some(({ critical }) => critical), false, `${way}: nothing of it is a fault`)
    one.report({ msg: 1, print_error: 0, hms: [] })
    t.equal(one.state.job.cancelled, true, `${way}, cleared`)
    one.report({ msg: 1, gcode_state: 'RUNNING', fail_reason: '0' })
    one.report({ msg: 1, gcode_state: 'FAILED', print_error: 0x03004006 })
    t.equal(one.state.job.cancelled, false, `${way}: the next one failed by itself`)
  }
})

t.test('what is left of the last cancellation does not make a failure one', async t => {
  const one = printer(p1s)
  one.report({ msg: 1, gcode_state: 'RUNNING', print_error: CANCELLED, hms: [REPEATED] })
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: 0x03004006 })
  t.equal(one.state.job.cancelled, false)
  one.report({ msg: 1, gcode_state: 'RUNNING', print_error: 0 })
  one.report({ msg: 1, gcode_state: 'FAILED' })
  t.equal(one.state.job.cancelled, false, 'an entry that stood there before')
  one.report({ msg: 1, gcode_state: 'RUNNING', fail_reason: CANCELLED })
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: 0x03004006 })
  one.report({ msg: 1, print_error: 0 })
  t.equal(one.state.job.cancelled, false, 'the error was cleared')
  one.report({ msg: 1, gcode_state: 'RUNNING', hms: [] })
  one.report({ msg: 1, print_error: CANCELLED })
  one.report({ msg: 1, print_error: 0 })
  one.clock.now += 11 * MINUTE_MS
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: 0x03004006 })
  t.equal(one.state.job.cancelled, false, 'the job went on for long after it')
})

t.test('an entry that a printer always lists is no fault of a cancelled job', async t => {
  const one = printer(p1s)
  const always = { attr: 0x03000700, code: 0x00010003 }
  one.report({ msg: 1, gcode_state: 'RUNNING', hms: [always] })
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: CANCELLED, hms: [always, ENTRY] })
  t.strictSame(activeFaults(one.state.errors.faults).map(({ severity }) => severity), ['Info'])
  t.strictSame(rankFaults(one.state.errors.faults).map(({ fault, historical }) => [fault.type, historical]),
    [['device_error', false], ['device_hms', false], ['device_hms', true]], 'in the list, only the place counts')
})

t.test('a job that was stopped or failed shows how far it came', async t => {
  const one = printer(p1s)
  const progress = () => [one.state.job.percent, one.state.job.layer]
  one.report({ msg: 1, gcode_state: 'RUNNING', mc_percent: 57, layer_num: 12 })
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: CANCELLED, mc_percent: 0, layer_num: 0 })
  t.strictSame(progress(), [57, 12])
  one.report({ msg: 1, gcode_state: 'PREPARE' })
  t.strictSame(progress(), [0, 0], 'the next one begins at the beginning')
  one.report({ msg: 1, gcode_state: 'RUNNING', mc_percent: 3, layer_num: 1 })
  one.report({ msg: 1, gcode_state: 'FAILED', print_error: 0x03004006, mc_percent: 0, layer_num: 0 })
  t.strictSame(progress(), [3, 1])
  one.report({ msg: 1, gcode_state: 'IDLE', print_error: 0 })
  t.strictSame(progress(), [0, 0])
})

t.test('a stop that the printer took makes it cancelled, whoever sent it', async t => {
  for (const id of ['own', '1']) {
    const one = printer(p1s)
    one.report({ msg: 1, gcode_state: 'RUNNING' })
    if (id === 'own') one.exchange({ command: 'stop' })
    else one.receive({ print: { command: 'stop', sequence_id: id, result: 'success' } })
    one.report({ msg: 1, gcode_state: 'FAILED', print_error: 0 })
    t.equal(one.state.job.cancelled, true, id)
  }
})

t.test('a stop that was refused, or that stopped nothing, cancels nothing', async t => {
  const one = printer(p1s)
  one.report({ msg: 1, gcode_state: 'RUNNING' })
  one.exchange({ command: 'stop' }, { result: 'fail' })
  one.report({ msg: 1, gcode_state: 'FAILED' })
  one.exchange({ command: 'stop' })
  one.report({ msg: 1, wifi_signal: '-40dBm' })
  t.equal(one.state.job.cancelled, false)
  one.report({ msg: 1, gcode_state: 'RUNNING', mc_percent: 99 })
  one.exchange({ command: 'stop' })
  one.report({ msg: 1, gcode_state: 'FINISH', stg_cur: 255, mc_percent: 100 })
  t.strictSame(job(one), ['FINISH', false, 'Completed'], 'a job that was done before')
})

t.test('a job that was told to stop and says FINISH has finished only where it was through', async t => {
  const ends: readonly [string, number, Fields, boolean, number][] = [
    ['in the middle', 57, { mc_percent: 57 }, true, 57],
    ['in the middle, with all of it reported', 57, { mc_percent: 100 }, true, 57],
    ['in the middle, with nothing reported', 57, { mc_percent: 0 }, true, 57],
    ['as it came to its end', 99, { mc_percent: 100 }, false, 100],
    ['in its last moments', 98, { mc_percent: 98 }, true, 98]
  ]
  for (const [when, before, end, cancelled, percent] of ends) {
    const one = printer()
    one.report({ msg: 0, gcode_state: 'RUNNING', mc_percent: before })
    one.exchange({ command: 'stop' })
    one.report({ msg: 0, gcode_state: 'FINISH', ...end })
    t.match(one.state.job, { cancelled, percent }, when)
  }
  const other = printer()
  other.report({ msg: 0, gcode_state: 'RUNNING', mc_percent: 57 })
  other.report({ msg: 0, gcode_state: 'FINISH', mc_percent: 57 })
  t.equal(other.state.job.cancelled, false, 'nobody stopped it')
})
