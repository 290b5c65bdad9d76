import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { openTls } from '../../../core/printer/open-tls.js'
import { LOST_PIN } from '../../../core/printer/tls.js'
import { x1c } from './fixtures/x1c.data.js'
import { issue } from './helpers/certificates.js'
import { createPeer } from './helpers/peer.js'
import { openSession, startPrinter } from './helpers/session.js'

const { serial } = x1c

t.test('pin: the first certificate is learned, once the login went well', async t => {
  const peer = await createPeer(t, serial)
  peer.manners.connack = 5
  const { session, pins } = openSession(t, { serial, port: peer.port, tls: { mode: 'pin' } })
  await eventually(() => session.problem?.code === 'access_code_rejected')
  t.equal(pins.size, 0, 'not from somebody who refuses the code')
  peer.manners.connack = 0
  await eventually(() => session.service === 'CONNECTED')
  t.strictSame([...pins], [[serial, peer.fingerprint]])
})

t.test('pin: a learned certificate is accepted again', async t => {
  const peer = await createPeer(t, serial)
  const pins = new Map([[serial, peer.fingerprint.toLowerCase().replaceAll(':', '')]])
  const { session } = openSession(t, { serial, port: peer.port, tls: { mode: 'pin' }, pins })
  await eventually(() => session.service === 'CONNECTED')
  t.strictSame([...pins.keys()], [serial])
  t.equal(session.problem, undefined)
})

t.test('pin: a changed certificate is refused loudly, and the code is not said to it', async t => {
  const printer = await startPrinter(t, { model: 'X1C' })
  const { session, log, pins } = openSession(t, { serial: printer.serial, port: printer.ports.mqtt, tls: { mode: 'pin' } })
  await eventually(() => session.live)
  const first = pins.get(printer.serial)
  const changed = await printer.faults.changeCertificate()
  await eventually(() => session.problem?.code === 'certificate_changed')
  t.match(session.problem?.message, new RegExp(changed))
  t.ok(log.lines.some(({ problem, level }) => problem === 'certificate_changed' && level === 50))
  t.equal(pins.get(printer.serial), first, 'nothing is learned over it')
  await printer.faults.clear()
  await eventually(() => session.live)
})

t.test('pin: a fingerprint from the configuration comes before a learned one', async t => {
  const peer = await createPeer(t, serial)
  const pins = new Map([[serial, 'AA:BB']])
  const good = openSession(t, { serial, port: peer.port, tls: { mode: 'pin', fingerprint: peer.fingerprint }, pins })
  await eventually(() => good.session.service === 'CONNECTED' && peer.requests().length === 2)
  t.equal(pins.get(serial), 'AA:BB', 'and is not learned')
  const before = peer.received.length
  const bad = openSession(t, { serial, port: peer.port, tls: { mode: 'pin', fingerprint: 'AA:BB' } })
  await eventually(() => bad.session.problem?.code === 'certificate_changed')
  t.equal(peer.received.length, before, 'not a packet was sent')
})

t.test('pin: with a lost pin nobody gets the code, on the printer\'s card and camera as little', async t => {
  const peer = await createPeer(t, serial)
  const pins = new Map([[serial, LOST_PIN]])
  const { session } = openSession(t, { serial, port: peer.port, tls: { mode: 'pin' }, pins })
  await eventually(() => session.problem?.code === 'certificate_changed')
  t.match(session.problem?.message, /is lost.*--accept-certificate.*[0-9A-F]{2}:/)
  t.equal(peer.received.length, 0, 'not a packet was sent')
  t.equal(pins.get(serial), LOST_PIN, 'nothing is learned')
  const lost = { get: () => LOST_PIN, set () {} }
  await t.rejects(openTls(session.config, peer.port, lost, { signal: AbortSignal.timeout(5000) }),
    { code: 'certificate_changed' })
})

t.test('another name on the certificate', async t => {
  const peer = await createPeer(t, serial, await issue('01P00A000000009'))
  for (const mode of ['pin', 'ca'] as const) {
    const { session, pins } = openSession(t, { serial, port: peer.port, tls: { mode, ca: 'x' } })
    await eventually(() => session.problem?.code === 'wrong_serial')
    t.match(session.problem?.message, /'01P00A000000009'/)
    t.equal(pins.size, 0)
  }
  t.equal(peer.received.length, 0)
  const { session } = openSession(t, { serial, port: peer.port, tls: { mode: 'insecure' } })
  await eventually(() => session.service === 'CONNECTED')
  t.equal(session.problem, undefined, 'insecure is what it says')
})

t.test('ca: an own authority', async t => {
  const authority = await issue('Own CA', { authority: true })
  const peer = await createPeer(t, serial, await issue(serial, { by: authority }))
  const good = openSession(t, { serial, port: peer.port, tls: { mode: 'ca', ca: authority.certificate } })
  await eventually(() => good.session.service === 'CONNECTED' && peer.requests().length === 2)
  t.equal(good.pins.size, 0, 'nothing to learn')
  const before = peer.received.length
  const other = await issue('Other CA', { authority: true })
  const bad = openSession(t, { serial, port: peer.port, tls: { mode: 'ca', ca: other.certificate } })
  await eventually(() => bad.session.problem?.code === 'certificate_untrusted')
  t.equal(peer.received.length, before)
})
