import t from 'tap'
import { createMediaClock } from '../../../../../plugins/camera/upstream/video-receiver.js'
import type { VideoTrack } from '../../../../../plugins/camera/upstream/sdp.js'
import { createVideoReceiver } from '../../../../../plugins/camera/upstream/video-receiver.js'
import type { AccessUnit } from '../../../../../plugins/camera/video/types.js'
import { aggregate, createRtpSource, DELIMITER, key, OTHER_SPS, PPS, SEI, slice, SPS } from '../../helpers/h264.js'

const TRACK: VideoTrack = { payloadType: 96, control: undefined, sessionControl: undefined, parameterSets: [SPS, PPS] }

function receive (parameterSets = TRACK.parameterSets) {
  const units: AccessUnit[] = []
  const receiver = createVideoReceiver({
    track: { ...TRACK, parameterSets },
    now: () => 1_700_000_000_000,
    nextSeq: () => units.length + 1,
    onUnit: unit => units.push(unit),
    monotonic: () => units.length * 33
  })
  return {
    units,
    take: (packets: readonly Buffer[]) => { for (const packet of packets) receiver.packet(packet) },
    shape: () => units.map(({ key, nalus }) => `${key ? 'key' : 'p'} ${nalus.map(nal => (nal[0] ?? 0) & 0x1F).join()}`)
  }
}

/** A key picture and two that follow, each of two slices. */
const TWO_SLICES = [
  [key({ size: 3_000 }), key({ first: 100, size: 200 })],
  [slice({ size: 100 }), slice({ first: 100 })],
  [slice(), slice({ first: 100, size: 2_500 })]
]

t.test('pictures with honest markers come with their last packet', async t => {
  const source = createRtpSource()
  const { units, take, shape } = receive()
  take(source.picture([SPS, PPS, SEI, key({ size: 3_000 })]))
  t.equal(units.length, 0, 'the first one is waited for, until its marker has proved right')
  take(source.picture([slice()]))
  t.same(shape(), ['key 6,5', 'p 1'])
  for (let count = 3; count < 40; count++) {
    take(source.picture([slice({ size: count * 100 })]))
    t.equal(units.length, count)
  }
  t.match(units[0], { seq: 1, at: 1_700_000_000_000, time: 0, format: { width: 1920, height: 1080, codec: 'avc1.640028' } })
  t.same(units[0]?.format.pps, [PPS])
  t.same(new Set(units.slice(1).map(({ time }, at) => time - (units[at]?.time ?? 0))), new Set([3_000]), 'across the wrap')
})

t.test('markers at all packets or at none', async t => {
  for (const marks of ['all', 'none', 'end'] as const) {
    const source = createRtpSource()
    const { take, shape } = receive()
    for (let round = 0; round < 3; round++) for (const nals of TWO_SLICES) take(source.picture(nals, marks))
    take(source.picture([key()], 'none'))
    t.same(shape(), Array.from({ length: 3 }, () => ['key 5,5', 'p 1,1', 'p 1,1']).flat(), marks)
  }
})

t.test('markers that begin to lie cost what is between them and the next key picture', async t => {
  const source = createRtpSource()
  const { take, shape, units } = receive()
  for (const nals of [[key()], [slice()], [slice()]]) take(source.picture(nals))
  t.equal(units.length, 3)
  take(source.picture([slice(), slice({ first: 50 })], 'all'))
  t.equal(units.length, 4, 'half of it')
  const halves = [slice(), slice({ first: 50 })]
  for (const nals of [halves, [key(), key({ first: 50 })], halves, [slice()]]) {
    take(source.picture(nals, 'all'))
  }
  t.same(shape().slice(4), ['key 5,5', 'p 1,1'])
})

t.test('a marker inside of a unit is a lie before it does harm', async t => {
  const source = createRtpSource()
  const { take, shape } = receive()
  for (const nals of [[key()], [slice()]]) take(source.picture(nals))
  for (const nals of [[key({ size: 3_000 }), key({ first: 9 })], [slice(), slice({ first: 9 })], [slice()]]) {
    take(source.picture(nals, 'all'))
  }
  t.same(shape(), ['key 5', 'p 1', 'key 5,5', 'p 1,1'])
})

t.test('time stamps that stand still or change inside of a picture change nothing', async t => {
  for (const step of [0, 1, -50]) {
    const source = createRtpSource(0)
    const { take, shape, units } = receive()
    for (let round = 0; round < 3; round++) {
      for (const nals of TWO_SLICES) {
        for (const nal of nals) {
          take(source.picture([nal], 'none'))
          source.stamp += step
        }
      }
    }
    take([source.packet(DELIMITER)])
    t.same(shape(), Array.from({ length: 3 }, () => ['key 5,5', 'p 1,1', 'p 1,1']).flat())
    t.ok(units.every(({ time }, at) => at === 0 || time > (units[at - 1]?.time ?? Infinity)))
  }
})

