import { connect } from 'node:net'
import t, { type Test } from 'tap'
import {
  DETECT_LIMITS, frameDetect, openPlainListener, readDetectFrames, serveDetect, type DetectedPrinter
} from '../../../plugins/printer-servers/index.js'
import { contents, detect, dial, received, REQUEST } from './detect-client.js'

const PRINTER: DetectedPrinter = { serial: '00M00A123456789', code: 'BL-P001', firmware: '01.08.00.00', name: 'Wörkshop' }
const HOST = '127.0.0.1'
const ASKED = { login: { command: 'detect', sequence_id: '20004' } }

async function open (t: Test, limits = DETECT_LIMITS, printer = PRINTER): Promise<{ host: string, port: number }> {
  const listener = await openPlainListener({ host: HOST, port: 0, limits }, serveDetect(() => printer))
  t.teardown(() => listener.close())
  return { host: HOST, port: listener.port }
}

/** A frame around these bytes, of this length. */
function framed (content: string, length = Buffer.byteLength(content) + 6): Buffer {
  const frame = Buffer.concat([Buffer.from('a5a50000', 'hex'), Buffer.from(content), Buffer.from('a7a7', 'hex')])
  frame.writeUInt16LE(length, 2)
  return frame
}

t.test('a frame has the length of all of it', async t => {
  t.same(frameDetect(ASKED), REQUEST, 'as recorded, byte by byte')
  t.equal(REQUEST.readUInt16LE(2), 58)
  t.throws(() => frameDetect('x'.repeat(70_000)), RangeError)
})

t.test('frames are read as they arrive', async t => {
  t.same(readDetectFrames(REQUEST), { documents: [ASKED], rest: Buffer.alloc(0) })
  for (let cut = 0; cut < REQUEST.length; cut++) {
    t.same(readDetectFrames(REQUEST.subarray(0, cut)), { documents: [], rest: REQUEST.subarray(0, cut) }, `${cut} bytes`)
  }
  const [both, begun] = [Buffer.concat([REQUEST, REQUEST]), REQUEST.subarray(0, 9)]
  t.same(readDetectFrames(both)?.documents, [ASKED, ASKED])
  t.same(readDetectFrames(Buffer.concat([both, begun])), { documents: [ASKED, ASKED], rest: begun })
})

t.test('what is not the protocol is no frame', async t => {
  for (const [what, bytes] of Object.entries({
    'another start': Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    'half a start': Buffer.from('a5a4', 'hex'),
    'a TLS client on the port without it': Buffer.from('16030100', 'hex'),
    'another end': Buffer.concat([REQUEST.subarray(0, -2), Buffer.from('a7a5', 'hex')]),
    'shorter than its own framing': framed('', 5),
    'without content': framed('', 6),
    'the length of the content alone': framed(JSON.stringify(ASKED), 52),
    'longer than any request': Buffer.from('a5a50110', 'hex'),
    'the longest': Buffer.from('a5a5ffff', 'hex'),
    'no JSON': framed('login'),
    'rubbish after a request': Buffer.concat([REQUEST, Buffer.from('rubbish')])
  })) t.equal(readDetectFrames(bytes), undefined, what)
  t.same(readDetectFrames(Buffer.from('a5a50010', 'hex'))?.documents, [], '4096 bytes may still come')
})

t.test('the reply says which printer this is, and that it can be added', async t => {
  const { replies } = await detect(await open(t))
  t.same(replies, [{
    bind: 'free',
    command: 'detect',
    connect: 'lan',
    dev_cap: 1,
    id: '00M00A123456789',
    model: 'BL-P001',
    name: 'Wörkshop',
    sequence_id: 3021,
    version: '01.08.00.00'
  }])
})

t.test('requests may come in pieces or together', async t => {
  const place = await open(t)
  const slow = await dial(place)
  const answer = received(slow)
  for (const byte of REQUEST) await new Promise(resolve => slow.write(Buffer.from([byte]), resolve))
  t.equal(contents(await answer).length, 1, 'byte by byte')
  const eager = await dial(place)
  eager.write(Buffer.concat([REQUEST, framed('{"login":{"command":"login"}}'), REQUEST]))
  t.equal(contents(await received(eager)).length, 2, 'several in one packet')
  const greedy = await dial(place)
  greedy.write(Buffer.concat(Array.from({ length: 60 }, () => REQUEST)))
  t.equal(contents(await received(greedy)).length, 8, 'not without end')
  const leaving = await dial(place)
  leaving.end(REQUEST)
  t.equal(contents(await received(leaving)).length, 1, 'a client that says nothing more')
})

t.test('what is not understood ends the connection without an answer, and nothing ends the service', async t => {
  const place = await open(t)
  const rubbish = ['null', '[]', '7', '"login"', '{}', '{"login":null}', '{"login":"detect"}', '{"login":[]}',
    '{"login":{"command":"login"}}', '{"login":{"command":["detect"]}}', '{"__proto__":{"login":{"command":"detect"}}}',
    `${'['.repeat(2_000)}${']'.repeat(2_000)}`].map(content => framed(content))
  const others = [Buffer.from('a5a5ffff', 'hex'), Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(200_000, 0xA5)]
  for (const bytes of [...rubbish, ...others]) {
    const socket = await dial(place)
    socket.write(bytes)
    t.same(await received(socket), Buffer.alloc(0), bytes.toString('latin1', 0, 60))
  }
  const nameless = await open(t, DETECT_LIMITS, { ...PRINTER, name: 'x'.repeat(70_000) })
  t.same((await detect(nameless)).replies, [], 'a name that fits no frame')
  t.equal((await detect(place)).replies.length, 1)
})

t.test('clients that do not ask, or do not leave, are ended; many of them keep nobody out', async t => {
  const place = await open(t,
    { connections: 6, connectionsPerAddress: 4, strangers: 6, strangersPerAddress: 4, strangerMs: 300 })
  const silent = await dial(place)
  const begun = await dial(place)
  begun.write(REQUEST.subarray(0, 20))
  t.same(await Promise.all([silent, begun].map(received)), [Buffer.alloc(0), Buffer.alloc(0)])
  const many = await Promise.all(Array.from({ length: 12 }, () => dial(place)))
  t.equal((await detect(place)).replies.length, 1, 'the oldest ones make room')
  await Promise.all(many.map(received))
})

t.test('a port that is taken says so', async t => {
  const { port } = await open(t)
  await t.rejects(openPlainListener({ host: HOST, port }, () => {}), { code: 'EADDRINUSE' })
})

t.test('a client that is refused is not served', async t => {
  const served: unknown[] = []
  const listener = await openPlainListener({ host: HOST, port: 0, admits: () => false },
    socket => { served.push(socket) })
  t.teardown(() => listener.close())
  const socket = connect({ host: HOST, port: listener.port })
  t.same(await received(socket), Buffer.alloc(0))
  t.same(served, [])
})
