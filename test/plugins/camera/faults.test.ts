import type { TLSSocket } from 'node:tls'
import t from 'tap'
import type { Test } from 'tap'
import { createIdentity } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { A1_SERIAL, bootCamera, CODE, X1_SERIAL } from './helpers/boot.js'
import { fakeFfmpeg, type Deed } from './helpers/fake-ffmpeg.js'
import { framed, showing, startJpegPeer, type Show } from './helpers/jpeg-peer.js'
import { picture } from './helpers/pictures.js'
import { startVideoCamera } from './helpers/rtsp-camera.js'
import { childProcesses, descriptors, ffmpegs, noProc } from '../../helpers/processes.js'
import { look } from './helpers/viewer.js'

/** Writes without an end, as fast as it is read. */
const flood = (piece: Buffer): Show => socket => {
  const more = () => { if (!socket.destroyed) socket.write(piece, () => setImmediate(more)) }
  more()
}

/** What snapshots of cameras that do this are refused with. */
async function refusals (t: Test, shows: readonly Show[]): Promise<string[]> {
  const serialOf = (at: number) => `03900A00000010${at}`
  const peers = await Promise.all(shows.map((show, at) => startJpegPeer(t, serialOf(at), CODE, show)))
  const printers = peers.map(({ port }, at) => ({ name: `cam ${at}`, serial: serialOf(at), ports: { camera: port } }))
  const { http } = await bootCamera(t, { printers })
  const answers = await Promise.all(printers.map(({ name }) => http('GET', '/api/snapshot', { printer: name })))
  for (const { status, body } of answers) {
    t.match({ status, body }, { status: 400, body: { status: 'error', error: 'stream_failed', detail: String } })
  }
  await eventually(() => peers.every(({ open }) => open === 0))
  return answers.map(({ body }) => body.detail)
}

t.test('a wrong access code', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, 'another1', () => {})
  const { http, tool } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  const words = /closed the camera connection right after the login: the access code is wrong/
  t.match(await http('GET', '/api/snapshot', { printer: 'cam' }), { status: 400, body: { error: 'stream_failed', detail: words } })
  t.match(await tool('start_stream', { name: 'cam' }), { failed: true, value: { error: 'stream_failed', detail: words } })
})

t.test('a certificate that changed, or is another printer\'s: nothing is said to it', async t => {
  let heard = 0
  const hears: Show = () => { heard++ }
  const own = await startJpegPeer(t, A1_SERIAL, CODE, hears)
  const changed = await startJpegPeer(t, A1_SERIAL, CODE, hears, await createIdentity(A1_SERIAL, true))
  const other = await startJpegPeer(t, '03900A000000099', CODE, hears)
  const tls = { mode: 'pin' as const, fingerprint: own.identity.fingerprint }
  const printers = [
    { name: 'changed', tls, ports: { camera: changed.port } },
    { name: 'other', serial: '03900A000000002', ports: { camera: other.port } },
    { name: 'video', serial: X1_SERIAL, ports: { rtsps: other.port } }
  ]
  const config = { ffmpeg: fakeFfmpeg(t, 'ends', Buffer.alloc(0)) } // never asked: the connection is refused before
  const { http } = await bootCamera(t, { printers, config })
  t.match((await http('GET', '/api/snapshot', { printer: 'changed' })).body.detail, /differs from the one pinned on first connection/)
  t.match((await http('POST', '/api/start_stream', { printer: 'other' })).body.detail, /identifies itself as '03900A000000099'/)
  t.match((await http('GET', '/api/snapshot', { printer: 'video' })).body.detail, /identifies itself as '03900A000000099'/)
  t.equal(heard, 0)
})

t.test('the first certificate is learned, as on every other port', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const { http, kernel } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  t.equal((await http('GET', '/api/snapshot', { printer: 'cam' })).status, 200)
  t.equal(kernel.pins.get(A1_SERIAL), peer.identity.fingerprint)
})

