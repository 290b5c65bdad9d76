import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { a1Mini } from './fixtures/a1-mini.data.js'
import { x1c } from './fixtures/x1c.data.js'
import { SILENCE_MS } from '../../../core/printer/silence-watchdog.js'
import type { Fields } from './helpers/feed.js'
import { createPeer, type Peer } from './helpers/peer.js'
import { openSession, startPrinter } from './helpers/session.js'

const status = (fields: Fields) => ({ print: { command: 'push_status', ...fields } })

/** A peer that answers as an X1C does. */
const answering = (peer: Peer, report: Fields = x1c.report): void => {
  peer.manners.answer = request => 'pushing' in request ? [status(report)] : 'info' in request ? [versions()] : []
}

const versions = (printer = '01.08.02.00') =>
  ({ info: { command: 'get_version', module: [{ name: 'ota', sw_ver: printer, sn: x1c.serial }] } })

/** What is still on its way arrives before the clock is moved. */
const quiet = () => new Promise(resolve => setTimeout(resolve, 150))

const kinds = (peer: Peer) => peer.received.map(({ kind }) => kind)

t.test('paused: nothing is heard, the connection stays; resumed: everything is asked for', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session, services, lives } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  await session.pause()
  t.equal(session.service, 'PAUSED')
  t.strictSame(peer.received.at(-1)?.kind, 'unsubscribe')
  t.equal(peer.received.at(-1)?.topic, `device/${x1c.serial}/report`)
  await session.pause()
  await session.refresh()
  t.equal(kinds(peer).filter(kind => kind === 'unsubscribe').length, 1, 'pausing twice is pausing once')
  t.equal(peer.requests().length, 2, 'nothing is asked meanwhile')
  await session.resume()
  t.equal(session.service, 'CONNECTED')
  await eventually(() => session.live)
  t.equal(peer.connections, 1)
  t.strictSame(kinds(peer), ['connect', 'subscribe', 'publish', 'publish', 'unsubscribe', 'subscribe', 'publish', 'publish'])
  t.strictSame([services, lives], [['CONNECTED', 'PAUSED', 'CONNECTED'], [true, false, true]])
  await session.resume()
  t.equal(peer.received.length, 8, 'resuming twice is resuming once')
})

t.test('the watchdog leaves a paused session alone', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session, advance } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  await session.pause()
  advance(300_000)
  await eventually(() => !session.live)
  t.strictSame([session.service, peer.connections, peer.requests().length], ['PAUSED', 1, 2])
})

t.test('what a paused session last heard is current for the time of the watchdog', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session, advance, lives } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  await session.pause()
  advance(SILENCE_MS.full - 1_000)
  await quiet()
  t.ok(session.live)
  advance(1_000)
  await eventually(() => !session.live)
  t.match(session.state?.job.gcodeState, /./, 'the readings stay')
  await session.resume()
  await eventually(() => session.live)
  t.strictSame(lives, [true, false, true])
})

t.test('a paused session that loses its connection comes back paused', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  await session.pause()
  peer.drop()
  await eventually(() => peer.connections === 2 && peer.received.at(-1)?.kind === 'connect')
  await new Promise(resolve => setTimeout(resolve, 50))
  t.strictSame([session.service, session.live, peer.received.at(-1)?.kind], ['PAUSED', false, 'connect'])
  await session.resume()
  await eventually(() => session.live)
  t.equal(session.service, 'CONNECTED')
})

t.test('resumed without a connection: QUIT until there is one', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session, services } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  await session.pause()
  peer.manners.connack = 3
  peer.drop()
  await eventually(() => session.problem?.code === 'login_refused')
  await session.resume()
  t.equal(session.service, 'QUIT')
  peer.manners.connack = 0
  await eventually(() => session.live)
  t.strictSame(services, ['CONNECTED', 'PAUSED', 'QUIT', 'CONNECTED'])
})

t.test('resumed, but the printer refuses: it tries again by itself', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  await session.pause()
  peer.manners.suback = 0x80
  await session.resume()
  t.equal(session.service, 'QUIT')
  peer.manners.suback = 0
  await eventually(() => session.live)
  t.equal(session.service, 'CONNECTED')
})

t.test('a printer that does not answer the pause does not hold it up for ever', async t => {
  const peer = await createPeer(t, x1c.serial)
  peer.manners.unsuback = 'none'
  const { session } = openSession(t, { serial: x1c.serial, port: peer.port, timeouts: { connectMs: 400 } })
  await eventually(() => session.service === 'CONNECTED')
  await session.pause()
  t.equal(session.service, 'PAUSED')
})

t.test('a dropped connection comes back by itself', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session, services, lives } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  let last: unknown
  session.events.on('service', now => { if (now === 'DISCONNECTED') last = session.state })
  const lift = printer.faults.refuseConnections()
  printer.faults.drop()
  await eventually(() => session.service === 'DISCONNECTED' && session.problem)
  t.ok(last)
  t.strictSame([session.live, session.state], [false, last], 'the last state stays')
  lift()
  await eventually(() => session.live)
  t.equal(session.problem, undefined)
  t.strictSame([services, lives], [['CONNECTED', 'DISCONNECTED', 'CONNECTED'], [true, false, true]])
})

t.test('silence: it asks, then connects anew', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session, advance, lives } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  const lift = printer.faults.silence()
  await quiet()
  const asked = printer.requests.length
  advance(29_000)
  await new Promise(resolve => setTimeout(resolve, 40))
  t.equal(session.live, true, 'not yet')
  advance(2_000)
  await eventually(() => !session.live)
  t.equal(session.service, 'CONNECTED')
  await eventually(() => printer.requests.length === asked + 2)
  t.strictSame(printer.requests.slice(asked).map(({ command }) => command), ['get_version', 'pushall'])
  advance(31_000)
  await eventually(() => session.service === 'DISCONNECTED')
  lift()
  await eventually(() => session.live)
  t.strictSame(lives, [true, false, true])
})