t.test('delimiters and sets end a picture; what decoders do not need is left out', async t => {
  const source = createRtpSource()
  const { take, shape } = receive([])
  const filler = Buffer.from([0x0C, 0xFF, 0x80])
  const end = Buffer.from([0x0A, 0x80])
  take([source.packet(aggregate(DELIMITER, SPS, PPS, SEI, key(), filler, end))])
  take([source.packet(aggregate(DELIMITER, slice(), filler))])
  t.same(shape(), ['key 6,5'])
  take([source.packet(aggregate(SPS, PPS))])
  t.same(shape(), ['key 6,5', 'p 1'])
})

t.test('nothing before the first key picture, nor without parameter sets', async t => {
  const source = createRtpSource()
  const { take, units } = receive([])
  take(source.picture([slice()]))
  take(source.picture([key()]))
  take(source.picture([slice()]))
  take(source.picture([slice()]))
  t.same(units, [])
  take(source.picture([SPS, PPS, key()]))
  take(source.picture([slice()]))
  t.equal(units.length, 2)
})

t.test('a loss drops the picture under way and all up to the next key picture', async t => {
  const source = createRtpSource()
  const { take, shape } = receive()
  const [large, small] = [4_000, 60]
  const pictures = [key({ size: small }), slice(), slice(), slice({ size: large }), slice(),
    key({ size: large }), slice(), key()]
    .map(nal => source.picture([nal]))
  pictures[3]?.splice(2, 1)
  for (const packets of pictures) take(packets)
  t.same(shape(), ['key 5', 'p 1', 'p 1', 'key 5', 'p 1', 'key 5'])
  const later = [[key({ size: 3_000 })], [slice()], [key()], [slice()]].map(nals => source.picture(nals))
  later[0]?.shift()
  for (const packets of later) take(packets)
  t.same(shape().slice(6), ['key 5', 'p 1'], 'a key picture without its beginning is none')
})

t.test('the loss of a whole picture is one, too', async t => {
  const source = createRtpSource()
  const { take, shape } = receive()
  for (const nals of [[key()], [slice()], [slice()]]) take(source.picture(nals))
  source.picture([slice()])
  for (const nals of [[slice()], [slice()], [key()], [slice()]]) take(source.picture(nals))
  t.same(shape(), ['key 5', 'p 1', 'p 1', 'key 5', 'p 1'])
})

t.test('sets that come again are the same format, others are another at the next key picture', async t => {
  const source = createRtpSource()
  const { take, units } = receive()
  const again = () => [Buffer.from(SPS), Buffer.from(PPS)]
  const p = [slice()]
  for (const nals of [[key()], p, [...again(), key()], [slice(), OTHER_SPS], p, [key()], p, p]) {
    take(source.picture(nals))
  }
  t.same(units.map(({ format }) => format.width), [1920, 1920, 1920, 1920, 1920, 1168, 1168, 1168])
  t.equal(new Set(units.map(({ format }) => format)).size, 2)
})

t.test('a slice names the sets it needs', async t => {
  // Identities 0 and 1 of both kinds: the second is first_mb 0, type 7, then 010 for 1.
  const second = Buffer.from([0x68, 0b01001011, 0xA0])
  const source = createRtpSource()
  const { take, units } = receive([SPS, PPS, second])
  for (const pps of [0, 1, 2]) {
    take(source.picture([key({ pps })]))
    take(source.picture([slice({ pps })]))
  }
  t.same(units.map(({ key, format }) => [key, format.pps.length]), [[true, 1], [false, 1]], 'sets that are not there')
})

t.test('what is no unit of H.264 is left out', async t => {
  const source = createRtpSource()
  const { take, shape } = receive()
  const garbage = [[0xE5, 0x88, 1, 2], [0x1F, 1, 2, 3], [0x00], [0x65]].map(bytes => Buffer.from(bytes))
  take(source.picture([key()]))
  for (const nal of garbage) take([source.packet(nal)])
  for (const nals of [[slice()], [slice()]]) take(source.picture(nals))
  t.notOk(shape().some(line => /[^ ,\d]\d/.test(line)))
  t.ok(shape().length <= 3)
})

