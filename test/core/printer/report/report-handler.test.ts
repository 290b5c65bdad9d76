import t from 'tap'
import { createFeed } from '../helpers/feed.js'
import { a1Mini } from '../fixtures/a1-mini.data.js'
import { x1c } from '../fixtures/x1c.data.js'

t.test('differences before the full report are held back and everything is asked for', async t => {
  const feed = createFeed(a1Mini.serial)
  feed.report({ msg: 1, wifi_signal: '-49dBm' })
  feed.report({ msg: 1, nozzle_temper: 27.9 })
  t.strictSame([feed.states.length, feed.seen.incomplete, feed.reports.complete], [0, 2, false])
  feed.report(a1Mini.report)
  t.strictSame([feed.states.length, feed.seen.reports, feed.reports.complete], [1, 1, true])
  t.equal(feed.state.device.wifiSignal, '-48dBm', 'the full report is later')
  feed.report({ msg: 1, wifi_signal: '-50dBm' })
  t.equal(feed.state.device.wifiSignal, '-50dBm')
})

t.test('a heartbeat is no full report, though it is not marked as a difference', async t => {
  const feed = createFeed(x1c.serial)
  feed.report({ msg: 0, wifi_signal: '-60dBm', nozzle_temper: 25, bed_temper: 23, gcode_state: 'IDLE' })
  t.strictSame([feed.states.length, feed.seen.incomplete], [0, 1])
  feed.report(x1c.report)
  t.equal(feed.states.length, 1)
})

t.test('a full report that is marked as a difference is one', async t => {
  const feed = createFeed(x1c.serial)
  feed.report({ ...x1c.report, msg: 1 })
  t.strictSame([feed.states.length, feed.reports.complete, feed.seen.incomplete], [1, true, 0])
  const shorter = createFeed(x1c.serial)
  shorter.report({ ...Object.fromEntries(Object.entries(x1c.report).slice(0, 38)), gcode_state: 'IDLE', msg: 1 })
  t.equal(shorter.reports.complete, false, 'with fewer fields it is a difference')
  const stateless = createFeed(x1c.serial)
  stateless.report({ ...x1c.report, gcode_state: undefined, msg: 1 })
  t.equal(stateless.reports.complete, false)
})

t.test('a version report without modules is none', async t => {
  const feed = createFeed(x1c.serial)
  feed.receive({ info: { command: 'get_version', module: [] } })
  t.equal(feed.seen.modules, 0)
  feed.receive({ info: { command: 'get_version', module: [{ name: 'ota', sw_ver: '7' }] } })
  t.equal(feed.seen.modules, 1)
})

t.test('the full report begins anew: what came before it neither stays nor sets an order', async t => {
  const feed = createFeed(x1c.serial)
  feed.report({ msg: 1, lights_report: [{ node: 'work_light', mode: 'flashing' }], ctt: 55 })
  feed.report({ ...x1c.report, lights_report: [{ node: 'chamber_light', mode: 'on' }, { node: 'work_light', mode: 'off' }] })
  t.strictSame(feed.state.lights.nodes.map(({ node }) => node), ['chamber_light', 'work_light'])
  t.equal(feed.state.lights.mode, 'on')
  t.notOk('ctt' in feed.reports.raw)
})

t.test('after a new connection the last state stays until the next full report', async t => {
  const feed = createFeed(a1Mini.serial)
  feed.report(a1Mini.report)
  const last = feed.state
  feed.reports.expectFullReport()
  feed.report({ msg: 1, gcode_state: 'RUNNING' })
  feed.receive({ info: { command: 'get_version', module: [{ name: 'ota', sw_ver: '9' }] } })
  t.equal(feed.state, last)
  t.equal(feed.states.length, 1)
  feed.report({ ...a1Mini.report, ams: undefined })
  t.equal(feed.state.ams.present, false, 'what only the last connection said is gone')
  t.equal(feed.state.firmware.printer, '9', 'versions that came before are not lost')
})

t.test('an answer is no status', async t => {
  const feed = createFeed(x1c.serial)
  feed.report(x1c.report)
  const { options, job } = feed.state
  feed.receive({ print: { command: 'resume', sequence_id: '9', result: 'success', gcode_state: 'RUNNING', home_flag: 0 } })
  feed.receive({ print: { command: 'project_prepare', gcode_state: 'PREPARE', home_flag: 0 } })
  t.equal(feed.state.options, options)
  t.equal(feed.state.job, job)
})

t.test('a status without a command is one', async t => {
  const feed = createFeed(x1c.serial)
  feed.report(x1c.report)
  feed.receive({ print: { msg: 1, wifi_signal: '-33dBm' } })
  t.equal(feed.state.device.wifiSignal, '-33dBm')
})

t.test('a report announces one state with the one before', async t => {
  const feed = createFeed(x1c.serial)
  const pairs: unknown[][] = []
  feed.events.on('state', (now, before) => pairs.push([now, before]))
  feed.report(x1c.report)
  feed.clock.now += 1_000
  feed.report(x1c.report)
  t.equal(pairs.length, 2)
  t.equal(pairs[0]?.[1], undefined)
  t.equal(pairs[1]?.[1], pairs[0]?.[0])
  t.not(pairs[1]?.[0], pairs[0]?.[0], 'a new object for every report')
  t.equal(feed.state.receivedAt - (feed.states[0]?.receivedAt ?? 0), 1_000)
})

t.test('an answer of ours is announced once, however often it comes', async t => {
  const feed = createFeed(x1c.serial)
  const { sequenceId } = feed.sent({ section: 'print', command: 'pause' })
  const answer = { print: { command: 'pause', sequence_id: sequenceId, result: 'success' } }
  feed.receive(answer)
  feed.receive(answer)
  feed.receive({ print: { command: 'pause', sequence_id: '1', result: 'success' } })
  t.strictSame(feed.replies.map(({ command, accepted }) => [command, accepted]), [['pause', true]])
})

t.test('every message counts for the watchdog, garbage too', async t => {
  const feed = createFeed(x1c.serial)
  feed.bytes('not JSON')
  feed.bytes('')
  feed.receive({ event: {} })
  t.equal(feed.seen.messages, 3)
  t.strictSame(feed.protocolWarnings.counts, { 'not JSON': 2 })
})

t.test('a listener that throws stops nobody', async t => {
  const feed = createFeed(x1c.serial)
  feed.events.on('state', () => { throw new Error('listener') })
  const seen: unknown[] = []
  feed.events.on('state', state => seen.push(state))
  feed.report(x1c.report)
  t.equal(seen.length, 1)
  t.equal(feed.failures.length, 1)
})

t.test('a report that cannot be handled is forgotten with all before it, and everything is asked for', async t => {
  const feed = createFeed(x1c.serial)
  feed.report(x1c.report)
  const { decode } = feed.reports
  feed.reports.decode = () => { throw new Error('no way') }
  feed.report({ msg: 1, wifi_signal: '-1dBm' })
  feed.reports.decode = decode
  t.strictSame(feed.protocolWarnings.counts, { 'not handled': 1 })
  t.strictSame([feed.reports.complete, feed.seen.incomplete], [false, 1])
  feed.report(x1c.report)
  t.equal(feed.state.device.wifiSignal, '-66dBm')
})

t.test('sections of one message are all taken', async t => {
  const feed = createFeed(x1c.serial)
  feed.receive({
    header: { sign: 'x' },
    info: { command: 'get_version', module: [{ name: 'ota', sw_ver: '7' }] },
    print: { command: 'push_status', ...x1c.report },
    t_utc: 1
  })
  t.equal(feed.state.firmware.printer, '7')
})
