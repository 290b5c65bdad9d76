import t from 'tap'
import { createFeed, START, type Fields } from '../helpers/feed.js'
import { a1Mini } from '../fixtures/a1-mini.data.js'
import { h2d } from '../fixtures/h2d.data.js'
import { p1s } from '../fixtures/p1s.data.js'
import { x1c } from '../fixtures/x1c.data.js'

const MINUTE_MS = 60_000
const SIGNATURE = 84033543

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

const load = (ams: number) => ({ command: 'ams_change_filament', ams_id: ams, slot_id: 0, target: ams * 4 })
const DRYING = { result: 'fail', err_code: 83935311, errno: -9 }

t.test('a refused command shows until it is sent again or accepted, per unit', async t => {
  const one = printer()
  one.exchange(load(0), DRYING)
  one.exchange(load(1), DRYING)
  t.strictSame(one.refusals(), [['ams_change_filament', 0, 'HMS_0500-C04F'], ['ams_change_filament', 1, 'HMS_0500-C04F']])
  t.equal(one.state.errors.printError, 0, 'it is no error of the printer')
  one.sent({ section: 'print', ...load(0) })
  one.report({ msg: 0, wifi_signal: '-41dBm' })
  t.strictSame(one.refusals(), [['ams_change_filament', 1, 'HMS_0500-C04F']], 'sent again')
  one.exchange(load(1), { result: 'success' })
  t.strictSame(one.refusals(), [], 'accepted')
})

t.test('a refusal appears at once, with its time and words', async t => {
  const one = printer()
  one.clock.now += 5_000
  one.exchange({ command: 'extrusion_cali_get', filament_id: '' }, { result: 'fail', reason: 'Not find' })
  t.hasStrict(one.state.errors.faults, [{
    type: 'command_error',
    code: '',
    command: { name: 'extrusion_cali_get', amsId: -1, at: START + 5_000, reason: 'Not find' }
  }])
  t.equal(one.state.receivedAt, START + 5_000)
})

t.test('a second refusal takes the place of the first, and few are kept', async t => {
  const one = printer()
  one.exchange(load(0), DRYING)
  one.exchange(load(0), { result: 'fail', err_code: 83935307 })
  t.strictSame(one.refusals(), [['ams_change_filament', 0, 'HMS_0500-C04B']])
  for (let at = 0; at < 40; at++) one.exchange({ command: `odd_${at}` }, DRYING)
  t.equal(one.refusals().length, 16)
  t.equal(one.refusals().at(-1)?.[0], 'odd_39', 'the newest')
})

t.test('refusals of other clients are not ours', async t => {
  const one = printer()
  one.receive({ print: { ...load(0), sequence_id: '777', ...DRYING } })
  t.strictSame(one.refusals(), [])
})

t.test('an answer that says nothing new announces nothing', async t => {
  const one = printer()
  const count = one.states.length
  one.exchange({ command: 'pause' })
  t.equal(one.states.length, count)
  t.equal(one.replies.length, 1, 'but it is an answer')
})

t.test('dryers count what was refused', async t => {
  const one = printer(h2d)
  const dry = (ams: number, temp = 55) => ({ command: 'ams_filament_drying', ams_id: ams, mode: 1, temp })
  const dryer = (at: number) => one.state.ams.units[at]?.dryer
  one.exchange(dry(0), { result: 'fail', err_code: 83935307 })
  one.exchange(dry(0), { result: 'fail', reason: 'busy' })
  t.hasStrict(dryer(0), { failCode: '', failErrorNumber: 0, failReason: 'busy', failCount: 2 })
  t.hasStrict(dryer(1), { failCode: '', failCount: 0 }, 'the other unit')
  one.exchange(dry(0), { result: 'fail', err_code: 83935307 })
  t.hasStrict(dryer(0), { failCode: 'HMS_0500-C04B', failErrorNumber: 83935307, failCount: 3 })
  one.exchange(dry(0))
  t.hasStrict(dryer(0), { failCode: '', failErrorNumber: 0, failReason: '', failCount: 3 }, 'the count stays')
  one.exchange(dry(0), { result: 'fail' })
  t.hasStrict(dryer(0), { failErrorNumber: 0, failReason: 'The printer refused it and gave no reason', failCount: 4 })
  one.exchange(dry(0))
  one.exchange(dry(128), { ams_id: 128, result: 'fail', err_code: 83935307 })
  t.hasStrict(dryer(1), { failCount: 1 })
})

