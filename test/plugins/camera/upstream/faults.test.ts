import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import type { Test } from 'tap'
import type { UpstreamWaits } from '../../../../plugins/camera/upstream/types.js'
import { eventually } from '../../../helpers/eventually.js'
import { freePort } from '../../../helpers/ports.js'
import { createRtpSource, interleaved, key, OTHER_SPS, PPS, slice, SPS, type RtpSource } from '../helpers/h264.js'
import {
  described, OK, picturesOf, SDP, showing, startScriptedCamera, type RtspScript, type ScriptedCamera
} from '../helpers/rtsp-camera.js'
import { watchVideo, type VideoWatchOptions } from '../helpers/watch-video.js'

const SHORT: Partial<UpstreamWaits> = { connect: 2_000, stall: 300, grace: 100 }

interface End { readonly kind: string, readonly message: string, readonly camera: ScriptedCamera }

/** How watching a camera ends that does this; it is let go of in any case. */
async function endOf (t: Test, script: RtspScript, options: VideoWatchOptions = {}): Promise<End> {
  const camera = await startScriptedCamera(t, script)
  const { kind, message } = await watchVideo(t, camera.port, { timeouts: SHORT, ...options }).ended
  await eventually(() => camera.open === 0)
  return { kind: kind ?? '', message, camera }
}

const UNAUTHORIZED = ['RTSP/1.0 401 Unauthorized', 'WWW-Authenticate: Digest realm="cam", nonce="n"']

t.test('a wrong access code, however it is refused', async t => {
  const refusals: Record<string, RtspScript['replies']> = {
    'asked again': { DESCRIBE: () => UNAUTHORIZED },
    'at the first word': { OPTIONS: () => UNAUTHORIZED },
    'with a new nonce each time': { DESCRIBE: ({ count }) => [UNAUTHORIZED[0] ?? '', `WWW-Authenticate: Digest realm="cam", nonce="${count}"`] },
    'always too old': { DESCRIBE: () => [UNAUTHORIZED[0] ?? '', 'WWW-Authenticate: Digest realm="cam", nonce="n", stale=true'] },
    forbidden: { DESCRIBE: () => ['RTSP/1.0 403 Forbidden'] },
    'no way to show it': { DESCRIBE: () => ['RTSP/1.0 401 Unauthorized'] },
    'later on': { PLAY: () => UNAUTHORIZED }
  }
  for (const [what, replies = {}] of Object.entries(refusals)) {
    const { camera, ...end } = await endOf(t, { replies })
    t.match(end, { kind: 'access_code_rejected' }, what)
    t.ok(camera.methods.length <= 8, camera.methods.join())
  }
})

t.test('a certificate that is not the printer\'s: nothing is said to it', async t => {
  const { camera, ...end } = await endOf(t, { serial: '00M00A000000099' })
  t.match(end, { kind: 'certificate', message: /identifies itself as '00M00A000000099'/ })
  t.same(camera.methods, [])
  const changed = await endOf(t, {}, { config: { tls: { mode: 'pin', fingerprint: 'AA:BB' } }, timeouts: SHORT })
  t.match(changed, { kind: 'certificate', message: /differs from the one pinned/ })
})

t.test('live view that is switched off: refused, reset, or closed before the first word', async t => {
  const off = { kind: 'live_view_off', message: /LAN Mode Liveview/ }
  t.match(await watchVideo(t, await freePort(), { timeouts: SHORT }).ended, off, 'refused')
  const resets = createServer(socket => socket.resetAndDestroy()).listen(0, '127.0.0.1')
  t.teardown(() => resets.close())
  await once(resets, 'listening')
  t.match(await watchVideo(t, (resets.address() as AddressInfo).port, { timeouts: SHORT }).ended, off, 'reset')
  t.match(await endOf(t, { welcome: socket => socket.destroy() }), off, 'closed')
  t.match(await endOf(t, { replies: { OPTIONS: ({ socket }) => { socket.end(); return undefined } } }), off, 'asked and closed')
})

