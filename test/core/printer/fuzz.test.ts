import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { a1Mini } from './fixtures/a1-mini.data.js'
import { h2d } from './fixtures/h2d.data.js'
import { p1s } from './fixtures/p1s.data.js'
import type { Family } from './fixtures/types.js'
import { x1c } from './fixtures/x1c.data.js'
import { createFeed, type Feed, type Fields } from './helpers/feed.js'
import { mutate } from './helpers/mutate.js'
import { createPeer } from './helpers/peer.js'
import { createRandom, type Random } from './helpers/random.js'
import { openSession } from './helpers/session.js'

const EACH = 2_500
const LONGEST_STATE = 200_000

const unhandled: unknown[] = []
const noteUnhandled = (reason: unknown) => { unhandled.push(reason) }
process.on('unhandledRejection', noteUnhandled)

const status = (fields: Fields) => ({ print: { command: 'push_status', ...fields } })

/** What a printer may say, in good order. */
const documents = ({ report, steps, version }: Family): string[] => [
  status(report),
  status(report),
  ...steps.map(({ patch }) => status(patch)),
  { info: { command: 'get_version', sequence_id: '20000', ...version } },
  { print: { command: 'pause', sequence_id: '20001', result: 'success', reason: '', err_code: 0 } },
  { print: { command: 'ams_filament_drying', sequence_id: '20002', ams_id: 0, temp: 55, result: 'fail', err_code: 83935307 } },
  { print: { command: 'project_file', sequence_id: '1', param: 'Metadata/plate_1.gcode', subtask_name: 'x', result: 'SUCCESS' } },
  { print: { command: 'set_ctt', sequence_id: '20003', ctt_val: 45, result: 'success', errno: 0 } },
  { system: { command: 'ledctrl', sequence_id: '20004', led_node: 'chamber_light', result: 'success' } },
  { update: { name: 'x', sequence_id: '20005', result: 'success' } },
  { event: { event: 'client.connected' }, header: { sign: 'x' } }
].map(document => JSON.stringify(document))

/** Where a state is not made of what its type promises: compared with a good one, type by type. */
function illTyped (value: unknown, model: unknown, path: string): string[] {
  if (typeof value === 'number' && !Number.isFinite(value)) return [`${path}: ${value}`]
  if (model === undefined || model === null || value === undefined) return []
  if (typeof value !== typeof model || Array.isArray(value) !== Array.isArray(model)) return [`${path}: ${typeof value}`]
  if (Array.isArray(value)) return value.flatMap((item, at) => illTyped(item, (model as unknown[])[0], `${path}[${at}]`))
  if (typeof value !== 'object') return []
  const wanted = model as Fields
  const missing = path.endsWith('.parts') ? [] : Object.keys(wanted).filter(key => !(key in (value as Fields)))
  return [...missing.map(key => `${path}.${key} is missing`),
    ...Object.entries(value as Fields).flatMap(([key, item]) => illTyped(item, wanted[key], `${path}.${key}`))]
}

/** A job of ours now and then, so that some answers find their command. */
function sendSomething (feed: Feed, random: Random): void {
  feed.sent(random.pick([
    { section: 'print', command: 'pause' },
    { section: 'print', command: 'ams_filament_drying', ams_id: 0, temp: 55 },
    { section: 'print', command: 'set_ctt', ctt_val: 45 },
    { section: 'update', name: 'x' }
  ]))
}

for (const family of [a1Mini, p1s, x1c, h2d]) {
  t.test(`${family.model}: ${EACH} payloads that may be anything`, async t => {
    const random = createRandom(family.serial.length * 7919 + family.model.length)
    const feed = createFeed(family.serial)
    const good = documents(family)
    feed.report(family.report)
    const wrong: string[] = []
    for (let at = 0; at < EACH; at++) {
      if (random.chance(0.05)) sendSomething(feed, random)
      if (random.chance(0.005)) feed.reports.expectFullReport()
      feed.clock.now += random.int(3_000)
      const payload = mutate(random.pick(good), random)
      try {
        feed.bytes(payload)
      } catch (error) {
        wrong.push(`payload ${at} threw ${String(error)}: ${Buffer.from(payload as string).toString().slice(0, 500)}`)
      }
      if (feed.reports.state && at % 10 === 0) wrong.push(...illTyped(feed.state, family.expected, `payload ${at}`))
      if (at % 10 === 0) feed.states.length = feed.replies.length = feed.log.lines.length = 0
    }
    t.strictSame(wrong.slice(0, 10), [], 'nothing threw, and the state kept its shape')
    t.strictSame(feed.failures, [])
    const { length } = JSON.stringify(feed.state)
    t.ok(length < LONGEST_STATE, `the state is ${length} characters long`)

    const { counts } = feed.protocolWarnings
    t.equal(counts['not handled'], undefined, 'every part of every payload was handled')
    t.ok((counts['not JSON'] ?? 0) > EACH / 20, `${counts['not JSON']} were no JSON`)
    t.ok(Object.keys(counts).length <= 65, `${Object.keys(counts).length} kinds of complaints`)
    t.ok(Object.keys(counts).filter(kind => kind.startsWith('type: ')).length > 10, 'and many fields of a wrong type')

    feed.reports.expectFullReport()
    feed.receive({ info: { command: 'get_version', ...family.version } })
    feed.report(family.report)
    const { job, ams, spools, heat, lights, options } = feed.state
    const { expected } = family
    t.strictSame([ams.units.map(({ id, model }) => [id, model]), lights, options, heat.bed, heat.nozzle],
      [expected.ams.units.map(({ id, model }) => [id, model]), expected.lights, expected.options, expected.heat.bed,
        expected.heat.nozzle], 'the next good report is understood as ever')
    t.strictSame(spools, expected.spools)
    t.equal(job.gcodeState, expected.job.gcodeState)
  })
}

t.test('over a real connection', async t => {
  const random = createRandom(4711)
  const peer = await createPeer(t, x1c.serial)
  const { session, services } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.service === 'CONNECTED')
  peer.say(status(x1c.report))
  await eventually(() => session.live)
  const good = documents(x1c)
  for (let at = 0; at < 400; at++) peer.publish(Buffer.from(mutate(random.pick(good), random) as string))
  peer.say({ info: { command: 'get_version', module: [{ name: 'ota', sw_ver: 'the last' }] } })
  await eventually(() => session.state?.firmware.printer === 'the last', 20_000)
  t.strictSame(services, ['CONNECTED'], 'it was never lost')
  t.ok((session.protocolWarnings['not JSON'] ?? 0) > 10)
  t.equal(session.protocolWarnings['not handled'], undefined)
})

t.test('no promise was left to fail', async t => {
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', noteUnhandled)
  t.strictSame(unhandled, [])
})
