import t from 'tap'
import { EventEmitter } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { createCameraFaultInjector } from '../../../plugins/emulator/camera/camera-fault-injector.js'
import { createIntervalRunner } from '../../../plugins/emulator/camera/interval-runner.js'
import { createBasic, createDigest } from '../../../plugins/printer-servers/rtsp/authentication.js'
import { readRequest, writeReply } from '../../../plugins/printer-servers/rtsp/request.js'
import { createPlayer } from '../../../plugins/emulator/camera/rtsp/player.js'
import { createRtpStream, interleave } from '../../../plugins/printer-servers/rtsp/rtp.js'
import { createVideoServer } from '../../../plugins/emulator/camera/rtsp/server.js'
import { createBitReader, createBitWriter, escape } from '../../../plugins/emulator/camera/video/bits.js'
import { createFlvReader } from '../../../plugins/emulator/camera/video/flv.js'
import { parameterSets } from '../../../plugins/emulator/camera/video/plain.js'
import { createPredictor, frameNumberBits } from '../../../plugins/emulator/camera/video/predicted.js'
import { createVideoSource } from '../../../plugins/emulator/camera/video/source.js'
import { resolveCamera } from '../../../plugins/emulator/camera/index.js'
import { traitsOf } from '../../../plugins/emulator/models/index.js'
import { eventually } from '../../helpers/eventually.js'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const settings = resolveCamera(traitsOf('X1C'), { width: 64, height: 64, fps: 30, ffmpeg: false })
const renderer = { raw: async () => new Uint8Array(64 * 64 * 3), jpeg: async () => Buffer.alloc(0) }

t.test('bits: Exp-Golomb as the standard lists it', async t => {
  const codes = [[0, '1'], [1, '010'], [2, '011'], [3, '00100'], [25, '000011010']] as const
  for (const [value, code] of codes) {
    const expected = Number.parseInt(code.padEnd(16, '0'), 2)
    t.equal(createBitWriter().ue(value).bits(16 - code.length, 0).bytes().readUInt16BE(0), expected, `${value}`)
  }
  const signed = createBitWriter().se(1).se(-1).se(0).trailing().bytes()
  t.same(signed, createBitWriter().ue(1).ue(2).ue(0).trailing().bytes())
})

t.test('bits are read as they were written', async t => {
  const values = [0, 1, 2, 25, 3515]
  const writer = values.reduce((all, value) => all.ue(value), createBitWriter().bits(3, 5))
  const reader = createBitReader(writer.trailing().bytes())
  t.same([reader.bits(3), ...values.map(() => reader.ue()), reader.bits(1)], [5, ...values, 1])
  t.equal(createBitReader(Buffer.alloc(1)).ue(), 2 ** 31 - 1, 'no end is no loop')
})

t.test('pictures between: numbered from the key picture on, as the parameters have room', async t => {
  t.equal(frameNumberBits(parameterSets(64, 64).sps), 4)
  const other = Buffer.concat([hex('67 64 00 28'), createBitWriter().ue(0).ue(2).ue(0).trailing().bytes()])
  t.equal(frameNumberBits(other), undefined, 'an order of output of its own')
  const predictor = createPredictor(160, 96, 4)
  const read = (sinceKey: number) => {
    const { units: [unit = Buffer.alloc(0)], isKey } = predictor.picture(sinceKey, 7)
    const reader = createBitReader(unit.subarray(1))
    const first = [reader.ue(), reader.ue(), reader.ue()]
    return { isKey, head: unit[0], first, number: reader.bits(4), size: unit.length }
  }
  t.match(read(1), { isKey: false, head: 0x41, first: [0, 5, 0], number: 1 })
  t.equal(read(17).number, 1, 'and again')
  t.ok(read(1).size > 4 * 384 && read(1).size < 4 * 384 + 32, 'four blocks and little else')
})

t.test('escape: no start code inside a unit', async t => {
  for (const [plain, safe] of [
    ['00 00 01', '00 00 03 01'], ['00 00 00', '00 00 03 00'],
    ['00 00 03', '00 00 03 03'], ['00 00 04', '00 00 04'],
    ['00 00 00 00 00', '00 00 03 00 00 03 00'], ['01 00 00 00 01', '01 00 00 03 00 01'], ['00 00', '00 00'], ['', ''],
    ['aa 00 00 02 00 00 01 bb', 'aa 00 00 03 02 00 00 03 01 bb']
  ] as const) t.equal(escape(hex(plain)).toString('hex'), hex(safe).toString('hex'), plain)
})