t.test('developer mode is known from a refusal, until a command is taken', async t => {
  const one = printer(p1s)
  t.equal(one.state.device.developerMode, 'unknown')
  const refused = { result: 'failed', reason: 'mqtt message verify failed', err_code: SIGNATURE }
  one.exchange({ command: 'gcode_line', param: 'G28\n' }, refused)
  t.equal(one.state.device.developerMode, 'off')
  const { sequenceId } = one.sent({ section: 'system', command: 'ledctrl', led_node: 'chamber_light' })
  one.receive({ system: { command: 'ledctrl', sequence_id: sequenceId, result: 'success' } })
  t.equal(one.state.device.developerMode, 'off', 'lights need no signature')
  one.exchange({ command: 'pause' })
  t.equal(one.state.device.developerMode, 'unknown')
})

t.test('a refusal holds until the next command or connection', async t => {
  const refused = { result: 'failed', err_code: SIGNATURE }
  const again = printer(p1s)
  again.exchange({ command: 'gcode_line', param: 'G28\n' }, refused)
  again.sent({ section: 'print', command: 'pause' })
  again.report({ msg: 0, wifi_signal: '-41dBm' })
  t.equal(again.state.device.developerMode, 'unknown', 'it is found out anew')
})

t.test('another client that is refused tells as much', async t => {
  const one = printer(p1s)
  one.receive({ print: { command: 'pause', sequence_id: '5', result: 'failed', err_code: SIGNATURE } })
  t.equal(one.state.device.developerMode, 'off')
})

t.test('the clock of a job', async t => {
  const one = printer()
  const clock = () =>
    [one.state.job.startedAt, one.state.job.endedAt].map(at => at === undefined ? undefined : at - START)
  const turn = (gcodeState: string) => {
    one.clock.now += MINUTE_MS
    one.report({ msg: 0, gcode_state: gcodeState })
  }
  t.strictSame(clock(), [undefined, undefined])
  turn('PREPARE')
  t.strictSame(clock(), [MINUTE_MS, undefined])
  turn('RUNNING')
  turn('PAUSE')
  turn('RUNNING')
  t.strictSame(clock(), [MINUTE_MS, undefined], 'pauses belong to it')
  turn('FINISH')
  t.strictSame(clock(), [MINUTE_MS, 5 * MINUTE_MS])
  turn('FINISH')
  t.strictSame(clock(), [MINUTE_MS, 5 * MINUTE_MS])
  turn('PREPARE')
  t.strictSame(clock(), [7 * MINUTE_MS, undefined], 'the next job')
  turn('FAILED')
  t.strictSame(clock(), [7 * MINUTE_MS, 8 * MINUTE_MS])
})

t.test('a job that ran before we came began when the printer says, or now', async t => {
  const started = (fields: Fields) => {
    const feed = createFeed(x1c.serial)
    feed.report({ ...x1c.report, gcode_state: 'RUNNING', ...fields })
    return feed.state.job.startedAt
  }
  t.equal(started({ gcode_start_time: String(START / 1000 - 600) }), START - 600_000)
  t.equal(started({}), START)
  t.equal(started({ gcode_start_time: '0' }), START)
  t.equal(started({ gcode_start_time: START / 1000 + 60 }), START, 'not in the future')
  t.equal(started({ gcode_start_time: 1_000 }), START, 'nor years ago')
})

t.test('a job goes on over a lost connection', async t => {
  const one = printer()
  one.report({ msg: 0, gcode_state: 'RUNNING' })
  one.reports.expectFullReport()
  one.clock.now += MINUTE_MS
  one.report({ ...x1c.report, gcode_state: 'RUNNING' })
  t.equal(one.state.job.startedAt, START)
})