t.test('a camera is not followed elsewhere', async t => {
  const away = { kind: 'bad_data', message: /redirects to another address/ }
  for (const status of ['301 Moved', '302 Moved Temporarily', '305 Use Proxy']) {
    const { camera, ...end } = await endOf(t, { replies: { DESCRIBE: () => [`RTSP/1.0 ${status}`, 'Location: rtsp://192.0.2.66/x'] } })
    t.match(end, away, status)
    t.equal(camera.methods.length, 2)
  }
  const show = (socket: TLSSocket) => { socket.write('REDIRECT rtsp://h/x RTSP/1.0\r\nCSeq: 9\r\nLocation: rtsp://192.0.2.66/x\r\n\r\n') }
  t.match(await endOf(t, { show }), away)
})

t.test('what is refused is told with the camera\'s words', async t => {
  for (const [method, reply, wanted] of [
    ['DESCRIBE', ['RTSP/1.0 453 Not Enough Bandwidth', 'Server: camera 1.0'], /refused DESCRIBE: 453 Not Enough Bandwidth \(camera 1.0\)/],
    ['SETUP', ['RTSP/1.0 461 Unsupported Transport'], /refused SETUP: 461 Unsupported Transport/],
    ['PLAY', ['RTSP/1.0 454 \u001B[2J'], /refused PLAY: 454 \?\[2J/]
  ] as const) t.match(await endOf(t, { replies: { [method]: () => reply } }), { kind: 'lost', message: wanted })
})

t.test('video that cannot be played is named', async t => {
  const unsupported = (message: RegExp) => ({ kind: 'unsupported', message })
  t.match(await endOf(t, { sdp: SDP.replace('H264', 'H265') }), unsupported(/as H265/))
  t.match(await endOf(t, { sdp: SDP.replace('mode=1', 'mode=2') }), unsupported(/mode 2/))
  t.match(await endOf(t, { sdp: '\0'.repeat(60_000) }), unsupported(/no video/))
  for (const transport of ['RTP/AVP;unicast;client_port=5000-5001', 'RTP/AVP/TCP;interleaved=300-301']) {
    const replies = { SETUP: () => [OK, `Transport: ${transport}`] }
    t.match(await endOf(t, { replies }), unsupported(/not send its video in the same connection/))
  }
})

t.test('silence is told from a stream without pictures', async t => {
  const stalled = (message: RegExp) => ({ kind: 'stalled', message })
  const patient = { ...SHORT, stall: 5_000 }
  for (const method of ['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY']) {
    const end = await endOf(t, { replies: { [method]: () => undefined } }, { timeouts: { ...patient, connect: 600 } })
    t.match(end, stalled(new RegExp(`did not answer ${method} within 0.6 s`)))
  }
  const noPicture = stalled(/No picture came for 0.3 s; the camera is connected but sends no decodable video/)
  const shows: Record<string, RtspScript['show']> = {
    nothing: () => {},
    'no key picture': showing({ picture: source => source.picture([slice()]) }),
    'sets that are not those of the pictures': showing({ picture: source => source.picture([key({ pps: 3 })]) }),
    'units that are none': showing({ picture: source => source.picture([Buffer.alloc(3_000, 'no picture ')]) }),
    'another channel': showing({ channel: 2 }),
    'packets that are none': showing({ picture: () => [Buffer.alloc(500, 0x11)] })
  }
  for (const [what, show = () => {}] of Object.entries(shows)) t.match(await endOf(t, { show }), noPicture, what)
})

t.test('a connection that ends is lost, in the middle of a picture too', async t => {
  const source = createRtpSource()
  const wire = Buffer.concat(picturesOf(source, 31).map(packet => interleaved(packet)))
  const lost = { kind: 'lost', message: /^127\.0\.0\.1:\d+: the camera connection was lost/ }
  t.match(await endOf(t, { show: socket => { socket.end(wire.subarray(0, -100)) } }), lost)
  t.match(await endOf(t, { show: socket => { socket.write(wire, () => socket.destroy()) } }), lost)
  t.match(await endOf(t, { replies: { DESCRIBE: ({ socket }) => { socket.end(); return undefined } } }), lost)
  const ends = (socket: TLSSocket) => { socket.write('TEARDOWN * RTSP/1.0\r\nCSeq: 1\r\n\r\n') }
  t.match(await endOf(t, { show: ends }), { kind: 'lost', message: /ended the stream/ })
})

t.test('a port that speaks something else', async t => {
  const none = { kind: 'bad_data', message: /does not speak RTSP/ }
  t.match(await endOf(t, { welcome: socket => { socket.write('HTTP/1.1 400 Bad Request\r\n\r\n') } }), none)
  t.match(await endOf(t, { welcome: socket => { socket.write(Buffer.alloc(100)) } }), none)
  t.match(await endOf(t, { replies: { DESCRIBE: () => Buffer.from(`${OK}\r\nContent-Length: 1e9\r\n\r\n`) } }), { kind: 'bad_data' })
})

t.test('a stream that is out of step is given up', async t => {
  const source = createRtpSource()
  const packet = () => source.packet(slice({ size: 1_000 }))
  const spoilt: Record<string, (socket: TLSSocket) => void> = {
    'a length that is too short': socket => socket.write(interleaved(packet(), 0, 500)),
    'a length that is too long': socket => {
      socket.write(interleaved(packet(), 0, 1_500))
      socket.write(Buffer.alloc(600, 0xA5))
    },
    'bytes before the packets': socket => socket.write(Buffer.concat([Buffer.alloc(4, 0xA5), interleaved(packet())]))
  }
  for (const [what, show] of Object.entries(spoilt)) t.match(await endOf(t, { show }), { kind: 'bad_data' }, what)
})

t.test('lengths that lie inside of packets cost the pictures up to the next key picture', async t => {
  const lie = Buffer.concat([Buffer.of(0x78, 0xFF, 0xFF), slice()])
  const picture = (source: RtpSource, at: number) =>
    at % 5 === 3 ? [source.packet(lie, true)] : source.picture([at % 5 === 0 ? key() : slice()])
  const camera = await startScriptedCamera(t, { show: showing({ picture }) })
  const video = watchVideo(t, camera.port)
  await eventually(() => video.units.length > 30)
  t.same([...new Set(video.units.slice(3, 30).map(({ key }) => key ? 'K' : 'p').join('').match(/Kp*/g))], ['Kpp'])
})

t.test('pictures that change their size are another format', async t => {
  const camera = await startScriptedCamera(t, {
    show: showing({
      picture (source, at) {
        if (at % 10 > 0) return source.picture([slice()])
        return source.picture([at % 20 === 0 ? SPS : OTHER_SPS, PPS, key()])
      }
    })
  })
  const video = watchVideo(t, camera.port)
  await eventually(() => video.units.length > 30)
  t.same(video.units.map(({ format: { height } }) => height).slice(0, 30),
    Array.from({ length: 30 }, (_, at) => at >= 10 && at < 20 ? 720 : 1080))
})

t.test('somebody who does not want pictures any more does not wait for the camera', async t => {
  for (const method of ['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY']) {
    const camera = await startScriptedCamera(t, { replies: { [method]: () => undefined } })
    const video = watchVideo(t, camera.port, { timeouts: { connect: 60_000, stall: 60_000, grace: 100 } })
    await eventually(() => camera.methods.at(-1) === method)
    t.match(await video.stop(), { message: 'enough' })
    await eventually(() => camera.open === 0)
    t.equal(camera.methods.includes('TEARDOWN'), method === 'PLAY', method)
  }
  const video = watchVideo(t, await freePort())
  t.match(await video.stop(), { message: 'enough' }, 'before it is connected')
})

t.test('a taker of pictures that fails ends the connection with its reason', async t => {
  const { message } = await endOf(t, {}, { onUnit: () => { throw new Error('no room') }, timeouts: { ...SHORT, stall: 5_000 } })
  t.equal(message, 'no room')
})

t.test('a camera that asks for ever and reads nothing is left', async t => {
  const asking = (socket: TLSSocket) => {
    socket.pause()
    const ask = 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n'.repeat(1_000)
    const more = () => { if (!socket.destroyed) socket.write(ask, () => setImmediate(more)) }
    more()
  }
  const camera = await startScriptedCamera(t, { show: asking })
  const video = watchVideo(t, camera.port, { timeouts: { ...SHORT, stall: 30_000 } })
  t.match(await video.ended, { kind: 'bad_data', message: /does not read/ })
})

t.test('a description in a flood of headers', async t => {
  const end = await endOf(t, { replies: { DESCRIBE: () => described(SDP, ...Array.from({ length: 20_000 }, () => 'X: y')) } })
  t.match(end, { kind: 'bad_data' })
})