t.test('FLV: units and parameters come out however the bytes are cut', async t => {
  const { sps, pps } = parameterSets(64, 64)
  const sized = (unit: Buffer, bytes: 2 | 4): Buffer => {
    const length = Buffer.alloc(bytes)
    length.writeUIntBE(unit.length, 0, bytes)
    return Buffer.concat([length, unit])
  }
  const tag = (kind: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(11)
    head.writeUInt8(kind, 0)
    head.writeUIntBE(data.length, 1, 3)
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const configuration = Buffer.concat([hex('17 00 00 00 00 01 42 c0 28 ff e1'), sized(sps, 2), hex('01'), sized(pps, 2)])
  const key = Buffer.concat([hex('17 01 00 00 00'), sized(hex('65 01 02'), 4), sized(hex('65 03'), 4)])
  const other = Buffer.concat([hex('27 01 00 00 00'), sized(hex('41 09'), 4)])
  const file = Buffer.concat([Buffer.alloc(13), tag(18, hex('02 00')), tag(9, configuration), tag(9, key), tag(9, other)])
  for (const size of [1, 7, file.length]) {
    const seen: string[] = []
    const reader = createFlvReader({
      parameters: sets => seen.push(`${sets.sps.equals(sps)} ${sets.pps.equals(pps)}`),
      picture: ({ units, isKey }) => seen.push(`${isKey} ${units.map(unit => unit.toString('hex'))}`)
    })
    for (let at = 0; at < file.length; at += size) reader.push(file.subarray(at, at + size))
    t.same(seen, ['true true', 'true 650102,6503', 'false 4109'], `${size} at a time`)
  }
})

t.test('RTP: numbers wrap, large units go in fragments that join to what they were', async t => {
  const stream = createRtpStream(0xCAFE, 65_535)
  const unit = Buffer.concat([hex('65'), Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 251))])
  const packets = stream.packets([hex('67 01'), unit], 90_000)
  t.same(packets.slice(0, 3).map(packet => packet.readUInt16BE(2)), [65_535, 0, 1])
  t.same(packets.map(packet => packet.readUInt8(1) >> 7), [0, 0, 0, 0, 1])
  const joined = packets.slice(1).map(packet => packet.subarray(14))
  t.ok(Buffer.concat([hex('65'), ...joined]).equals(unit))
  t.same(packets.slice(1).map(packet => packet.readUInt8(13) >> 6), [2, 0, 0, 1])
})

t.test('RTCP: a sender report says what was sent and when', async t => {
  const stream = createRtpStream(7, 0)
  stream.packets([hex('67 01 02')], 1234)
  const report = stream.report(1234, 1_000_500)
  t.same([report.readUInt8(1), report.readUInt32BE(4), report.readUInt32BE(16)], [200, 7, 1234])
  t.same([report.readUInt32BE(8), report.readUInt32BE(12)], [2_208_988_800 + 1000, 2 ** 31])
  t.same([report.readUInt32BE(20), report.readUInt32BE(24)], [1, 3])
  t.equal(report.readUInt8(29), 202, 'with a description behind it')
  t.equal(report.length, 28 + 4 * (1 + report.readUInt16BE(30)))
})

t.test('requests: whole ones, binary data between them, nonsense', async t => {
  const text = Buffer.from('OPTIONS rtsps://h/x RTSP/1.0\r\nCSeq: 3\r\nX-Y:  z \r\n\r\n')
  t.equal(readRequest(text.subarray(0, 20)), undefined)
  const { bytes, request } = readRequest(Buffer.concat([text, text])) ?? {}
  t.same([bytes, request?.method, request?.uri, request?.headers.get('x-y')], [text.length, 'OPTIONS', 'rtsps://h/x', 'z'])
  t.same(readRequest(Buffer.concat([interleave(1, hex('01 02 03')), text])), { bytes: 7 })
  t.equal(readRequest(hex('24 01 00 03 01')), undefined)
  const withBody = Buffer.from('SET_PARAMETER x RTSP/1.0\r\nContent-Length: 4\r\n\r\n')
  t.equal(readRequest(withBody), undefined)
  t.equal(readRequest(Buffer.concat([withBody, hex('01 02 03 04')]))?.bytes, withBody.length + 4)
  t.throws(() => readRequest(Buffer.from('GET / HTTP/1.1\r\n\r\n')))
  t.throws(() => readRequest(Buffer.alloc(20_000, 'x')))
  t.throws(() => readRequest(Buffer.from('SET_PARAMETER x RTSP/1.0\r\nContent-Length: -4\r\n\r\n')))
  t.match(writeReply(200, '3', {}, 'abc'), /^RTSP\/1\.0 200 OK\r\nCSeq: 3\r\nDate: .*\r\nContent-Length: 3\r\n\r\nabc$/)
})

