import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Command } from '../../../core/printer/mqtt/command.js'
import { eventually } from '../../helpers/eventually.js'
import { x1c } from './fixtures/x1c.data.js'
import type { Fields } from './helpers/feed.js'
import { createPeer, type Peer } from './helpers/peer.js'
import { openSession, startPrinter } from './helpers/session.js'

const HOME: Command = { section: 'print', command: 'gcode_line', param: 'G28\n' }
const SPEED: Command = { section: 'print', command: 'print_speed', param: '3' }
const { serial } = x1c

const answering = (peer: Peer): void => {
  peer.manners.answer = request => 'pushing' in request ? [{ print: { command: 'push_status', ...x1c.report } }] : []
}

t.test('a command and its answer', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  const replies: unknown[] = []
  session.events.on('reply', ({ command }) => replies.push(command))
  await eventually(() => session.live)
  t.hasStrict(await session.send(SPEED, { replyWithin: 5_000 }), { section: 'print', command: 'print_speed', accepted: true })
  t.strictSame(await session.perform('to home', HOME), { confirmed: true })
  t.strictSame(replies, ['print_speed', 'gcode_line'])
  t.equal(await session.until(state => state.job.gcodeState === 'IDLE', 1_000), true)
})

t.test('a refused command is an error with the printer\'s reason, and a fault of the state', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  printer.faults.refuse('gcode_line', { err_code: 83935311, reason: 'busy', times: 1 })
  await t.rejects(session.perform('to home', HOME), { code: 'PRN_ERR_REFUSED', message: "'bench' refused to home: 83935311 busy" })
  t.hasStrict(session.state?.errors.faults, [{ type: 'command_error', code: 'HMS_0500-C04F', command: { name: 'gcode_line' } }])
  await session.perform('to home', HOME)
  t.strictSame(session.state?.errors.faults, [])
})

t.test('a check is made in the same turn as sending, and keeps everything from being sent', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  const held = () => { throw new Error('a job has begun meanwhile') }
  await t.rejects(session.perform('to home', [SPEED, HOME], [HOME], held), /a job has begun/)
  await session.perform('to home', HOME)
  t.same(printer.requests.filter(({ section }) => section === 'print').map(({ command }) => command), ['gcode_line'])
})

t.test('firmware that wants signatures', async t => {
  const printer = await startPrinter(t, { model: 'P1S', developerMode: false })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  await t.rejects(session.perform('to home', HOME), { code: 'PRN_ERR_SIGNATURE_REQUIRED' })
  t.equal(session.state?.device.developerMode, 'off')
})

t.test('a command that is never answered is not confirmed; a late refusal is seen all the same', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt, timeouts: { answerMs: 60 } })
  await eventually(() => session.live)
  const lift = printer.faults.ignore('gcode_line')
  t.strictSame(await session.perform('to home', HOME), { confirmed: false })
  lift()
  printer.faults.delayReplies(200)
  printer.faults.refuse('gcode_line', { reason: 'later' })
  t.strictSame(await session.perform('to home', HOME), { confirmed: false })
  await eventually(() => session.state?.errors.faults.some(({ command }) => command?.reason === 'later'))
})

t.test('answers that come twice or to others count once or not', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  const other = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  let replies = 0
  session.events.on('reply', () => { replies++ })
  await eventually(() => session.live && other.session.live)
  printer.faults.duplicateReplies(3)
  await session.perform('to home', HOME)
  await other.session.perform('to set the speed', SPEED)
  await session.perform('to set the speed', SPEED)
  t.equal(replies, 2)
})

t.test('a command that the printer does not take in time', async t => {
  const peer = await createPeer(t, serial)
  answering(peer)
  const { session } = openSession(t, { serial, port: peer.port, timeouts: { ackMs: 60 } })
  await eventually(() => session.live)
  peer.manners.puback = 'none'
  await t.rejects(session.send(HOME), { code: 'PRN_ERR_SEND_TIMEOUT', statusCode: 504 })
  t.equal(session.service, 'CONNECTED')
})

t.test('a connection that is lost while sending, and nothing is sent again', async t => {
  const peer = await createPeer(t, serial)
  answering(peer)
  const { session } = openSession(t, { serial, port: peer.port })
  await eventually(() => session.live)
  Object.assign(peer.manners, { puback: 'none', connack: 3 })
  const work: Promise<unknown>[] =
    [session.send(HOME), session.perform('to set the speed', SPEED), session.publish({ print: { command: 'odd' } })]
  const lost = work.map(promise => t.rejects(promise, { code: 'PRN_ERR_COMMAND_LOST', statusCode: 504 }))
  await eventually(() => peer.requests().includes('print.odd'))
  peer.drop()
  await Promise.all(lost)
  await t.rejects(session.send(HOME), { code: 'PRN_ERR_NOT_CONNECTED', extra: { detail: /./ } })
  const before = peer.received.length
  Object.assign(peer.manners, { puback: 'yes', connack: 0 })
  await eventually(() => session.live)
  await new Promise(resolve => setTimeout(resolve, 50))
  const after = peer.received.slice(before).flatMap(({ payload }) => Object.keys(payload ?? {}))
  t.strictSame(after, ['info', 'pushing'])
})