t.test('silence that ends with an answer needs no new connection', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session, advance, services } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  advance(31_000)
  await eventually(() => peer.requests().length === 4)
  await eventually(() => session.live)
  t.strictSame(services, ['CONNECTED'])
})

t.test('printers that report only changes may be silent twice as long', async t => {
  const peer = await createPeer(t, a1Mini.serial)
  answering(peer, a1Mini.report)
  const { session, advance } = openSession(t, { serial: a1Mini.serial, port: peer.port })
  await eventually(() => session.live)
  advance(58_000)
  await new Promise(resolve => setTimeout(resolve, 60))
  t.equal(session.live, true)
  t.equal(peer.requests().length, 2)
  advance(3_000)
  await eventually(() => peer.requests().length === 4)
})

t.test('a line that is dead in both directions is noticed', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session, advance } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  printer.faults.silence({ pings: false })
  await quiet()
  advance(31_000)
  await eventually(() => !session.live)
  advance(31_000)
  await eventually(() => session.service === 'DISCONNECTED')
  t.notOk(session.live)
  await printer.faults.clear()
  await eventually(() => session.live, 10_000)
  t.equal(session.service, 'CONNECTED')
})

t.test('a wrong serial number: the login is good and nothing ever comes', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session, advance, log } = openSession(t, { serial: '00M00A00000WRONG', port: printer.ports.mqtt })
  await eventually(() => session.service === 'CONNECTED')
  t.equal(session.problem, undefined)
  advance(31_000)
  await eventually(() => session.problem?.code === 'no_reports')
  t.match(session.problem?.message, /00M00A00000WRONG/)
  t.equal(session.service, 'CONNECTED')
  const seen = new Set<string | undefined>()
  for (let round = 0; round < 3; round++) {
    advance(31_000)
    await new Promise(resolve => setTimeout(resolve, 120))
    seen.add(session.problem?.code)
  }
  t.strictSame([...seen], ['no_reports'], 'connecting anew does not hide it')
  t.equal(log.lines.filter(({ problem }) => problem === 'no_reports').length, 1, 'told once')
})

t.test('a printer that reported before and falls silent: not its serial number is doubted', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session, advance } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  peer.manners.answer = () => []
  advance(31_000)
  await eventually(() => peer.requests().length >= 4)
  t.equal(session.problem, undefined, 'it may still answer')
  advance(31_000)
  await eventually(() => session.problem?.code === 'no_reports')
  t.match(session.problem?.message, /has stopped sending reports.*switch the printer off and on/)
  t.notMatch(session.problem?.message, /serial/)
  await eventually(() => peer.connections === 2 && session.service === 'CONNECTED')
  advance(31_000)
  const requests = peer.requests().length
  await eventually(() => peer.requests().length > requests)
  t.notMatch(session.problem?.message, /serial/, 'nor on the next connection')
  answering(peer)
  advance(31_000)
  await eventually(() => session.live)
  t.equal(session.problem, undefined)
})

t.test('after a new connection differences wait for the full report, which is asked for', async t => {
  const peer = await createPeer(t, a1Mini.serial)
  answering(peer, a1Mini.report)
  const asked = () => peer.requests().filter(request => request === 'pushing.pushall').length // versions on their own beat
  const { session, advance } = openSession(t, { serial: a1Mini.serial, port: peer.port })
  await eventually(() => session.live)
  peer.manners.answer = () => []
  peer.drop()
  await eventually(() => asked() === 2)
  const { state } = session
  peer.say(status({ msg: 1, gcode_state: 'RUNNING', mc_percent: 5 }))
  await eventually(() => (session.raw as Fields).mc_percent === 5)
  t.strictSame([session.live, session.state], [false, state])
  t.equal(asked(), 2, 'it was asked for a moment ago')
  advance(3_000)
  peer.say(status({ msg: 1, mc_percent: 6 }))
  await eventually(() => asked() === 3)
  t.equal(peer.requests().at(-1), 'pushing.pushall')
  peer.say(status(a1Mini.report))
  await eventually(() => session.live)
  t.not(session.state, state)
})

t.test('garbage ends nothing and is counted', async t => {
  const printer = await startPrinter(t, { model: 'P1S' })
  const { session, services } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.live)
  for (const kind of ['text', 'empty', 'truncated', 'binary', 'array', 'deep', 'huge', 'wrong-types', 'proto'] as const) {
    printer.faults.garbage(kind)
  }
  const message = session.lastMessageAt ?? 0
  printer.patch({ wifi_signal: '-41dBm' })
  await eventually(() => session.state?.device.wifiSignal === '-41dBm')
  t.ok((session.lastMessageAt ?? 0) >= message)
  t.hasStrict(session.protocolWarnings, { 'not JSON': 4, 'not an object': 1, 'type: hms': 1, 'size: x': 1 })
  t.equal(session.state?.job.gcodeState, 'IDLE')
  t.strictSame(services, ['CONNECTED'])
})

t.test('a packet that claims to be endless ends the connection, before it is collected', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  peer.bytes(Uint8Array.from([0x30, 0xFF, 0xFF, 0xFF, 0x7F]))
  await eventually(() => peer.connections === 2)
  await eventually(() => session.live)
  t.pass('and a new one works')
})
