import t from 'tap'
import { createDepacketizer } from '../../../../../plugins/camera/upstream/depacketizer.js'
import { createRtpOrder, readRtp, type RtpPacket } from '../../../../../plugins/camera/upstream/rtp.js'
import { readSenderReport, receiverReport } from '../../../../../plugins/camera/upstream/rtcp-reports.js'
import { aggregate, createRtpSource, fragments, key, rtp, slice, SPS } from '../../helpers/h264.js'

const NUMBERS = { sequence: 7, stamp: 0xFFFFFFFF, ssrc: 0xDEADBEEF, payloadType: 96 }

t.test('the head of a packet, with all that may stand between it and its payload', async t => {
  const plain = rtp(Buffer.from('payload'), true, NUMBERS)
  t.match(readRtp(plain), { payloadType: 96, marker: true, sequence: 7, timestamp: 0xFFFFFFFF, ssrc: 0xDEADBEEF })
  const head = (first: number) => Buffer.concat([Buffer.of(first), plain.subarray(1, 12)])
  const sources = Buffer.alloc(8, 1)
  const extension = Buffer.from([0xBE, 0xDE, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8])
  const padding = Buffer.from([0, 0, 3])
  const payload = Buffer.from('payload')
  for (const [what, packet] of Object.entries({
    plain,
    sources: Buffer.concat([head(0x82), sources, payload]),
    extension: Buffer.concat([head(0x90), extension, payload]),
    padding: Buffer.concat([head(0xA0), payload, padding]),
    everything: Buffer.concat([head(0xB2), sources, extension, payload, padding])
  })) {
    const shifted = Buffer.concat([Buffer.alloc(3, 0xFF), packet, Buffer.alloc(3, 0xFF)])
    const { from, end } = readRtp(shifted, 3, 3 + packet.length) ?? {}
    t.equal(shifted.toString('latin1', from, end), 'payload', what)
  }
  for (const [what, packet] of Object.entries({
    nothing: Buffer.alloc(0),
    short: plain.subarray(0, 11),
    version: head(0x40),
    'sources beyond the end': head(0x8F),
    'an extension beyond the end': Buffer.concat([head(0x90), Buffer.from([0, 0, 0xFF, 0xFF]), payload]),
    'an extension without length': Buffer.concat([head(0x90), Buffer.from([0, 0])]),
    'padding that is longer': Buffer.concat([head(0xA0), Buffer.of(200)])
  })) t.equal(readRtp(packet), undefined, what)
})

const numbered = (sequence: number, ssrc = 1, payloadType = 96) =>
  readRtp(rtp(Buffer.of(1), false, { sequence, stamp: 0, ssrc, payloadType })) as RtpPacket

t.test('losses are seen, also where the numbers begin anew', async t => {
  const order = createRtpOrder(96)
  const places = [65_534, 65_535, 0, 1, 1, 3, 4].map(sequence => order.take(numbered(sequence)))
  t.same(places, ['gap', 'next', 'next', 'next', 'foreign', 'gap', 'next'])
  t.same(order.reception, { ssrc: 1, highest: 0x1_0004, lost: 1 })
})

t.test('what is of another source or kind is left out, until it takes over', async t => {
  const order = createRtpOrder(96)
  order.take(numbered(1))
  t.equal(order.take(numbered(2, 1, 97)), 'foreign')
  t.equal(order.take(numbered(900, 2)), 'foreign')
  t.equal(order.take(numbered(2)), 'next')
  const places = Array.from({ length: 60 }, (_, at) => order.take(numbered(900 + at, 2)))
  t.same(places.slice(48, 52), ['foreign', 'gap', 'next', 'next'])
  t.equal(order.reception?.ssrc, 2)
})

function taken (payloads: readonly Buffer[]): { nals: string[], isInside: boolean } {
  const nals: string[] = []
  const depacketizer = createDepacketizer({
    onNal: nal => nals.push(nal.toString('hex')),
    onDamage: () => nals.push('damage')
  })
  for (const payload of payloads) depacketizer.take(payload)
  return { nals, isInside: depacketizer.isInside }
}
const hex = (...nals: readonly Buffer[]) => nals.map(nal => nal.toString('hex'))

