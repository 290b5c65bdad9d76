import t from 'tap'
import { createHash } from 'node:crypto'
import { readQuality, jpegSize } from '../../../plugins/camera/frame.js'
import { createFpsMeter } from '../../../plugins/camera/camera-feed.js'
import { createJpegParser, loginPacket } from '../../../plugins/camera/upstream/jpeg-messages.js'
import { authorization, challengeOf } from '../../../plugins/camera/upstream/rtsp-auth.js'
import { createRtspRewriter } from '../../../plugins/camera/upstream/rtsp-rewriter.js'
import { createRtspParser, type RtspPart } from '../../../plugins/camera/upstream/rtsp-messages.js'
import { createSplitter } from '../../../plugins/camera/upstream/splitter.js'
import { framed } from './helpers/jpeg-peer.js'
import { picture } from './helpers/pictures.js'

/** What ended a camera's connection. */
function kindOf (work: () => void): string {
  try {
    work()
  } catch (error) {
    return (error as { kind?: string }).kind ?? String(error)
  }
  return 'nothing'
}

const inPieces = (bytes: Buffer, size: number, take: (piece: Buffer) => void) => {
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size))
}

t.test('the login packet is the documented one, byte by byte', async t => {
  t.equal(loginPacket('12345678').toString('hex'), '40000000' + '00300000' + '00'.repeat(8) +
    Buffer.from('bblp').toString('hex') + '00'.repeat(28) + Buffer.from('12345678').toString('hex') + '00'.repeat(24))
})

t.test('pictures behind heads come out whole, whatever the pieces', async t => {
  const sent = [await picture('1', 200, 100), await picture('2', 300, 200)]
  const wire = Buffer.concat(sent.map(jpeg => framed(jpeg)))
  for (const size of [1, 7, 16, 4096, wire.length]) {
    const got: Buffer[] = []
    inPieces(wire, size, createJpegParser(jpeg => got.push(jpeg)))
    t.ok(got.length === 2 && got.every((jpeg, at) => jpeg.equals(sent[at] ?? Buffer.alloc(0))), `pieces of ${size}`)
  }
})

t.test('a length that cannot be ends the stream', async t => {
  for (const length of [0, 999, 10_000_001, 0xFFFFFFFF]) {
    t.equal(kindOf(() => createJpegParser(() => {})(framed(Buffer.alloc(8), length))), 'bad_data', String(length))
  }
})

t.test('pictures one after the other come out whole, and what is between them does not', async t => {
  const sent = [await picture('1', 200, 100), await picture('2', 300, 200)]
  const wire = Buffer.concat([Buffer.from([0xFF, 0, 1]), ...sent.flatMap(jpeg => [jpeg, Buffer.from('between')])])
  for (const size of [1, 2, 3, 1000, wire.length]) {
    const got: Buffer[] = []
    inPieces(wire, size, createSplitter(jpeg => got.push(jpeg)))
    t.ok(got.length === 2 && got.every((jpeg, at) => jpeg.equals(sent[at] ?? Buffer.alloc(0))), `pieces of ${size}`)
  }
})

t.test('a picture that never ends is dropped', async t => {
  const good = await picture('1', 200, 100)
  const got: Buffer[] = []
  const split = createSplitter(jpeg => got.push(jpeg))
  split(Buffer.from([0xFF, 0xD8]))
  for (let round = 0; round < 200; round++) split(Buffer.alloc(1024 * 1024))
  split(good)
  t.same(got.map(({ length }) => length), [good.length])
})

t.test('the size is read from the picture, and what is no picture has none', async t => {
  const jpeg = await picture('1', 320, 180)
  t.same(jpegSize(jpeg), { width: 320, height: 180 })
  for (const [what, bytes] of Object.entries({
    nothing: Buffer.alloc(0),
    zeros: Buffer.alloc(5000),
    'marks only': Buffer.from([0xFF, 0xD8, 0xFF, 0xD9]),
    'cut off': jpeg.subarray(0, -2),
    'without a beginning': jpeg.subarray(2),
    'marks around zeros': Buffer.concat([Buffer.from([0xFF, 0xD8]), Buffer.alloc(3000), Buffer.from([0xFF, 0xD9])])
  })) t.equal(jpegSize(bytes), undefined, what)
})

t.test('quality is plain digits', async t => {
  for (const [given, wanted] of [['85', 85], ['085', 85], ['000001', 1], ['100', 100], [60, 60]] as const) t.equal(readQuality(given), wanted)
  for (const given of ['0', '101', '0000085', '', ' 85', '+85', '-1', '8_5', '60.5', '8e1', '٨٥', 0, 1.5, NaN, null, undefined, true]) {
    t.equal(readQuality(given), undefined, String(given))
  }
})

