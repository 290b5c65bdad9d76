import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { printerPorts } from '../../helpers/ports.js'
import { createPeer } from './helpers/peer.js'
import { CODE, openSession, startPrinter } from './helpers/session.js'

const SERIAL = '00M09A000000001'

t.test('the right login: connected, live, with a state', async t => {
  const { serial, ports } = await startPrinter(t, { model: 'X1C' })
  const began = Date.now()
  const { session, services, lives } = openSession(t, { serial, port: ports.mqtt })
  t.strictSame([session.service, session.live, session.state, session.lastMessageAt], ['NO_STATE', false, undefined, undefined])
  await eventually(() => session.live)
  t.equal(session.service, 'CONNECTED')
  t.equal(session.problem, undefined)
  t.equal(session.model.model, 'X1C')
  t.equal(session.state?.job.gcodeState, 'IDLE')
  t.ok(session.capabilities?.hasAms)
  t.ok((session.lastMessageAt ?? 0) >= began)
  t.strictSame([services, lives], [['CONNECTED'], [true]])
})

t.test('a wrong access code is told, and tried again', async t => {
  const printer = await startPrinter(t, { model: 'P1S' })
  const lift = printer.faults.rejectAccessCode()
  const { session } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt })
  await eventually(() => session.problem?.code === 'access_code_rejected')
  t.equal(session.service, 'NO_STATE')
  lift()
  await eventually(() => session.live)
  t.equal(session.problem, undefined)
})

t.test('return codes of the login', async t => {
  const peer = await createPeer(t, SERIAL)
  const { session } = openSession(t, { serial: SERIAL, port: peer.port })
  for (const [code, problem] of [[4, 'access_code_rejected'], [3, 'login_refused'], [5, 'access_code_rejected']] as const) {
    peer.manners.connack = code
    peer.drop()
    await eventually(() => session.problem?.code === problem, 5_000, 1)
    t.pass(`${code}: ${problem}`)
  }
  peer.manners.connack = 'hang up'
  await eventually(() => /closed the connection at the login/.test(session.problem?.message ?? ''))
})

t.test('a login that is never answered is given up', async t => {
  const peer = await createPeer(t, SERIAL)
  peer.manners.connack = 'none'
  const { session } = openSession(t, { serial: SERIAL, port: peer.port, timeouts: { connectMs: 250 } })
  await eventually(() => /did not answer the login/.test(session.problem?.message ?? ''))
  await eventually(() => peer.connections >= 2)
  t.equal(session.service, 'NO_STATE')
})

t.test('nobody there: told, and found as soon as it comes', async t => {
  const printer = await startPrinter(t, { model: 'A1_MINI', ports: await printerPorts() })
  const { serial, ports: { mqtt } } = printer
  await printer.stop()
  const { session, log } = openSession(t, { serial, port: mqtt })
  const problems: string[] = []
  session.events.on('problem', problem => problems.push(problem?.code ?? 'over'))
  await eventually(() => session.problem?.code === 'unreachable')
  await new Promise(resolve => setTimeout(resolve, 100))
  t.equal(log.lines.filter(({ problem }) => problem === 'unreachable').length, 1, 'one line for many attempts')
  t.strictSame(problems, ['unreachable'], 'and one event')
  await printer.start()
  await eventually(() => session.live)
})

t.test('the first packets', async t => {
  const peer = await createPeer(t, SERIAL)
  peer.manners.suback = 'none'
  const { session } = openSession(t, { serial: SERIAL, port: peer.port })
  await eventually(() => peer.received.length === 2)
  await new Promise(resolve => setTimeout(resolve, 30))
  t.strictSame(peer.received.map(({ kind }) => kind), ['connect', 'subscribe'], 'nothing is asked before the subscription stands')
  t.equal(session.service, 'NO_STATE')
  peer.drop()
  peer.manners.suback = 0
  peer.received.length = 0
  await eventually(() => peer.received.length === 4)
  const [connect, subscribe, ...requests] = peer.received
  t.hasStrict(connect?.login, { level: 4, clean: true, keepAlive: 30, user: 'bblp', password: CODE })
  t.hasStrict(subscribe, { topic: `device/${SERIAL}/report`, qos: 0 })
  t.strictSame(requests.map(({ topic, qos }) => [topic, qos]), [[`device/${SERIAL}/request`, 1], [`device/${SERIAL}/request`, 1]])
  const [version, push] = requests.map(({ payload }) => payload)
  const id = Number((version?.info as { sequence_id: string }).sequence_id)
  t.ok(id >= 20_000 && id <= 29_999)
  t.strictSame(version, { info: { command: 'get_version', sequence_id: String(id) } })
  t.strictSame(push, {
    pushing: { command: 'pushall', version: 1, push_target: 1, sequence_id: String(id === 29_999 ? 20_000 : id + 1) }
  })
})

