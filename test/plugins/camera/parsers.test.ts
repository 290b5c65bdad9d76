import t from 'tap'
import { readQuality, jpegSize } from '../../../plugins/camera/frame.js'
import { createFpsMeter } from '../../../plugins/camera/fps-meter.js'
import { createJpegParser, loginPacket } from '../../../plugins/camera/upstream/jpeg-messages.js'
import { createSplitter } from '../../../plugins/camera/decoder/splitter.js'
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
