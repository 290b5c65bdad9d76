import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { detectedFrom, detectPrinter, readDetectReply } from '../../../plugins/management/detect-printer.js'
import { freePort } from '../../helpers/ports.js'

const HOST = '127.0.0.1'
const { signal } = new AbortController()

/** As recorded from a P2S, apart from its name and number. */
const REPLY = '{"login":{"bind":"occupied","command":"detect","connect":"cloud","dev_cap":1,"id":"22E00A000000001",' +
  '"model":"N7","name":"Werkbank","sequence_id":3021,"version":"01.02.00.00"}}'

function framed (content: string, length = Buffer.byteLength(content) + 6): Buffer {
  const frame = Buffer.concat([Buffer.from('a5a50000', 'hex'), Buffer.from(content), Buffer.from('a7a7', 'hex')])
  frame.writeUInt16LE(length, 2)
  return frame
}

/** Something at an address that is no printer. */
async function peer (t: Test, act: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => {}))
    act(socket)
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

t.test('a reply is read as it arrives', async t => {
  const bytes = framed(REPLY)
  for (const cut of [0, 3, 4, 100, bytes.length - 1]) t.equal(readDetectReply(bytes.subarray(0, cut)), 'partial', `${cut} bytes`)
  t.match(readDetectReply(bytes), { id: '22E00A000000001' })
  for (const [what, other] of Object.entries({
    'another start': Buffer.from('SSH-2.0'),
    'another end': Buffer.concat([bytes.subarray(0, -1), Buffer.from([0])]),
    'too short': framed('', 5),
    'too long': framed('', 60_000),
    'no JSON': framed('{'),
    'a refusal': framed('{"login":{"command":"login_report","status":"FAILURE"}}'),
    'no login': framed('{"login":null}'),
    nothing: framed('null')
  })) t.equal(readDetectReply(other), undefined, what)
})

t.test('only what a printer could say gets into a form', async t => {
  const { login } = JSON.parse(REPLY) as { login: Record<string, unknown> }
  t.same(detectedFrom(login, '10.0.0.7'), {
    name: 'Werkbank',
    ip: '10.0.0.7',
    serial: '22E00A000000001',
    model: 'N7',
    model_decoded: 'P2S',
    bind_state: 'occupied',
    connect_state: 'cloud',
    firmware_version: '01.02.00.00'
  })
  t.match(detectedFrom({ id: '00M00A123456789', name: ` a\u001B[31m${'x'.repeat(200)}`, model: 7 }, 'h'),
    { name: /^a\[31mx{59}$/, model: '', model_decoded: 'X1C' })
  for (const id of [undefined, '', 7, '<script>', 'lower-case', 'X'.repeat(33), { id: 1 }]) {
    t.equal(detectedFrom({ ...login, id }, 'h'), undefined, String(id))
  }
})

t.test('a printer is asked on both ports, whichever it has', async t => {
  const printer = createVirtualPrinter({ model: 'H2D', name: 'Large' })
  await printer.start()
  t.teardown(() => printer.stop())
  const { detect: plain, detectTls: tls } = printer.detectPorts
  const expected = { serial: printer.serial, name: 'Large', ip: HOST, model_decoded: 'H2D', bind_state: 'free', connect_state: 'lan' }
  const closed = await freePort()
  for (const ports of [{ plain, tls }, { plain, tls: closed }, { plain: closed, tls }]) {
    t.match(await detectPrinter(HOST, signal, ports), expected, JSON.stringify(ports))
  }
})

t.test('what is no printer gives no answer', async t => {
  const closed = await freePort()
  const refuses = async (port: number, what: string) =>
    t.equal(await detectPrinter(HOST, signal, { plain: port, tls: closed }), undefined, what)
  await refuses(closed, 'nothing at all')
  await refuses(await peer(t, socket => { socket.write('220 ready\r\n') }), 'another protocol')
  await refuses(await peer(t, socket => { socket.end() }), 'one that hangs up')
  await refuses(await peer(t, socket => { socket.write(framed(REPLY.replace('22E00A000000001', '../../etc'))) }), 'no serial number')
  await refuses(await peer(t, socket => { socket.write(Buffer.alloc(100_000, 0xA5)) }), 'rubbish')
  t.equal(await detectPrinter('nowhere.invalid', signal), undefined, 'a name that nobody has')
})

t.test('a silent peer is waited for until the caller gives up', async t => {
  const silent = await peer(t, () => {})
  const controller = new AbortController()
  const asked = detectPrinter(HOST, controller.signal, { plain: silent, tls: silent })
  controller.abort(new Error('closed'))
  await t.rejects(asked, /closed/)
  await t.rejects(detectPrinter(HOST, controller.signal, { plain: silent, tls: silent }), /closed/)
})
