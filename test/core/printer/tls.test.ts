import { once } from 'node:events'
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import {
  connectTls, verifyCertificate, peerOf, sameFingerprint, type Target, type Trust
} from '../../../core/printer/tls.js'
import { eventually } from '../../helpers/eventually.js'
import { issue, type Issued } from './helpers/certificates.js'

const SERIAL = '00M09A000000001'
const PRINT = 'AA:BB:CC'
const { signal } = new AbortController()

const target = (trust: Trust, port = 8883): Target => ({ name: 'x1c', host: '127.0.0.1', port, serial: SERIAL, trust })
const verdict = (trust: Trust, peer: { commonName?: string, fingerprint?: string, chainError?: string } = {}) =>
  verifyCertificate({ commonName: SERIAL, fingerprint: PRINT, chainError: undefined, ...peer }, target(trust))?.code

t.test('insecure: anything goes', async t => {
  t.equal(verdict({ mode: 'insecure' }, { commonName: 'other', chainError: 'X' }), undefined)
})

t.test('pin: the name must be the serial, the certificate the one learned', async t => {
  t.equal(verdict({ mode: 'pin' }), undefined, 'first contact')
  t.equal(verdict({ mode: 'pin', fingerprint: PRINT }), undefined)
  t.equal(verdict({ mode: 'pin', fingerprint: 'aabbcc' }), undefined, 'in another spelling')
  t.equal(verdict({ mode: 'pin', fingerprint: 'AA:BB:CD' }), 'certificate_changed')
  t.equal(verdict({ mode: 'pin' }, { commonName: '01P00A000000001' }), 'wrong_serial')
  t.equal(verdict({ mode: 'pin' }, { commonName: '' }), 'wrong_serial')
  t.equal(verdict({ mode: 'pin' }, { commonName: SERIAL.toLowerCase() }), undefined, 'whatever its case')
  t.equal(verdict({ mode: 'pin', fingerprint: PRINT }, { chainError: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), undefined,
    'who signed it does not matter')
})

t.test('ca: the chain must be good, and the name', async t => {
  t.equal(verdict({ mode: 'ca', ca: 'x' }), undefined)
  t.equal(verdict({ mode: 'ca', ca: 'x' }, { chainError: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'certificate_untrusted')
  t.equal(verdict({ mode: 'ca', ca: 'x' }, { commonName: 'other' }), 'wrong_serial')
})

t.test('fingerprints in any spelling', async t => {
  t.ok(sameFingerprint('AA:BB:01', 'aabb01'))
  t.notOk(sameFingerprint('AA:BB:01', 'AA:BB:02'))
})

async function listening (t: Test, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => { sockets.add(socket.on('error', () => {})) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A TLS server that notes what it is asked for and what is said to it. */
async function peer (t: Test, { certificate, key }: Issued, chain = certificate) {
  const heard = { names: [] as (string | undefined)[], bytes: 0, closed: 0 }
  const server = createServer({ cert: chain, key }, socket => {
    heard.names.push((socket as TLSSocket & { servername?: string }).servername)
    socket.on('data', data => { heard.bytes += data.length }).on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Socket) => socket.on('close', () => { heard.closed++ }))
  return { port: await listening(t, server), heard }
}

const rejectsWith = async (t: Test, promise: Promise<unknown>, code: string, message: RegExp = /./) => {
  const error = await promise.then(() => undefined, error => error as Error & { code?: unknown })
  t.equal(error?.code, code)
  t.match(error?.message, message)
}

t.test('a connection gives the fingerprint, and asks for the serial', async t => {
  const own = await issue(SERIAL)
  const { port, heard } = await peer(t, own)
  const { socket, fingerprint } = await connectTls(target({ mode: 'pin' }, port), signal)
  t.equal(fingerprint, own.fingerprint)
  await eventually(() => heard.names.length === 1)
  t.strictSame(heard.names, [SERIAL])
  t.ok(socket.listenerCount('error') > 0, 'a late error is nobody\'s')
  socket.destroy()
})

t.test('a refused certificate isSubscribed nothing from us', async t => {
  const { port, heard } = await peer(t, await issue('01P00A000000009'))
  await rejectsWith(t, connectTls(target({ mode: 'pin' }, port), signal), 'wrong_serial', /'01P00A000000009'/)
  await eventually(() => heard.closed === 1)
  t.equal(heard.bytes, 0)
})

t.test('a changed certificate is refused with the new fingerprint', async t => {
  const own = await issue(SERIAL)
  const { port } = await peer(t, own)
  await rejectsWith(t, connectTls(target({ mode: 'pin', fingerprint: PRINT }, port), signal), 'certificate_changed',
    new RegExp(own.fingerprint))
})

t.test('an own authority', async t => {
  const authority = await issue('Own CA', { authority: true })
  const { port } = await peer(t, await issue(SERIAL, { by: authority }))
  const other = await issue('Other CA', { authority: true })
  const { socket } = await connectTls(target({ mode: 'ca', ca: authority.certificate }, port), signal)
  socket.destroy()
  await rejectsWith(t, connectTls(target({ mode: 'ca', ca: other.certificate }, port), signal), 'certificate_untrusted')
  const stranger = await peer(t, await issue('other', { by: authority }))
  await rejectsWith(t, connectTls(target({ mode: 'ca', ca: authority.certificate }, stranger.port), signal), 'wrong_serial')
})

t.test('an authority in the middle of the chain is enough, though printers send the leaf alone', async t => {
  const root = await issue('Root', { authority: true })
  const device = await issue('Device CA', { by: root, authority: true })
  const { port } = await peer(t, await issue(SERIAL, { by: device }))
  const { socket } = await connectTls(target({ mode: 'ca', ca: device.certificate }, port), signal)
  socket.destroy()
  await rejectsWith(t, connectTls(target({ mode: 'ca', ca: root.certificate }, port), signal), 'certificate_untrusted')
})

t.test('nobody there', async t => {
  const server = createTcp()
  const port = await listening(t, server)
  server.close()
  await once(server, 'close')
  await rejectsWith(t, connectTls(target({ mode: 'pin' }, port), signal), 'unreachable', /switched on/)
})

t.test('somebody who says nothing, or hangs up', async t => {
  const silent = await listening(t, createTcp(() => {}))
  await rejectsWith(t, connectTls(target({ mode: 'pin' }, silent), signal, 50), 'unreachable', /no answer/)
  const rude = await listening(t, createTcp(socket => socket.destroy()))
  await rejectsWith(t, connectTls(target({ mode: 'pin' }, rude), signal), 'unreachable', /closed during the handshake/)
})

t.test('something that is no printer', async t => {
  const port = await listening(t, createTcp(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  await rejectsWith(t, connectTls(target({ mode: 'pin' }, port), signal), 'not_a_printer')
})

t.test('giving up ends it at once', async t => {
  const port = await listening(t, createTcp(() => {}))
  const controller = new AbortController()
  const waiting = connectTls(target({ mode: 'pin' }, port), controller.signal)
  setTimeout(() => controller.abort(new Error('enough')), 10)
  await t.rejects(waiting, { message: 'enough' })
  await t.rejects(connectTls(target({ mode: 'pin' }, port), controller.signal), { message: 'enough' })
})

t.test('the name of a certificate cannot write on the terminal that it is shown on', async t => {
  const named = (CN: unknown) => peerOf({
    authorized: true, getPeerCertificate: () => ({ subject: { CN }, fingerprint256: PRINT })
  } as unknown as TLSSocket)
  t.equal(named('\u001B[2J\u001B]0;owned\u0007\r\nok\u202E').commonName.match(/[\u0000-\u001F\u007F\u202E]/), null) // eslint-disable-line no-control-regex
  t.ok(named('x'.repeat(5_000)).commonName.length <= 64)
  t.equal(named(SERIAL).commonName, SERIAL)
  t.equal(named(undefined).commonName, '')
  t.equal(verifyCertificate(named([SERIAL, 'other']), target({ mode: 'pin' }))?.code, 'wrong_serial', 'two names are none')
})
