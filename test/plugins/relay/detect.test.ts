import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { detectPorts } from '../../../plugins/relay/detect.js'
import { eventually } from '../../helpers/eventually.js'
import { freePort, printerPorts } from '../../helpers/ports.js'
import { detect, dial, received } from '../printer-servers/detect-client.js'
import { connectClient, FULL, READ, REAL, relay, type Relayed } from './relay.js'

/** Another address of this machine than that of the virtual printers. */
const RELAY_HOST = '127.0.0.2'
const RELAY_WORD = 0x0200007F

const detectOfOwn = async () => ({ detect: await freePort(), detectTls: await freePort() })

interface Status { readonly printer: string, readonly ports: Record<string, number>, readonly warnings: string[] }

const statusOf = async ({ http }: Relayed): Promise<Status[]> =>
  ((await http('GET', '/api/relay')).body as { printers: Status[] }).printers

const fingerprintOf = async (port: number, host: string): Promise<string> => {
  const socket = await dial({ host, port, isSecure: true }) as TLSSocket
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}

/** Occupies a port until the test ends. */
async function occupy (t: Test, port: number, host: string): Promise<void> {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  t.teardown(() => new Promise<void>(resolve => server.close(() => resolve())))
}

t.test('the ports are the usual ones where the printer has the usual one', async t => {
  t.same(detectPorts({}), { detect: 3000, detectTls: 3002 })
  t.same(detectPorts({ mqtt: 8883, detect: 3300 }), { detect: 3300, detectTls: 3002 })
  t.same(detectPorts({ mqtt: 18_883 }), {}, 'else the answer would be wrong for the printer on 8883')
  t.same(detectPorts({ mqtt: 18_883, detectTls: 13_002 }), { detectTls: 13_002 })
})

t.test('a relayed printer says which it is, and its reports lead back to the relay', async t => {
  const places = await Promise.all(['x1c', 'p1s'].map(async printer =>
    ({ printer, ports: { ...await printerPorts(), ...await detectOfOwn() }, bind: RELAY_HOST })))
  const models = [{ model: 'X1C', name: 'x1c', accessCode: REAL }, { model: 'P1S', name: 'p1s', accessCode: REAL }] as const
  const [first, second] = places.map(({ ports }) => ports)
  if (first === undefined || second === undefined) throw new Error('two were asked for')
  const named = [{ ...places[0], name: 'Workshop' }, places[1]]
  const service = await relay(t, { models, relay: { printers: named } })
  const [x1c, p1s] = service.printers
  await eventually(() => service.kernel.printers.get('x1c')?.state?.firmware.printer !== '')
  const expected =
    { bind: 'free', command: 'detect', connect: 'lan', dev_cap: 1, model: 'BL-P001', name: 'Workshop', id: x1c?.serial }

  await t.test('on both ports, each printer for itself', async t => {
    const plain = await detect({ host: RELAY_HOST, port: first.detect })
    t.match(plain.replies, [{ ...expected, version: /^\d\d(\.\d\d){3}$/ }])
    t.equal(plain.replies[0]?.version, service.kernel.printers.get('x1c')?.state?.firmware.printer)
    t.same((await detect({ host: RELAY_HOST, port: first.detectTls, isSecure: true })).replies, plain.replies)
    const { replies } = await detect({ host: RELAY_HOST, port: second.detect })
    t.match(replies, [{ id: p1s?.serial, model: 'C12', name: 'p1s' }])
    t.notMatch(JSON.stringify([plain, replies]), new RegExp([REAL, FULL, READ].join('|')), 'no code is in it')
  })

  await t.test('the certificate is that of the other ports, also for clients with the vendor\'s ciphers', async t => {
    const place = { host: RELAY_HOST, port: first.detectTls, isSecure: true }
    const mqtt = await fingerprintOf(first.mqtt, RELAY_HOST)
    for (const ciphers of ['AES256-GCM-SHA384', 'AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384']) {
      const { fingerprint, replies } = await detect(place, { ciphers, maxVersion: 'TLSv1.2' })
      t.same([fingerprint, replies.length], [mqtt, 1], ciphers)
    }
  })

  await t.test('rubbish at these ports does not reach the others', async t => {
    const rubbish = [
      [first.detect, 'GET / HTTP/1.1\r\n\r\n'], [first.detectTls, '\u0016\u0003\u0001'], [first.detectTls, 'rubbish']
    ] as const
    for (const [port, bytes] of rubbish) {
      const socket = connect({ host: RELAY_HOST, port })
      socket.write(Buffer.from(bytes, 'latin1'))
      if (bytes.length < 4) socket.end()
      t.notMatch((await received(socket)).toString(), /login/)
    }
    const begun = connectTls({ host: RELAY_HOST, port: first.detectTls, rejectUnauthorized: false })
    begun.on('error', () => {}).destroy()
    t.equal((await detect({ host: RELAY_HOST, port: first.detectTls, isSecure: true })).replies.length, 1)
  })

  await t.test('the status names the ports', async t => {
    const [status] = await statusOf(service)
    t.match(status,
      { printer: 'x1c', problem: '', warnings: [], ports: { detect: first.detect, detect_tls: first.detectTls } })
  })

  await t.test('reports name the relay\'s address, for each client the one that it uses', async t => {
    const place = { ...service, serial: String(x1c?.serial), ports: first }
    const client = await connectClient(t, place, READ, { host: RELAY_HOST })
    const whole = await client.answer('print', ({ msg, net }) => msg === 0 && net !== undefined)
    t.match(whole.net.info, [{ ip: RELAY_WORD }, { ip: 0, mask: 0 }])
    t.equal(whole.ipcam.rtsp_url, `rtsps://${RELAY_HOST}:${first.rtsps}/streaming/live/1`)
    x1c?.publish('{"print":{"command":"push_status","msg":1,"net":{"info":[{"ip":167880896,"mask":16777215}]}}}')
    const { net } = await client.answer('print', ({ msg, net }) => msg === 1 && net !== undefined)
    t.equal(net.info[0].ip, RELAY_WORD)
    t.notMatch(client.heard.map(String).join(''), /167880896|rtsps:\/\/127\.0\.0\.1/)
  })
})

t.test('a port that is taken costs this service alone, and is said', async t => {
  const own = await detectOfOwn()
  await occupy(t, own.detect, '127.0.0.1')
  const service = await relay(t, { relay: { printers: [{ printer: 'x1c', ports: { ...await printerPorts(), ...own } }] } })
  const [status] = await statusOf(service)
  t.match(status, { problem: '', warnings: [new RegExp(`port ${own.detect}\\b.*EADDRINUSE`)], ports: { mqtt: Number, detect_tls: own.detectTls } })
  t.notOk(status?.ports.detect)
  t.equal((await detect({ port: own.detectTls, isSecure: true })).replies.length, 1)
})

t.test('without the option, nobody is answered', async t => {
  const own = await detectOfOwn()
  const service = await relay(t, { relay: { detect: false, printers: [{ printer: 'x1c', ports: { ...await printerPorts(), ...own } }] } })
  t.match(await statusOf(service), [{ problem: '', warnings: [] }])
  await t.rejects(dial({ port: own.detect }), { code: 'ECONNREFUSED' })
  await t.rejects(dial({ port: own.detectTls, isSecure: true }), { code: 'ECONNREFUSED' })
})
