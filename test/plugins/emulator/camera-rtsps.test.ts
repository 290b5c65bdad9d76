import t from 'tap'
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { createVirtualPrinter, type VirtualPrinter, type VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { children } from '../../helpers/processes.js'
import { kindOf, pictureOf, rtsp } from './camera-rtsp.js'
import { open, start } from './camera-viewer.js'

const SMALL = { width: 320, height: 180, fps: 10 }
const X1C: VirtualPrinterOptions = { model: 'X1C', camera: SMALL }
const PLAIN: VirtualPrinterOptions = { model: 'H2D', camera: { ...SMALL, ffmpeg: false } }
const URL_OF = ({ ports, accessCode }: VirtualPrinter, code = accessCode): string =>
  `rtsps://bblp:${code}@127.0.0.1:${ports.rtsps}/streaming/live/1`

const hasFfmpeg = (() => {
  try {
    return execFileSync('ffmpeg', ['-hide_banner', '-encoders'], { stdio: ['ignore', 'pipe', 'ignore'] }).includes('libx264')
  } catch {
    return false
  }
})()
const needsFfmpeg = hasFfmpeg ? {} : { skip: 'no ffmpeg with libx264 on the path' }

/** Frames that ffmpeg decodes from a printer, as grey pictures. */
async function decode (printer: VirtualPrinter, frames: number): Promise<Buffer> {
  const args = ['-nostdin', '-loglevel', 'error', '-rtsp_transport', 'tcp', '-timeout', '15000000',
    '-probesize', '1000000', '-analyzeduration', '500000', '-i', URL_OF(printer),
    '-frames:v', String(frames), '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  const run = promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 28 })
  const { stdout, stderr } = await run
  if (stderr.length > 0) throw new Error(stderr.toString())
  return stdout
}

/** Children of this process that encode. */
const encoders = (): string[] => children().filter(line => line.includes('libx264'))

t.test('dialogue: options, challenge, description, keep-alive, teardown', async t => {
  const printer = await start(t, PLAIN)
  const client = await rtsp(t, printer)
  t.match((await client.ask('OPTIONS')).headers.Public, /DESCRIBE.*PLAY.*GET_PARAMETER/)
  const challenge = await client.ask('DESCRIBE')
  t.equal(challenge.status, 401)
  t.match(challenge.headers['WWW-Authenticate'], /^Digest realm="LIVE555 Streaming Media", nonce="\w{32}"$/)
  const { status, headers, body } = await client.askAs(printer.accessCode, 'DESCRIBE')
  t.equal(status, 200)
  t.equal(headers['Content-Base'], `${client.url}/`)
  for (const line of ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000', 'a=control:track1']) t.ok(body.includes(line), line)
  t.match(body, /a=fmtp:96 packetization-mode=1;profile-level-id=42C028;sprop-parameter-sets=Z0LA/)
  const datagrams = { Transport: 'RTP/AVP;unicast;client_port=5000-5001' }
  const udp = await client.askAs(printer.accessCode, 'SETUP', `${client.url}/track1`, datagrams)
  t.equal(udp.status, 461)
  t.equal((await client.ask('PLAY')).status, 454)
  const session = await client.play(printer.accessCode)
  t.equal((await client.ask('GET_PARAMETER', client.url, { Session: session })).status, 200)
  t.equal((await client.ask('GET_PARAMETER', client.url, { Session: 'other' })).status, 454)
  t.equal((await client.ask('ANNOUNCE')).status, 405)
  t.equal((await client.ask('TEARDOWN', client.url, { Session: session })).status, 200)
  await client.wire.end()
})

t.test('a wrong code, user or nonce is 401; another path 404; nonsense ends the connection', async t => {
  const printer = await start(t, PLAIN)
  const client = await rtsp(t, printer)
  await client.ask('DESCRIBE')
  t.equal((await client.askAs('00000000', 'DESCRIBE')).status, 401)
  const lift = printer.faults.camera.rejectAccessCode()
  const other = await rtsp(t, printer)
  await other.ask('DESCRIBE')
  t.equal((await other.askAs(printer.accessCode, 'DESCRIBE')).status, 401)
  lift()
  t.equal((await other.askAs(printer.accessCode, 'DESCRIBE', `${other.url}23`)).status, 404)
  other.wire.socket.write('GET / HTTP/1.1\r\n\r\n')
  t.match((await other.wire.end()).toString(), /^RTSP\/1\.0 400 /)
})

t.test('packets: parameter sets in band, fragments, marker, one time a picture, sender reports apart', async t => {
  const printer = await start(t, PLAIN)
  const client = await rtsp(t, printer)
  await client.play(printer.accessCode)
  const first = await pictureOf(client)
  const second = await pictureOf(client)
  const kinds = first.map(kindOf)
  t.same(kinds.slice(0, 3), ['7', '8', 'fragment of 5'])
  t.ok(first.every(packet => packet.length <= 1412 && packet.readUInt32BE(4) === first[0]?.readUInt32BE(4)))
  t.ok((first[2]?.readUInt8(13) ?? 0) & 0x80, 'the first fragment says so')
  t.ok((first.at(-1)?.readUInt8(13) ?? 0) & 0x40, 'and the last')
  const numbers = [...first, ...second].map(packet => packet.readUInt16BE(2))
  t.ok(numbers.every((number, at) => at === 0 || number === ((numbers[at - 1] ?? 0) + 1) % 65536), 'no gap')
  const ticks = (second[0]?.readUInt32BE(4) ?? 0) - (first[0]?.readUInt32BE(4) ?? 0)
  t.ok(ticks >>> 0 > 900 && ticks >>> 0 < 900_000, `${ticks} ticks of 90 kHz between two pictures`)
})

t.test('ffmpeg decodes what the printer encodes', needsFfmpeg, async t => {
  const printer = await start(t, X1C)
  const frames = await decode(printer, 6)
  t.equal(frames.length, 6 * 320 * 180)
  const [first, last] = [frames.subarray(0, 57_600), frames.subarray(5 * 57_600)]
  t.not(first.equals(last), true, 'they differ')
  t.ok(first.some(level => level > 180) && first.some(level => level < 60), 'there is something to see')
  await eventually(() => encoders().length === 0)
})

t.test('between two drawings only the counter moves, without a loss', needsFfmpeg, async t => {
  for (const ffmpeg of ['ffmpeg', false] as const) {
    const camera = { ...SMALL, width: 640, height: 360, fps: 30, drawSeconds: 60, ffmpeg }
    const width = ffmpeg ? 640 : 320
    const height = width * 9 / 16
    const grey = await decode(await start(t, { model: 'X1C', camera }), 45)
    const size = width * height
    const pictures = Array.from({ length: 45 }, (_, at) => grey.subarray(at * size, (at + 1) * size))
    const numbers = new Set(pictures.slice(1, 30).map(picture => picture.toString('base64')))
    t.ok(numbers.size > 20, 'the counter moves')
    for (const picture of pictures) {
      for (let end = width; end <= 16 * width; end += width) picture.fill(0, end - 64, end)
    }
    t.ok(pictures.every(picture => picture.equals(pictures[0] as Buffer)), 'all else stays')
  }
})

t.test('ffmpeg decodes the stream without an encoder program, at half the size', needsFfmpeg, async t => {
  const printer = await start(t, PLAIN)
  const frames = await decode(printer, 2)
  t.equal(frames.length, 2 * 160 * 90)
  t.ok(frames.some(level => level > 180) && frames.some(level => level < 60))
  const missing = await start(t, { model: 'P2S', camera: { ...SMALL, ffmpeg: '/nowhere/ffmpeg' } })
  t.equal((await decode(missing, 1)).length, 160 * 90, 'a program that is not there is done without')
})

t.test('ffmpeg with a wrong code hears 401', needsFfmpeg, async t => {
  const printer = await start(t, X1C)
  const args = ['-nostdin', '-loglevel', 'error', '-i', URL_OF(printer, 'wrong'), '-f', 'null', '-']
  const failure = await promisify(execFile)('ffmpeg', args).catch((error: { stderr: string }) => error)
  t.match(failure.stderr, /401 Unauthorized/)
  t.same(encoders(), [])
})

t.test('one encoder for all, none without a viewer or after stop', needsFfmpeg, async t => {
  const printer = await start(t, X1C)
  t.same(encoders(), [], 'none at rest')
  const [first, second] = [await rtsp(t, printer), await rtsp(t, printer)]
  await first.ask('DESCRIBE')
  t.same(encoders(), [], 'none before the login')
  const session = await first.play(printer.accessCode)
  await second.play(printer.accessCode)
  await pictureOf(first)
  await pictureOf(second)
  t.equal(encoders().length, 1)
  await first.ask('TEARDOWN', first.url, { Session: session })
  await pictureOf(second)
  second.wire.socket.destroy()
  await eventually(() => encoders().length === 0)
  const third = await rtsp(t, printer)
  await third.play(printer.accessCode)
  t.equal(encoders().length, 1)
  await printer.stop()
  t.same(encoders(), [], 'gone when stop resolves')
})

t.test('a second client can be refused or take over', async t => {
  const printer = await start(t, { ...PLAIN, camera: { ...PLAIN.camera, secondClient: 'refuse' } })
  const first = await rtsp(t, printer)
  await first.play(printer.accessCode)
  const second = await rtsp(t, printer)
  await second.ask('DESCRIBE')
  t.equal((await second.askAs(printer.accessCode, 'DESCRIBE')).status, 453)
  printer.faults.camera.secondClient('replace')
  await second.play(printer.accessCode)
  await first.wire.end()
  await pictureOf(second)
})

t.test('stuck, frozen, spoiled and cut streams', async t => {
  const printer = await start(t, PLAIN)
  const { camera } = printer.faults
  const stuck = camera.stall()
  const client = await rtsp(t, printer)
  await client.play(printer.accessCode)
  await new Promise(resolve => setTimeout(resolve, 300))
  t.equal(client.wire.bytes.length, 0, 'PLAY is answered and nothing comes')
  stuck()
  const thaw = camera.freezeClock()
  const pictures = [await pictureOf(client), await pictureOf(client)]
  t.equal(pictures[0]?.[0]?.readUInt32BE(4), pictures[1]?.[0]?.readUInt32BE(4))
  thaw()
  camera.spoil('not-jpeg', 1)
  t.match((await pictureOf(client))[0]?.toString('latin1'), /no pictur/)
  camera.spoil('zeros', 1)
  t.ok((await client.wire.take(65_536)).every(byte => byte === 0))
  camera.cutAfter(1)
  await client.wire.end()
})

t.test('live view off: reports say so, the port turns everybody away, and back', async t => {
  const printer = await start(t, PLAIN)
  const url = (): unknown => (printer.report().ipcam as { rtsp_url?: string }).rtsp_url
  t.equal(url(), `rtsps://127.0.0.1:${printer.ports.rtsps}/streaming/live/1`)
  const client = await rtsp(t, printer)
  const lift = printer.faults.camera.liveViewOff()
  await client.wire.end()
  t.equal(url(), 'disable')
  await t.rejects(open(t, printer.ports.rtsps))
  lift()
  t.equal(url(), `rtsps://127.0.0.1:${printer.ports.rtsps}/streaming/live/1`)
  await open(t, printer.ports.rtsps)
  printer.patch({ ipcam: { liveview: { local: 'disabled' } } })
  await t.rejects(open(t, printer.ports.rtsps), 'whoever switched it off')
})

t.test('printers that stopped come back on the port', async t => {
  const printer = createVirtualPrinter(PLAIN)
  await printer.start()
  t.teardown(() => printer.stop())
  const { rtsps } = printer.ports
  t.equal(printer.ports.camera, undefined)
  await printer.stop()
  await t.rejects(open(t, rtsps))
  await printer.start()
  t.equal(printer.ports.rtsps, rtsps)
  await (await rtsp(t, printer)).play(printer.accessCode)
})
