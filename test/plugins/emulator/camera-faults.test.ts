import { once } from 'node:events'
import { connect } from 'node:tls'
import t from 'tap'
import type { Test } from 'tap'
import { createIdentity, HOSTILE_SDPS, type HostileSdp, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { CODE, X1_SERIAL } from '../camera/helpers/boot.js'
import { watchVideo, type VideoWatch } from '../camera/helpers/watch-video.js'
import { kindOf, pictureOf, rtsp, type Rtsp } from './camera-rtsp.js'
import { start } from './camera-viewer.js'

// What goes wrong with the video of a virtual printer: on the wire, with a client, and afterwards.

const CAMERA = { width: 320, height: 180, fps: 20, keySeconds: 0.5, ffmpeg: false } as const
const SHORT = { connect: 4_000, stall: 1_500, grace: 100 }

const identity = await createIdentity(X1_SERIAL)

const begin = (t: Test): Promise<VirtualPrinter> =>
  start(t, { model: 'X1C', serial: X1_SERIAL, accessCode: CODE, identity, camera: CAMERA })

const watch = (t: Test, printer: VirtualPrinter): VideoWatch =>
  watchVideo(t, printer.ports.rtsps ?? 0, { timeouts: SHORT })

async function playing (t: Test, printer: VirtualPrinter): Promise<Rtsp> {
  const client = await rtsp(t, printer)
  await client.play(CODE)
  return client
}

/** The next picture from a key picture on. */
async function keyOf (client: Rtsp): Promise<Buffer[]> {
  for (;;) {
    const packets = await pictureOf(client)
    if (packets.map(kindOf).includes('7')) return packets
  }
}

/** The camera plays again, and the printer's other ports have noticed nothing. */
async function isWell (t: Test, printer: VirtualPrinter): Promise<void> {
  const { units, stop } = watch(t, printer)
  await eventually(() => units.length > 5)
  t.match(await stop(), { message: 'enough' })
  for (const port of [printer.ports.mqtt, printer.ports.ftps]) {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    socket.destroy()
  }
}

t.test('a connection that ends in the middle of a fragment', async t => {
  const printer = await begin(t)
  const lift = printer.faults.camera.cutInFragment()
  const client = await playing(t, printer)
  let last = ''
  await t.rejects(async () => { for (;;) last = kindOf((await client.packet()).data) })
  t.notMatch(last, 'fragment', 'the first fragment is not whole')
  t.match(await watch(t, printer).ended, { kind: 'lost' })
  lift()
  await isWell(t, printer)
})

t.test('NAL units of noise', async t => {
  const printer = await begin(t)
  const lift = printer.faults.camera.garbageUnits()
  const client = await playing(t, printer)
  const [first, second] = [await keyOf(client), await keyOf(client)]
  t.equal(kindOf(first.at(-1) as Buffer), '30', 'a kind that nobody knows')
  t.notOk(first[0]?.subarray(13).equals(second[0]?.subarray(13) ?? Buffer.alloc(0)), 'the same set differs')
  t.match(await watch(t, printer).ended, { kind: 'stalled' })
  lift()
  await isWell(t, printer)
})

t.test('lengths that lie', async t => {
  const printer = await begin(t)
  const lift = printer.faults.camera.lyingLengths()
  const client = await playing(t, printer)
  const [packet = Buffer.alloc(0)] = await pictureOf(client)
  t.equal(packet.readUInt8(12) & 31, 24)
  t.ok(packet.readUInt16BE(13) > packet.length)
  t.match(await watch(t, printer).ended, { kind: 'stalled' })
  lift()
  await isWell(t, printer)
})

t.test('a stream without any key picture', async t => {
  const printer = await begin(t)
  const lift = printer.faults.camera.withoutKeyPictures()
  const client = await playing(t, printer)
  const kinds = new Set<string>()
  for (let count = 0; count < 15; count++) kinds.add((await pictureOf(client)).map(kindOf)[0] ?? '')
  t.same([...kinds], ['fragment of 1'])
  t.match(await watch(t, printer).ended, { kind: 'stalled', message: /no decodable video/ })
  lift()
  await isWell(t, printer)
})

t.test('a size that changes within the stream, and back', async t => {
  const printer = await begin(t)
  const { units, stop } = watch(t, printer)
  await eventually(() => units.length > 5)
  const lift = printer.faults.camera.changeSize()
  await eventually(() => units.at(-1)?.format.width === 80)
  lift()
  await eventually(() => units.at(-1)?.format.width === 160)
  const widths = units.map(({ format: { width } }) => width)
  t.same(widths.filter((width, at) => width !== widths[at - 1]), [160, 80, 160])
  await stop()
  await isWell(t, printer)
})

t.test('packets that are missing', async t => {
  const printer = await begin(t)
  const lift = printer.faults.camera.losePackets(10)
  const client = await playing(t, printer)
  const numbers: number[] = []
  while (numbers.length < 40) {
    const { channel, data } = await client.packet()
    if (channel === 0) numbers.push(data.readUInt16BE(2))
  }
  t.ok(numbers.every(number => number % 10 !== 9), 'these are')
  t.equal(((numbers.at(-1) ?? 0) - (numbers[0] ?? 0) & 0xFFFF) > 40, true, 'others are numbered as ever')
  lift()
  await isWell(t, printer)
})

const SIGNS: Readonly<Record<HostileSdp, RegExp>> = {
  empty: /^\r\n$/,
  'no-video': /m=audio/,
  endless: /(m=video.*\r\n(.*\r\n)?){1000}/,
  binary: /\0/,
  numbers: /AVP 9{20}/,
  sets: /profile-level-id=zz;sprop-parameter-sets=,,/,
  elsewhere: /a=control:rtsps:\/\/192\.0\.2\.66/
}

t.test('descriptions that no client should trust', async t => {
  const printer = await begin(t)
  const plays = ['sets', 'elsewhere']
  for (const how of HOSTILE_SDPS) {
    const lift = printer.faults.camera.hostileSdp(how)
    const client = await rtsp(t, printer)
    await client.ask('DESCRIBE')
    const { status, body } = await client.askAs(CODE, 'DESCRIBE')
    t.equal(status, 200, how)
    t.match(body, SIGNS[how], how)
    const video = watch(t, printer)
    if (plays.includes(how)) await eventually(() => video.units.length > 3)
    else t.match(await video.ended, { kind: how === 'endless' ? 'bad_data' : 'unsupported' }, how)
    await video.stop()
    client.wire.socket.destroy()
    lift()
  }
  await isWell(t, printer)
})

t.test('an endless redirect', async t => {
  const printer = await begin(t)
  const lift = printer.faults.camera.redirect()
  const client = await rtsp(t, printer)
  const seen = new Set([client.url])
  await client.ask('DESCRIBE')
  for (let url = client.url; seen.size < 5;) {
    const { status, headers } = await client.askAs(CODE, 'DESCRIBE', url)
    t.equal(status, 302)
    url = headers.Location ?? ''
    t.notOk(seen.has(url), url)
    seen.add(url)
  }
  t.match(await watch(t, printer).ended, { kind: 'bad_data', message: /redirects/ })
  lift()
  await isWell(t, printer)
})

t.test('PLAY is answered and nothing comes, until it is over', async t => {
  const printer = await begin(t)
  const lift = printer.faults.camera.stall()
  t.match(await watch(t, printer).ended, { kind: 'stalled' })
  lift()
  await isWell(t, printer)
})

t.test('all of them end together', async t => {
  const printer = await begin(t)
  const { camera } = printer.faults
  camera.cutInFragment()
  camera.garbageUnits()
  camera.withoutKeyPictures()
  camera.losePackets(2)
  camera.changeSize()
  camera.hostileSdp('endless')
  camera.redirect()
  await printer.faults.clear()
  await isWell(t, printer)
})