t.test('lengths that lie, pictures that are none, zeros, silence', async t => {
  const jpeg = await picture()
  const cases: readonly (readonly [Show, RegExp])[] = [
    [socket => socket.write(framed(jpeg, 99)), /announced a picture of 99 bytes/],
    [socket => socket.write(framed(jpeg, 0xFFFFFFFF)), /announced a picture of 4294967295 bytes/],
    [socket => socket.write(framed(jpeg, 9_999_999)), /sent nothing for 0.4 s/],
    [socket => { for (let at = 0; at < 4; at++) socket.write(framed(jpeg, jpeg.length - 700)) }, /not JPEG|impossible/],
    [showing([Buffer.alloc(5_000, 'x')], 5), /sends data that is not JPEG/],
    [flood(Buffer.alloc(65_536)), /announced a picture of 0 bytes/],
    [() => {}, /sent nothing for 0.4 s; the camera is busy/]
  ]
  const words = await refusals(t, cases.map(([show]) => show))
  for (const [at, [, wanted]] of cases.entries()) t.match(words[at], wanted)
})

t.test('a single bad picture is left out, and the stream goes on', async t => {
  const jpeg = await picture()
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([Buffer.alloc(5_000, 'x'), jpeg, Buffer.alloc(2_000)]))
  const { http } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  const viewer = look(t, (await http('POST', '/api/start_stream', { printer: 'cam' })).body.url)
  await eventually(() => viewer.pictures.length > 5)
  t.ok(viewer.pictures.every(got => got.equals(jpeg)))
  t.equal(peer.total, 1)
})

t.test('a camera that is cut off or falls silent is connected anew, and viewers stay', async t => {
  const show = showing([await picture()])
  let socket: TLSSocket | undefined
  const good: typeof show = (near, it) => { socket = near; show(near, it) }
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, good)
  const { http, get } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  const { url } = (await http('POST', '/api/start_stream', { printer: 'cam' })).body
  const viewer = look(t, url)
  for (const trouble of [() => socket?.destroy(), () => { peer.show = () => {}; socket?.destroy() }]) {
    await eventually(() => viewer.pictures.length > 2)
    const { total } = peer
    trouble()
    await eventually(() => peer.total > total)
    const problem = (await get(`${url}status`)).json.camera_problem
    t.ok(problem === null || /connection was lost|sent nothing/.test(problem), problem ?? 'already over')
    peer.show = good
    const { length } = viewer.pictures
    await eventually(() => viewer.pictures.length > length + 2)
    t.equal((await get(`${url}status`)).json.camera_problem, null)
  }
  t.notOk(viewer.closed)
  t.equal(peer.open, 1)
})

t.test('the stream starts although no picture comes in time, and shows them when they come', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, () => {})
  const { http } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  const { status, body } = await http('POST', '/api/start_stream', { printer: 'cam' })
  t.match({ status, body }, { status: 200, body: { protocol: 'tcp_tls' } })
  const viewer = look(t, body.url)
  peer.show = showing([await picture()])
  await eventually(() => viewer.pictures.length > 0)
})

const BRIEF = { firstFrame: { rtsps: 3_000, tcp_tls: 1_000 } }

/** What a snapshot of an RTSPS camera is refused with when ffmpeg does this. */
async function ffmpegRefusal (t: Test, program: string): Promise<string> {
  const peer = await startVideoCamera(t)
  const { http, kernel } = await bootCamera(t, {
    printers: [{ serial: X1_SERIAL, ports: { rtsps: peer.port } }],
    config: { ffmpeg: program },
    timeouts: BRIEF
  })
  const { body } = await http('GET', '/api/snapshot', { printer: 'cam' })
  t.match(body, { error: 'stream_failed', detail: String })
  t.match(await http('POST', '/api/start_stream', { printer: 'cam' }), { status: 200 }, 'video plays all the same')
  await eventually(() => ffmpegs().every(line => !line.includes(program)) && peer.open === 0)
  await kernel.close()
  await peer.close()
  return body.detail
}