t.test('nobody waits for an answer on a connection that is gone', async t => {
  const peer = await createPeer(t, serial)
  answering(peer)
  const { session } = openSession(t, { serial, port: peer.port })
  await eventually(() => session.live)
  const reply = session.send(HOME, { replyWithin: 600_000 })
  await eventually(() => peer.requests().includes('print.gcode_line'))
  await new Promise(resolve => setTimeout(resolve, 50))
  peer.drop()
  t.equal(await reply, undefined)
})

t.test('without a connection nothing is sent, and the reason is told', async t => {
  const peer = await createPeer(t, serial)
  peer.manners.connack = 5
  const { session } = openSession(t, { serial, port: peer.port })
  await eventually(() => session.problem)
  await t.rejects(session.perform('to home', HOME), { code: 'PRN_ERR_NOT_CONNECTED', extra: { detail: /access code/ } })
  await session.refresh()
  t.strictSame(peer.requests(), [])
})

t.test('while paused commands go out and are not confirmed', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  await session.pause()
  t.strictSame(await session.perform('to home', HOME), { confirmed: false })
  t.equal(printer.requests.at(-1)?.command, 'gcode_line')
})

t.test('asking for everything again', async t => {
  const printer = await startPrinter(t, { model: 'A1_MINI' })
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  const before = printer.requests.length
  await session.refresh()
  await eventually(() => printer.requests.length === before + 2)
  t.strictSame(printer.requests.slice(before).map(({ command }) => command), ['get_version', 'pushall'])
})

t.test('a chamber target that only we know is announced', async t => {
  const peer = await createPeer(t, serial)
  answering(peer)
  const { session } = openSession(t, { serial, port: peer.port })
  await eventually(() => session.live)
  const targets: number[] = []
  session.events.on('state', ({ heat }) => targets.push(heat.chamber.target))
  session.rememberChamberTarget(35)
  t.strictSame(targets, [35])
})

t.test('payloads are logged only while it is verbose', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session, wire } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  await session.perform('to home', HOME)
  t.equal(wire.text(), '')
  session.verbose = true
  await session.perform('to home', HOME)
  t.match(wire.text(), /"msg":"sent"/)
  t.match(wire.text(), /"msg":"received"/)
  session.verbose = false
  const before = wire.lines.length
  await session.perform('to home', HOME)
  t.equal(wire.lines.length, before)
})

t.test('the access code is in no log line, error or document', async t => {
  const code = randomUUID().slice(0, 8)
  const peer = await createPeer(t, serial)
  answering(peer)
  const { session, log, wire } = openSession(t,
    { serial, port: peer.port, accessCode: code, tls: { mode: 'pin' }, timeouts: { ackMs: 40 } })
  session.verbose = true
  const errors: unknown[] = []
  const fails = async (work: Promise<unknown>) => {
    errors.push(await work.then(() => t.fail('went well'), error => error))
  }
  await eventually(() => session.live)
  peer.manners.puback = 'none'
  await fails(session.send(HOME))
  for (const connack of [5, 4, 3, 'hang up', 0] as const) {
    peer.manners.connack = connack
    const before = peer.connections
    peer.drop()
    await eventually(() => peer.connections > before + (connack === 0 ? 0 : 1))
    errors.push(session.problem)
    if (connack !== 0) await fails(session.send(HOME))
  }
  t.equal(peer.received.filter(({ login }) => login?.password === code).length > 3, true, 'it was used')
  const texts = [log.text(), wire.text(), JSON.stringify(session.config), JSON.stringify(session.problem),
    ...errors.flatMap(told)]
  t.ok(log.lines.length > 3)
  for (const text of texts) t.notOk(text?.includes(code))
})

const told = (error: unknown) =>
  [String(error), JSON.stringify(error), (error as Error | undefined)?.stack, deep(error)]

/** An error with its causes and own members, as text. */
const deep = (error: unknown): string => error instanceof Error
  ? JSON.stringify({ ...error, message: error.message, cause: deep(error.cause) } satisfies Fields)
  : String(error)