t.test('units come out whole from single packets, several in one, and fragments', async t => {
  const picture = key({ size: 5_000 })
  t.same(taken([SPS]).nals, hex(SPS))
  t.same(taken([aggregate(SPS, picture, slice())]).nals, hex(SPS, picture, slice()))
  for (const size of [1, 100, 1_400, 4_998]) t.same(taken(fragments(picture, size)).nals, hex(picture), `${size} bytes`)
  t.same(taken([Buffer.concat([Buffer.of(0x7C, 0xC5), picture.subarray(1)])]).nals, hex(picture), 'first and last at once')
  t.equal(taken(fragments(picture, 1_000).slice(0, 3)).isInside, true)
})

t.test('units keep no packet in memory', async t => {
  const packet = Buffer.concat([SPS, Buffer.alloc(60_000)]).subarray(0, SPS.length)
  const nals: Buffer[] = []
  const depacketizer = createDepacketizer({ onNal: nal => nals.push(nal), onDamage: () => {} })
  for (const payload of [packet, ...fragments(key({ size: 20_000 }), 1_000)]) depacketizer.take(payload)
  packet.fill(0)
  t.ok(nals[0]?.equals(SPS))
  t.ok((nals[1]?.buffer.byteLength ?? Infinity) <= 20_000)
})

t.test('what was cut, lies or is unknown is damage, and what follows it is not', async t => {
  const pieces = fragments(key({ size: 500 }), 100)
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = pieces
  const last = pieces.at(-1) ?? Buffer.alloc(0)
  const d = ['damage']
  for (const [what, payloads, wanted] of [
    ['no beginning', [second, last, SPS], [...d, ...d, ...hex(SPS)]],
    ['no end', [first, SPS], [...d, ...hex(SPS)]],
    ['no end before the next', [first, ...pieces], [...d, ...hex(key({ size: 500 }))]],
    ['another type in the middle', [first, ...fragments(slice({ size: 300 }), 100).slice(1), SPS], [...d, ...d, ...hex(SPS)]],
    ['an empty fragment', [Buffer.of(0x7C, 0x85), SPS], [...d, ...hex(SPS)]],
    ['a length beyond the end', [Buffer.concat([aggregate(SPS), Buffer.of(0xFF, 0xFF, 1)])], [...hex(SPS), ...d]],
    ['no lengths', [Buffer.of(0x78), Buffer.of(0x78, 0)], []],
    ['lengths of nothing', [Buffer.of(0x78, 0, 0, 0, 0)], []],
    ['of another mode', [Buffer.of(0x7D, 0, 1, 1), Buffer.of(0x79)], [...d, ...d]],
    ['nothing', [Buffer.alloc(0), Buffer.of(0)], []]
  ] as const) t.same(taken(payloads).nals, wanted, what)
})

t.test('a unit that never ends is dropped, and does not fill the memory', async t => {
  const piece = Buffer.concat([Buffer.of(0x7C, 0x05), Buffer.alloc(60_000)])
  const first = Buffer.of(0x7C, 0x85, 1)
  const { nals } = taken([first, ...Array.from({ length: 80 }, () => piece), SPS])
  t.same([nals[0], nals.at(-1)], ['damage', ...hex(SPS)])
})

t.test('the report names the source, the newest packet and when its sender last reported', async t => {
  const sent = Buffer.alloc(28)
  sent.writeUInt32BE(0x80C80006, 0)
  sent.writeUInt32BE(5, 4)
  sent.writeUInt32BE(0x11112222, 8)
  sent.writeUInt32BE(0x33334444, 12)
  const heard = readSenderReport(sent, 1_000)
  t.same(heard, { ssrc: 5, time: 0x22223333, arrivedMs: 1_000 })
  const report = receiverReport(9, { ssrc: 5, highest: 77, lost: 3 }, heard, 2_500)
  t.equal(report.toString('hex'), '81c90007' + '00000009' + '00000005' + '00000003' + '0000004d' + '00000000' +
    '22223333' + '00018000' + '81ca0003' + '00000009' + '010470726e640000')
  t.equal(readSenderReport(sent.subarray(0, 20), 0), undefined)
  t.equal(readSenderReport(report, 0), undefined)
})

t.test('the packets that these tests are made of are such', async t => {
  const source = createRtpSource()
  const packets = source.picture([SPS, key({ size: 2_500 })]).map(packet => readRtp(packet))
  t.same(packets.map(packet => packet?.sequence), [65_530, 65_531, 65_532, 65_533])
  t.same(packets.map(packet => packet?.marker), [false, false, false, true])
})