t.test('ffmpeg that is missing, ends, fails, hangs, complains for ever or sends zeros', { skip: noProc }, async t => {
  const jpeg = await picture()
  const before = descriptors()
  const words: readonly (readonly [Deed, RegExp])[] = [
    ['ends', /No picture could be made of the video: exit code 0/],
    ['fails', /No picture could be made of the video: exit code 8: no such codec: h264/],
    ['hangs', /No picture could be made of the video within 3 s/],
    ['complains', /No picture could be made of the video within 3 s/],
    ['zeros', /No picture could be made of the video within 3 s/]
  ]
  for (const [deed, wanted] of words) t.match(await ffmpegRefusal(t, fakeFfmpeg(t, deed, jpeg)), wanted, deed)
  t.match(await ffmpegRefusal(t, '/nowhere/ffmpeg'), /PRN_FFMPEG names '\/nowhere\/ffmpeg', which is not a working ffmpeg/)
  t.match(await ffmpegRefusal(t, process.execPath), /which is not a working ffmpeg/, 'another program')
  await eventually(() => descriptors() <= before + 3)
})

t.test('without any decoder video plays, other cameras work, and the reason names what installs one', async t => {
  const { PATH } = process.env
  process.env.PATH = '/nowhere'
  t.teardown(() => { process.env.PATH = PATH })
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const camera = await startVideoCamera(t)
  const printers = [{ ports: { camera: peer.port } }, { name: 'x1', serial: X1_SERIAL, ports: { rtsps: camera.port } }]
  const { http } = await bootCamera(t, { printers })
  t.equal((await http('GET', '/api/snapshot', { printer: 'cam' })).status, 200)
  const words = /no decoder was found.*PRN_FFMPEG.*path.*`prnd decoder install`/s
  t.match(await http('GET', '/api/snapshot', { printer: 'x1' }), { status: 400, body: { error: 'stream_failed', detail: words } })
  const { body } = await http('POST', '/api/start_stream', { printer: 'x1' })
  const video = await fetch(`${body.url}stream.mp4`)
  t.match(video.headers.get('content-type'), /^video\/mp4; codecs="avc1\./)
  const { value } = await video.body?.getReader().read() ?? {}
  t.equal(Buffer.from(value ?? []).toString('latin1', 4, 8), 'ftyp')
  await video.body?.cancel().catch(() => {})
})

t.test('ffmpeg that is killed is started anew, one at a time', { skip: noProc }, async t => {
  const peer = await startVideoCamera(t)
  const ffmpeg = fakeFfmpeg(t, 'shows', await picture())
  const printers = [{ serial: X1_SERIAL, ports: { rtsps: peer.port } }]
  const { http, kernel } = await bootCamera(t, { printers, config: { ffmpeg } })
  const viewer = look(t, (await http('POST', '/api/start_stream', { printer: 'cam' })).body.url)
  for (let round = 0; round < 3; round++) {
    const { length } = viewer.pictures
    await eventually(() => viewer.pictures.length > length + 2)
    await eventually(() => ffmpegs().length === 1)
    const { pid } = childProcesses().find(({ command }) => command.includes('ffmpeg-shows')) ?? {}
    process.kill(pid ?? NaN, 'SIGKILL')
  }
  const { length } = viewer.pictures
  await eventually(() => viewer.pictures.length > length + 2)
  await kernel.close()
  t.same(ffmpegs(), [])
})

t.test('an RTSPS port that closes at once or talks nonsense', async t => {
  const jpeg = await picture()
  const closing = await startJpegPeer(t, X1_SERIAL, CODE, () => {})
  await closing.close()
  const config = { ffmpeg: fakeFfmpeg(t, 'shows', jpeg) }
  const { http } = await bootCamera(t, { printers: [{ serial: X1_SERIAL, ports: { rtsps: closing.port } }], config })
  t.match((await http('GET', '/api/snapshot', { printer: 'cam' })).body.detail, /LAN Mode Liveview/)
})

t.test('the service has ended only when ffmpeg has, however long that takes', { skip: noProc }, async t => {
  const peer = await startVideoCamera(t)
  const ffmpeg = fakeFfmpeg(t, 'hangs', await picture())
  const printers = [{ serial: X1_SERIAL, ports: { rtsps: peer.port } }]
  const { http, kernel } = await bootCamera(t, { printers, config: { ffmpeg } })
  const answer = http('GET', '/api/snapshot', { printer: 'cam' }).catch(() => {})
  await eventually(() => ffmpegs().length === 1)
  await new Promise(resolve => setTimeout(resolve, 500)) // until it turns a deaf ear to SIGTERM
  await kernel.close()
  t.same(ffmpegs(), [])
  await answer
})