t.test('messages and media are told apart, whatever the pieces', async t => {
  const text = 'RTSP/1.0 200 OK\r\nCSeq: 2\r\nContent-Length: 5\r\n\r\nhello'
  const media = Buffer.concat([Buffer.from([0x24, 0, 0, 4]), Buffer.from('\r\n\r\n')])
  const wire = Buffer.concat([Buffer.from(text), media, media, Buffer.from(text)])
  for (const size of [1, 5, wire.length]) {
    const parts: RtspPart[] = []
    inPieces(wire, size, createRtspParser(part => parts.push(part)))
    const texts = parts.filter(part => part.kind === 'text')
    t.same(texts.map(({ body }) => body.toString()), ['hello', 'hello'])
    t.same(Buffer.concat(parts.flatMap(part => part.kind === 'media' ? [part.bytes] : [])), Buffer.concat([media, media]))
  }
})

t.test('what is no RTSP is refused before it fills the memory', async t => {
  t.equal(kindOf(() => createRtspParser(() => {})(Buffer.alloc(70_000))), 'bad_data')
  t.equal(kindOf(() => createRtspParser(() => {})(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))), 'bad_data')
  t.equal(kindOf(() => createRtspParser(() => {})(Buffer.from('RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n'))), 'bad_data')
})

t.test('the password is shown as the standard has it', async t => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const challenge = challengeOf(['WWW-Authenticate: Digest realm="LIVE555 Streaming Media", nonce="abc"'])
  if (challenge === undefined) return t.fail('no challenge')
  const line = authorization(challenge, { user: 'bblp', password: '1' }, 'DESCRIBE', 'rtsps://h/x')
  const wanted = md5(`${md5('bblp:LIVE555 Streaming Media:1')}:abc:${md5('DESCRIBE:rtsps://h/x')}`)
  t.match(line, `response="${wanted}"`)
  t.same(challengeOf(['WWW-Authenticate: Basic realm="x"']), { scheme: 'basic' })
  t.equal(challengeOf(['WWW-Authenticate: Bearer']), undefined)
})

t.test('the player never sees the password nor the question for it', async t => {
  const up: string[] = []
  const down: string[] = []
  const rewriter = createRtspRewriter({
    ours: 'rtsp://127.0.0.1:5/k',
    theirs: 'rtsps://printer:322',
    accessCode: 'secret12',
    toCamera: bytes => up.push(bytes.toString()),
    toPlayer: bytes => down.push(bytes.toString())
  })
  rewriter.request(Buffer.from('DESCRIBE rtsp://127.0.0.1:5/k/streaming/live/1 RTSP/1.0\r\nCSeq: 2\r\n\r\n'))
  t.match(up[0], /^DESCRIBE rtsps:\/\/printer:322\/streaming\/live\/1 RTSP\/1\.0/)
  const question = 'RTSP/1.0 401 Unauthorized\r\nCSeq: 2\r\nWWW-Authenticate: Digest realm="r", nonce="n"\r\n\r\n'
  rewriter.answer(Buffer.from(question))
  t.match(up[1], /Authorization: Digest username="bblp".*uri="rtsps:\/\/printer:322/)
  t.notMatch(up.join(), 'secret12')
  t.same(down, [])
  t.equal(kindOf(() => rewriter.answer(Buffer.from(question))), 'access_code_rejected')
})

t.test('a camera cannot send the player elsewhere', async t => {
  for (const answer of [
    'RTSP/1.0 302 Moved Temporarily\r\nCSeq: 1\r\nLocation: rtsp://192.0.2.66/x\r\n\r\n',
    'RTSP/1.0 301 Moved\r\nLocation: rtsp://192.0.2.66/x\r\n\r\n',
    'RTSP/1.0 305 Use Proxy\r\nCSeq: 1\r\nLocation: rtsp://192.0.2.66/x\r\n\r\n',
    'REDIRECT rtsp://printer/streaming/live/1 RTSP/1.0\r\nCSeq: 9\r\nLocation: rtsp://192.0.2.66/x\r\n\r\n'
  ]) {
    const down: string[] = []
    const rewriter = createRtspRewriter({
      ours: 'rtsp://127.0.0.1:5/k',
      theirs: 'rtsps://printer:322',
      accessCode: 'secret12',
      toCamera: () => {},
      toPlayer: bytes => down.push(bytes.toString())
    })
    rewriter.request(Buffer.from('OPTIONS rtsp://127.0.0.1:5/k/streaming/live/1 RTSP/1.0\r\nCSeq: 1\r\n\r\n'))
    t.equal(kindOf(() => rewriter.answer(Buffer.from(answer))), 'bad_data', answer)
    t.same(down, [], 'the player does not hear of it')
  }
})

t.test('pictures a second, over the last ten', async t => {
  let now = 0
  const rate = createFpsMeter(() => now)
  for (now = 0; now < 20_000; now += 100) rate.count()
  t.equal(rate.value(), 10)
  now += 8_000
  t.equal(rate.value(), 1.9)
  now += 10_000
  t.equal(rate.value(), 0)
})