t.test('pictures without an end are dropped', async t => {
  const source = createRtpSource()
  const { take, units } = receive()
  for (const nals of [[key()], [slice()]]) take(source.picture(nals))
  take(Array.from({ length: 10_000 }, () => source.packet(SEI)))
  take(source.picture([key()]))
  take(source.picture([slice()], 'none'))
  take(Array.from({ length: 300 }, (_, at) => source.packet(slice({ first: at + 1, size: 30_000 }))))
  for (const nals of [[slice()], [key()], [slice()], [slice()]]) take(source.picture(nals))
  const bytesOf = (nalus: readonly Buffer[]) => nalus.reduce((sum, nal) => sum + nal.length, 0)
  t.ok(units.every(({ nalus }) => nalus.length <= 512 && bytesOf(nalus) <= 4 * 1024 * 1024))
  t.ok(units.length >= 5)
})

const timesOf = (steps: readonly (readonly [stamp: number, ms: number])[]) => {
  const timeOf = createMediaClock()
  return steps.map(([stamp, ms]) => timeOf(stamp >>> 0, ms))
}
const every = (count: number, of: (at: number) => readonly [number, number]) =>
  timesOf(Array.from({ length: count }, (_, at) => of(at)))
const ticks = (times: readonly number[]) => times.slice(1).map((time, at) => time - (times[at] ?? 0))

t.test('time goes by the stamps of the camera, however they arrive', async t => {
  const jitter = [0, 40, 3, 90, 12]
  for (const [what, times] of Object.entries({
    'across the wrap': every(10, at => [0xFFFFF000 + at * 3_000, at * 33]),
    unsteady: every(60, at => [at * 3_000, at * 33 + (jitter[at % 5] ?? 0)]),
    'all at once': every(60, at => [at * 3_000, 5]),
    'after a pause of the network': every(60, at => [at * 3_000, Math.max(at * 33, at < 30 ? 0 : 3_000)])
  })) t.same(new Set(ticks(times)), new Set([3_000]), what)
})

t.test('time goes by arrival where stamps stand still, jump, or run at another speed', async t => {
  t.same(new Set(ticks(every(100, at => [77, at * 40]))), new Set([3_600]), 'all alike')
  t.same(new Set(ticks(every(100, at => [77 + at, at * 40]))), new Set([3_600]), 'almost alike')
  t.ok(ticks(every(100, () => [77, 5])).every(step => step > 0), 'alike and at once')
  const jumps = ticks(every(10, at => [at === 5 ? 4_000_000_000 : at * 3_600, at * 40]))
  t.same(new Set(jumps), new Set([3_600]), 'there and back')
  for (const [what, speed] of [['half', 1_800], ['double', 7_200], ['a hundredth', 36]] as const) {
    const times = every(5_000, at => [at * speed, at * 40])
    t.ok(Math.abs((times.at(-1) ?? 0) - 4_999 * 3_600) <= 11 * 90_000, what)
    t.same(ticks(times).at(-1), 3_600, what)
    t.ok(ticks(times).every(step => step > 0), what)
  }
})

/** Pictures by a clock of its own. @returns how many came, and what ended the connection */
function flood (pictures: number, stepMs: (at: number) => number,
  of: (at: number) => readonly Buffer[] = () => [slice()]) {
  const clock = { now: 0 }
  let count = 0
  const source = createRtpSource()
  const { packet } = createVideoReceiver({
    track: TRACK, now: () => clock.now, nextSeq: () => count, onUnit: () => { count++ }, monotonic: () => clock.now
  })
  try {
    for (const one of source.picture([SPS, PPS, key()])) packet(one)
    for (let at = 0; at < pictures; at++) {
      clock.now += stepMs(at)
      for (const one of source.picture(of(at))) packet(one)
    }
  } catch (error) {
    return { count, error: error as { kind?: string } }
  }
  return { count, error: undefined }
}

t.test('a flood of tiny pictures, or of units that are none, ends the connection', async t => {
  const pictures = flood(6_000, () => 0)
  t.match(pictures.error, { kind: 'bad_data', message: /more pictures than 120 a second/ })
  t.ok(pictures.count < 4_000, `${pictures.count} came through`)
  t.match(flood(2_500, () => 0, () => Array.from({ length: 100 }, () => SPS)).error, { kind: 'bad_data' })
})

t.test('a fast camera is none, nor what comes at once after a stall', async t => {
  const fast = flood(6_000, () => 1_000 / 60)
  t.equal(fast.error, undefined)
  t.ok(fast.count >= 6_000)
  t.equal(flood(5_400, at => at % 1_800 === 0 ? 30_000 : 0).error, undefined, '30 s of 60 pictures a second at once')
  const slices = (at: number) => Array.from({ length: 16 }, (_, first) => slice({ first, key: at % 60 === 0 }))
  t.equal(flood(2_000, () => 1_000 / 30, slices).error, undefined, '16 slices each')
})