t.test('basic: the code counts, whoever shows it', async t => {
  const { check, challenge } = createBasic()
  const shown = (text: string) => check(`Basic ${Buffer.from(text).toString('base64')}`, 'DESCRIBE', 'a:b')
  t.match(challenge(), /^Basic realm=/)
  t.same([shown('bblp:a:b'), shown('bblp:a'), shown('bblp'), check(undefined, 'DESCRIBE', '')], ['bblp', undefined, undefined, undefined])
})

t.test('digest: nothing passes before a challenge, or with an earlier one', async t => {
  const digest = createDigest()
  const empty = 'Digest username="bblp", realm="LIVE555 Streaming Media", nonce="", uri="x", response="x"'
  t.equal(digest.check(empty, 'DESCRIBE', '1'), undefined)
  t.equal(digest.check(undefined, 'DESCRIBE', '1'), undefined)
  t.not(digest.challenge(), digest.challenge())
})

t.test('a session without a sign of life ends', async t => {
  const bare = new EventEmitter()
  const socket = Object.assign(bare, { destroyed: false, destroy () { socket.destroyed = true; bare.emit('close') } })
  const server = createVideoServer({
    settings: { ...settings, sessionSeconds: 0.08 },
    renderer,
    faultInjector: createCameraFaultInjector(),
    accessCode: 'x',
    admits: () => true,
    isOff: () => false
  })
  server.welcome(socket as unknown as TLSSocket, () => {})
  t.notOk(socket.destroyed)
  await eventually(() => socket.destroyed)
  await server.stop()
})

t.test('a source works while it has members and says so when its encoder ends', async t => {
  let drawn = 0
  const counting = { ...renderer, raw: async () => { drawn++; return new Uint8Array(32 * 32 * 3) } }
  const faultInjector = createCameraFaultInjector()
  const source = createVideoSource({ settings, renderer: counting, faultInjector })
  await new Promise(resolve => setTimeout(resolve, 80))
  t.equal(drawn, 0)
  const kinds: number[] = []
  const leave = source.join({ failed () {}, picture: ({ units }) => kinds.push(units[0]?.[0] ?? 0) })
  await source.parameters()
  await eventually(() => kinds.length > 2)
  t.same(kinds.slice(0, 3), [0x65, 0x41, 0x41])
  t.match(source.recent().map(({ isKey }) => isKey).slice(0, 3), [true, false, false])
  faultInjector.stalled = true
  t.same(source.recent(), [], 'a stuck camera shows nothing')
  faultInjector.stalled = false
  leave()
  t.same(source.recent(), [])
  const after = drawn
  await new Promise(resolve => setTimeout(resolve, 120))
  t.ok(drawn <= after + 1)
  t.equal(source.members, 0)
  await source.stop()
})

t.test('a newcomer begins with the last pictures, each at a time of its own, and hears none twice', async t => {
  const sent: Buffer[] = []
  const socket = { writable: true, writableLength: 0, write: (bytes: Buffer) => sent.push(bytes) > 0 }
  const faultInjector = createCameraFaultInjector()
  const player = createPlayer({ socket: socket as never, channels: [0, 1], settings, faultInjector })
  t.teardown(player.stop)
  let at = 0
  const sets = parameterSets(64, 64)
  const picture = (isKey: boolean) => {
    at += 40
    return { isKey, units: [Buffer.from([isKey ? 0x65 : 0x41, 1, 2])], sets, at }
  }
  const group = [picture(true), picture(false), picture(false)]
  player.catchUp(group)
  t.equal(sent.length, 0, 'nobody plays yet')
  player.play()
  player.picture(picture(false))
  t.equal(sent.length, 0, 'nothing to decode it with')
  player.catchUp([])
  player.catchUp(group)
  t.equal(sent.length, 3)
  player.catchUp(group)
  t.equal(sent.length, 3)
  player.picture(picture(false))
  t.equal(sent.length, 4, 'and goes on')
  const [first = 0, second, third] = sent.map(bytes => bytes.readUInt32BE(8))
  t.same([second, third], [(first + 90) >>> 0, (first + 180) >>> 0])
})

t.test('a loop has one turn at a time, also when it is started again', async t => {
  let running = 0
  let most = 0
  let turns = 0
  const loop = createIntervalRunner(1, async () => {
    most = Math.max(most, ++running)
    await new Promise(resolve => setTimeout(resolve, 20))
    running--
    turns++
    throw new Error('a turn that fails is no end')
  })
  loop.start()
  loop.start()
  loop.stop()
  loop.start()
  await eventually(() => turns > 3)
  loop.stop()
  t.equal(most, 1)
})
