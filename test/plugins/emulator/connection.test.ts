import t from 'tap'
import mqtt from 'mqtt'
import { connect } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'
import { createVirtualPrinter, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { bench, listen, login } from './listener.js'

const certificateOf = (printer: VirtualPrinter): Promise<PeerCertificate> => new Promise((resolve, reject) => {
  const socket = connectTls({ host: '127.0.0.1', port: printer.ports.mqtt, rejectUnauthorized: false }, () => {
    resolve(socket.getPeerCertificate(true))
    socket.destroy()
  })
  socket.on('error', reject)
})

t.test('user and access code let in', async t => {
  const { client } = await bench(t, { model: 'X1C', accessCode: 'aB3dEf7h' })
  t.equal(client.connected, true)
})

t.test('another access code or another user gets CONNACK 5', async t => {
  const { printer } = await bench(t, { model: 'X1C' })
  for (let attempt = 0; attempt < 5; attempt++) {
    await t.rejects(mqtt.connectAsync(login(printer, { password: 'wrong' })), { code: 5 })
  }
  await t.rejects(mqtt.connectAsync(login(printer, { username: 'admin' })), { code: 5 })
  const { username, password, ...anonymous } = login(printer)
  await t.rejects(mqtt.connectAsync(anonymous), { code: 5 })
})

t.test('MQTT 5 is not spoken', async t => {
  const { printer } = await bench(t, { model: 'P1S' })
  await t.rejects(mqtt.connectAsync(login(printer, { protocolVersion: 5 })))
})

t.test('the certificate names the serial, has no other names and is the only one', async t => {
  const { printer } = await bench(t, { model: 'H2D', serial: '09400A000000001' })
  const certificate = await certificateOf(printer) as PeerCertificate & { issuerCertificate: PeerCertificate }
  t.equal(certificate.subject.CN, '09400A000000001')
  t.equal(certificate.subjectaltname, undefined)
  t.equal(certificate.fingerprint256, printer.fingerprint)
  t.equal(certificate.issuerCertificate.fingerprint256, printer.fingerprint, 'self-signed')
  t.equal(certificate.bits, 2048)
})

t.test('two printers share the key, not the certificate', async t => {
  const [one, two] = [await bench(t, { model: 'X1C' }), await bench(t, { model: 'P1S' })]
  const [first, second] = [await certificateOf(one.printer), await certificateOf(two.printer)]
  t.not(first.fingerprint256, second.fingerprint256)
  t.same(first.pubkey, second.pubkey)
})

t.test('a topic with another serial stays silent, in both directions', async t => {
  const { printer, client, clock } = await bench(t, { model: 'X1C' })
  const other = await listen(t, printer, 'device/00M00A999999999/report')
  await client.publishAsync('device/00M00A999999999/request', '{"pushing":{"command":"pushall"}}', { qos: 1 })
  clock.advance(60_000)
  const own = await listen(t, printer)
  await own.settle()
  t.equal(other.heard.length, 0)
  t.notOk(printer.requests.some(({ section }) => section === 'pushing'), 'nor was the request received')
})

t.test('QoS 1 at most is granted, reports come with QoS 0, wildcards are taken', async t => {
  const { printer, client } = await bench(t, { model: 'A1_MINI' })
  const [report] = await client.subscribeAsync(`device/${printer.serial}/report`, { qos: 2 })
  t.equal(report?.qos, 1)
  const [all] = await client.subscribeAsync('#', { qos: 0 })
  t.equal(all?.qos, 0)
  const packet = new Promise<number>(resolve => client.once('message', (_topic, _payload, packet) => resolve(packet.qos)))
  printer.publish('{}')
  t.equal(await packet, 0)
})

t.test('answers reach every client, also one that did not ask', async t => {
  const { printer, ask } = await bench(t, { model: 'P1S' })
  const other = await listen(t, printer)
  const seen = other.wait(doc => doc.print?.command === 'gcode_line', 'answer for the other')
  await ask('print', 'gcode_line', { param: 'M106 P1 S0\n' })
  t.equal((await seen).print.result, 'success')
})

t.test('other clients requests are heard by who subscribes to them, forged reports by nobody', async t => {
  const { printer, client, settle } = await bench(t, { model: 'X1C' })
  const spy = await listen(t, printer, '#')
  const heard = spy.wait(doc => doc.info?.command === 'get_version' && doc.info.module === undefined, 'request')
  await client.publishAsync(`device/${printer.serial}/report`, '{"print":{"forged":true}}', { qos: 1, retain: true })
  await settle()
  await heard
  const late = await listen(t, printer)
  await late.settle()
  t.notOk([...spy.heard, ...late.heard].some(({ doc }) => doc.print?.forged === true))
})

t.test('trailing NUL and white space do not matter, bad JSON is not answered', async t => {
  const { printer, send, wait, status } = await bench(t, { model: 'X1C' })
  const answer = wait(doc => doc.info?.sequence_id === '7', 'answer to a request with NUL')
  await send('{"info":{"command":"get_version","sequence_id":"7"}}\n\0\0', 0)
  await answer
  for (const bad of ['{', '[]', 'null', '7', '', '{"print":5}', '{"print":{"command":5}}']) await send(bad)
  t.equal((await status()).gcode_state, 'IDLE')
  t.same(printer.requests.at(0)?.body, { command: 'get_version', sequence_id: '7' })
})

t.test('stop frees the port, start brings the same printer back', async t => {
  const printer = createVirtualPrinter({ model: 'A1_MINI' })
  await printer.start()
  t.teardown(() => printer.stop())
  const { ports: { mqtt: port }, fingerprint } = printer
  const first = await listen(t, printer)
  const closed = new Promise<void>(resolve => first.client.once('close', () => resolve()))
  await printer.stop()
  await closed
  await t.rejects(mqtt.connectAsync(login(printer)), { code: 'ECONNREFUSED' })
  await printer.start()
  t.equal(printer.ports.mqtt, port)
  t.equal(printer.fingerprint, fingerprint)
  t.equal((await (await listen(t, printer)).status()).gcode_state, 'IDLE')
})

t.test('stopping does not wait for who never finished the handshake', async t => {
  const { printer } = await bench(t, { model: 'X1C' })
  const socket = connect(printer.ports.mqtt, '127.0.0.1').on('error', () => {})
  await new Promise<void>(resolve => socket.once('connect', () => resolve()))
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  await printer.stop()
  await closed
  t.ok(socket.destroyed)
})

t.test('bytes that are not TLS, or not MQTT, harm nobody', async t => {
  const { printer, status } = await bench(t, { model: 'X1C' })
  const plain = connect(printer.ports.mqtt, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\n\r\n')).on('error', () => {})
  await new Promise<void>(resolve => plain.once('close', () => resolve()))
  const options = { host: '127.0.0.1', port: printer.ports.mqtt, rejectUnauthorized: false }
  const secure = connectTls(options, () => secure.write('GET / HTTP/1.1\r\n\r\n')).on('error', () => {})
  await new Promise<void>(resolve => secure.once('close', () => resolve()))
  t.equal((await status()).gcode_state, 'IDLE')
})