t.test('every connection has a name of its own', async t => {
  const peer = await createPeer(t, SERIAL)
  openSession(t, { serial: SERIAL, port: peer.port })
  for (const connection of [1, 2, 3]) {
    await eventually(() => peer.requests().length === 2 * connection)
    peer.drop()
  }
  const names = peer.received.flatMap(({ login }) => login ? [login.clientId] : [])
  t.equal(new Set(names).size, names.length)
  for (const name of names) t.match(name, /^prnd-[0-9a-f]{12}$/)
})

t.test('a subscription that is refused is a problem, not the end', async t => {
  const peer = await createPeer(t, SERIAL)
  peer.manners.suback = 0x80
  const { session } = openSession(t, { serial: SERIAL, port: peer.port })
  await eventually(() => session.problem?.code === 'login_refused')
  t.match(session.problem?.message, /refused to send its reports/)
  t.equal(session.service, 'NO_STATE')
  peer.manners.suback = 0
  await eventually(() => session.service === 'CONNECTED')
})

t.test('a subscription that is never answered is given up', async t => {
  const peer = await createPeer(t, SERIAL)
  peer.manners.suback = 'none'
  const { session } = openSession(t, { serial: SERIAL, port: peer.port, timeouts: { connectMs: 250 } })
  await eventually(() => session.problem?.code === 'login_refused')
  await eventually(() => peer.connections >= 2)
  t.equal(session.service, 'NO_STATE')
})

t.test('starting twice connects once', async t => {
  const peer = await createPeer(t, SERIAL)
  const { running, session } = openSession(t, { serial: SERIAL, port: peer.port })
  running.start()
  await eventually(() => session.service === 'CONNECTED')
  await new Promise(resolve => setTimeout(resolve, 50))
  t.equal(peer.connections, 1)
})

t.test('it can be ended at any moment', async t => {
  const silent = createServer((socket: Socket) => { socket.on('error', () => {}) }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const peer = await createPeer(t, SERIAL)
  const timeouts = { retryMs: () => 60_000 }
  const open = (port: number, start = true) => openSession(t, { serial: SERIAL, port, start, timeouts })
  const ends = async (what: string, { running, session }: ReturnType<typeof open>) => {
    await running.end()
    t.ok(session.signal.aborted, what)
    return session
  }

  await ends('before it began', open(peer.port, false))
  t.equal((await ends('at once', open(peer.port))).service, 'QUIT')

  const handshake = open((silent.address() as AddressInfo).port)
  await new Promise(resolve => setTimeout(resolve, 20))
  t.equal((await ends('during the handshake', handshake)).service, 'QUIT')

  peer.manners.connack = 'none'
  const login = open(peer.port)
  await eventually(() => peer.received.at(-1)?.kind === 'connect')
  t.equal((await ends('during the login', login)).service, 'QUIT')

  Object.assign(peer.manners, { connack: 0, suback: 'none' })
  const subscription = open(peer.port)
  await eventually(() => peer.received.at(-1)?.kind === 'subscribe')
  await ends('during the subscription', subscription)

  peer.manners.suback = 0x80
  const waiting = open(peer.port)
  await eventually(() => waiting.session.problem)
  await ends('between two attempts', waiting)

  peer.manners.suback = 0
  const connected = open(peer.port)
  await eventually(() => connected.session.service === 'CONNECTED')
  t.equal((await ends('while connected', connected)).service, 'QUIT')
  await eventually(() => peer.open === 0)
})

t.test('what was not started cannot be started after its end', async t => {
  const peer = await createPeer(t, SERIAL)
  const { running, session } = openSession(t, { serial: SERIAL, port: peer.port, start: false })
  await running.end()
  running.start()
  await new Promise(resolve => setTimeout(resolve, 50))
  t.strictSame([peer.connections, session.service], [0, 'NO_STATE'])
})