t.test('a job that began while the printer could not be heard has a clock of its own', async t => {
  const A = { ...x1c.report, gcode_state: 'RUNNING', task_id: '1', subtask_id: '1', subtask_name: 'cube', layer_num: 40, mc_percent: 60 }
  const B = { ...A, task_id: '2', subtask_id: '2', subtask_name: 'vase', layer_num: 1, mc_percent: 1 }
  const OLD = { gcode_start_time: String(START / 1000 - 600) }
  const after = (minutes: number, report: Fields, { isNew = true, before = A as Fields } = {}) => {
    const one = printer({ serial: x1c.serial, report: before })
    if (isNew) one.reports.expectFullReport()
    one.clock.now += minutes * MINUTE_MS
    one.report(report)
    const { job: { startedAt, endedAt }, receivedAt } = one.state
    return [startedAt && (startedAt - START) / MINUTE_MS, endedAt && endedAt - receivedAt]
  }
  t.strictSame(after(10, B), [10, undefined])
  t.strictSame(after(1, B), [1, undefined], 'also in a short while without a connection')
  t.strictSame(after(10, B, { isNew: false }), [10, undefined], 'or in a silence')
  t.strictSame(after(1, B, { isNew: false }), [0, undefined], 'names that come late are those of a job that begins')
  t.strictSame(after(10, { ...B, gcode_start_time: String(START / 1000 + 240) }), [4, undefined], 'as the printer says')
  t.strictSame(after(10, { ...B, ...OLD }), [10, undefined], 'unless it still names the start of the job before')
  t.strictSame(after(10, { ...A, layer_num: 1, mc_percent: 1 }), [10, undefined], 'the same file once more')
  t.strictSame(after(10, { ...A, layer_num: 90, mc_percent: 80 }), [0, undefined], 'the same job')
  const begun = (minutes: number) =>
    ({ ...A, layer_num: 90, mc_percent: 80, gcode_start_time: String(START / 1000 + minutes * 60) })
  const before = { ...A, ...OLD }
  t.strictSame(after(10, begun(4), { before }), [4, undefined], 'the same file once more, and further than it was')
  t.strictSame(after(10, { ...begun(4), gcode_state: 'FINISH' }, { before }), [4, 0])
  t.strictSame(after(10, { ...begun(0), ...OLD }, { before }), [-10, undefined], 'the same job, by its start')
  t.strictSame(after(10, begun(-5), { before }), [-10, undefined], 'a start before the last report is corrected')
  t.strictSame(after(10, { ...B, gcode_state: 'FINISH' }), [undefined, 0], 'it ended there as well')
  t.strictSame(after(10, { ...A, gcode_state: 'FINISH' }), [0, 0])
})

t.test('a stop of the job before does not make the next one cancelled', async t => {
  const one = printer({ serial: x1c.serial, report: { ...x1c.report, gcode_state: 'RUNNING', task_id: '1', subtask_name: 'cube' } })
  one.exchange({ command: 'stop' })
  one.reports.expectFullReport()
  one.clock.now += 3 * MINUTE_MS
  one.report({ ...x1c.report, gcode_state: 'RUNNING', task_id: '2', subtask_name: 'vase' })
  one.report({ msg: 0, gcode_state: 'FAILED' })
  t.equal(one.state.job.cancelled, false)
})

t.test('fan targets are those of our own commands', async t => {
  const one = printer()
  const gcode = (param: string) => one.sent({ section: 'print', command: 'gcode_line', param })
  const targets = () => {
    one.report({ msg: 0, wifi_signal: '-41dBm' })
    return [one.state.fans.partTarget, one.state.fans.enhancedTarget]
  }
  gcode('M106 P1 S128\n')
  t.strictSame(targets(), [50, 0])
  gcode('M106 P9 S255\n')
  t.strictSame(targets(), [50, 100])
  gcode('M106 P2 S64\n')
  gcode('M104 S220\n')
  t.strictSame(targets(), [50, 100], 'others are reported')
  gcode('M106 P1 S0\n')
  t.strictSame(targets(), [0, 100])
})

t.test('the chamber target is the accepted one at once', async t => {
  const one = printer(h2d)
  one.exchange({ command: 'set_ctt', ctt_val: 45, temper_check: true }, { result: 'success', errno: 0 })
  t.equal(one.state.heat.chamber.target, 45)
  one.exchange({ command: 'set_ctt', ctt_val: 60 }, { result: 'fail', errno: -2 })
  t.equal(one.state.heat.chamber.target, 45, 'a refused one is none')
  one.exchange({ command: 'set_ctt', ctt_val: 30 }, { result: 'fail', errno: -4 })
  t.equal(one.state.heat.chamber.target, 0, 'too low is off')
})

t.test('when targets changed, in seconds', async t => {
  const one = printer(a1Mini)
  one.clock.now += 10_500
  one.report({ msg: 1, bed_target_temper: 60 })
  one.clock.now += 1_000
  one.report({ msg: 1, nozzle_target_temper: 220, bed_temper: 31 })
  const start = START / 1000
  t.strictSame(one.reports.context.targetTimes, { bed: start + 10, tool: start + 11, chamber: 0, fan: 0 })
})
