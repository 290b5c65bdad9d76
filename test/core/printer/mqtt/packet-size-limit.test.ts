import t from 'tap'
import { createPacketSizeLimit } from '../../../../core/printer/mqtt/mqtt-connection.js'

const LIMIT = 1000

/** The lengths that were too long, after feeding these chunks. */
function feed (...chunks: (Uint8Array | number[])[]): number[] {
  const told: number[] = []
  const guard = createPacketSizeLimit(LIMIT, bytes => told.push(bytes))
  for (const chunk of chunks) guard(Uint8Array.from(chunk))
  return told
}

/** A packet with a body of this length, its length field written by hand. */
const packet = (header: number[], length: number) => [0x30, ...header, ...new Uint8Array(length)]

t.test('packets within the limit', async t => {
  t.strictSame(feed(packet([5], 5), packet([0xE8, 0x07], 1000)), [])
})

t.test('a packet that only claims to be too long is told before it comes', async t => {
  t.strictSame(feed([0x30, 0xE9, 0x07]), [1001])
  t.equal(feed([0x30, 0xFF, 0xFF, 0xFF, 0x7F]).length, 1, 'the longest there can be')
})

t.test('a length field in several chunks', async t => {
  t.strictSame(feed([0x30], [0xE9], [0x07]), [1001])
  t.strictSame(feed([0x30], [0xE8], [0x07], new Uint8Array(999), [0], [0x30, 0xE9, 0x07]), [1001])
})

t.test('several packets in one chunk, also empty ones', async t => {
  t.strictSame(feed([0xD0, 0, 0xD0, 0, ...packet([3], 3), 0xD0, 0, 0x30, 0xE9, 0x07]), [1001])
})

t.test('bodies are not taken for headers', async t => {
  t.strictSame(feed([0x30, 6, 0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0x30], [0xD0, 0]), [])
})

t.test('cut anywhere, the same stream is judged the same', async t => {
  const stream = [...packet([5], 5), 0xD0, 0, ...packet([0xE8, 0x07], 1000), 0x30, 0xE9, 0x07]
  for (let cut = 1; cut < stream.length; cut += 7) {
    t.strictSame(feed(stream.slice(0, cut), stream.slice(cut)), [1001], `at ${cut}`)
  }
})
