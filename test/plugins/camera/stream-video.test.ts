import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { CAMERA_TIMEOUTS } from '../../../plugins/camera/timeouts.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { descriptors, ffmpegs, noProc } from '../../helpers/processes.js'
import { findProgram } from '../../helpers/programs.js'
import { bootCamera, CODE, A1_SERIAL, X1_SERIAL, type CameraBoot } from './helpers/boot.js'
import { showing, startJpegPeer } from './helpers/jpeg-peer.js'
import { picture } from './helpers/pictures.js'
import { startVideoCamera } from './helpers/rtsp-camera.js'
import { clip, plainUnits } from './helpers/units.js'

/** The boxes of an MP4 that lie beside each other. */
function boxesOf (bytes: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at)) names.push(bytes.toString('latin1', at + 4, at + 8))
  return names
}

interface Watcher {
  readonly socket: Socket
  readonly head: string
  readonly body: Buffer
  readonly closed: boolean
  /** Pictures that have come. */
  readonly pictures: number
}

/** Watches by a bare connection. @param reads false for one who never takes anything */
function watch (t: Pick<Test, 'teardown'>, url: string, reads = true): Watcher {
  const { port, pathname } = new URL(url)
  const whole: Buffer[] = []
  let head = ''
  let rest: Buffer = Buffer.alloc(0)
  let closed = false
  let pictures = 0
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(`GET ${pathname}stream.mp4 HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
  })
  socket.on('error', () => {}).once('close', () => { closed = true })
  t.teardown(() => { socket.destroy() })
  const takeOne = (): boolean => {
    const size = head === '' ? rest.indexOf('\r\n\r\n') + 4 : rest.length < 8 ? Infinity : rest.readUInt32BE(0)
    if (size < 8 || size > rest.length) return false
    if (head === '') head = rest.toString('latin1', 0, size)
    else whole.push(rest.subarray(0, size))
    if (rest.toString('latin1', 4, 8) === 'mdat') pictures++
    rest = rest.subarray(size)
    return true
  }
  if (reads) {
    socket.on('data', piece => {
      rest = Buffer.concat([rest, piece])
      while (takeOne()) { /* until nothing whole is left */ }
    })
  } else {
    socket.pause()
  }
  return {
    socket,
    get head () { return head },
    get body () { return Buffer.concat(whole) },
    get closed () { return closed },
    get pictures () { return pictures }
  }
}

async function streaming (t: Test, options: Partial<CameraBoot> = {}, units = plainUnits(160, 96, [60, 190])) {
  const peer = await startVideoCamera(t, units)
  const printers = [{ serial: X1_SERIAL, ports: { rtsps: peer.port } }]
  const booted = await bootCamera(t, { listen: true, printers, ...options })
  const { body } = await booted.http('POST', '/api/start_stream', { printer: 'cam' })
  const { url, shared_url: sharedUrl } = body as { url: string, shared_url: string }
  return { peer, url, sharedUrl, kernel: booted.kernel, http: booted.http, get: booted.get }
}

t.test('everybody watches over one connection, by either address, without any decoder', { skip: noProc }, async t => {
  const { peer, url, sharedUrl, kernel } = await streaming(t, { timeouts: CAMERA_TIMEOUTS })
  t.equal(sharedUrl, `http://localhost:${kernel.apiPort}/stream/cam/`)
  const watchers = [watch(t, url), watch(t, url), watch(t, sharedUrl)]
  await eventually(() => watchers.every(({ pictures }) => pictures > 5))
  const late = watch(t, sharedUrl)
  await eventually(() => late.pictures > 2)
  for (const { head, body } of [...watchers, late]) {
    t.match(head, /^HTTP\/1\.1 200 OK/)
    t.match(head, /content-type: video\/mp4; codecs="avc1\.[0-9a-f]{6}"/i)
    t.notMatch(head, /transfer-encoding/i)
    t.same(boxesOf(body).slice(0, 4), ['ftyp', 'moov', 'moof', 'mdat'])
  }
  t.equal(peer.total, 1)
  t.same(ffmpegs(), [])
})

t.test('what is watched is read by others without complaint, picture by picture',
  { skip: findProgram('ffprobe') === undefined && 'ffmpeg is not installed' }, async t => {
    const { url } = await streaming(t, {}, await clip({ seconds: 2 }))
    const watcher = watch(t, url)
    await eventually(() => watcher.pictures >= 90)
    const { body } = watcher
    const file = join(testFolder(t), 'watched.mp4')
    writeFileSync(file, body)
    const { stdout, stderr } = await promisify(execFile)('ffprobe', ['-v', 'warning', '-count_frames', '-show_entries',
      'stream=codec_name,width,height,nb_read_frames', '-of', 'default=nw=1', file])
    t.equal(stderr, '')
    t.match(stdout, /codec_name=h264\nwidth=320\nheight=240\n/)
    t.equal(Number(/nb_read_frames=(\d+)/.exec(stdout)?.[1]), boxesOf(body).filter(name => name === 'mdat').length)
  })

t.test('over a WebSocket: the type, the head, then fragments; other sites are refused', async t => {
  const { url, sharedUrl } = await streaming(t)
  for (const base of [url, sharedUrl]) {
    const address = `${base.replace('http', 'ws')}stream.mp4`
    const socket = new WebSocket(address, { origin: new URL(base).origin })
    t.teardown(() => socket.terminate())
    const messages: (string | string[])[] = []
    socket.on('message', (data: Buffer, isBinary) => { messages.push(isBinary ? boxesOf(data) : data.toString()) })
    await eventually(() => messages.length > 5)
    t.match(JSON.parse(String(messages[0])), { type: /^video\/mp4; codecs="avc1\./, width: 160, height: 96 })
    t.same(messages.slice(1, 4), [['ftyp', 'moov'], ['moof', 'mdat'], ['moof', 'mdat']])
    const foreign = new WebSocket(address, { origin: 'http://evil.example' })
    const refused = await new Promise<Error>(resolve => foreign.once('error', resolve))
    t.match(refused.message, /403/)
  }
})

t.test('a camera of pictures says where they are, to programs and pages alike', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const { http, get } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  const { url } = (await http('POST', '/api/start_stream', { printer: 'cam' })).body
  t.match(await get(`${url}stream.mp4`), { status: 404, json: { error: 'no_video', detail: /at stream/ } })
  const socket = new WebSocket(`${url.replace('http', 'ws')}stream.mp4`)
  const [code, reason] = await new Promise<[number, Buffer]>(resolve => socket.once('close', (...how) => resolve(how)))
  t.match([code, String(reason)], [1003, /at stream/])
})

t.test('an unknown printer and too many are answers, not silence', async t => {
  const config = { api: { host: '127.0.0.1' }, plugins: { camera: { maxViewers: 1 } } }
  const { url, sharedUrl, get, kernel, http } = await streaming(t, { config })
  const nobody = await get(`http://localhost:${kernel.apiPort}/stream/nobody/stream.mp4`)
  t.match(nobody, { status: 400, json: { error: 'not_connected' } })
  const first = watch(t, url)
  await eventually(() => first.pictures > 1)
  t.match(await get(`${sharedUrl}stream.mp4`), { status: 503, json: { error: 'too_many_viewers' } })
  const closing = async (address: string) => await new Promise<unknown[]>(resolve =>
    new WebSocket(`${address.replace('http', 'ws')}stream.mp4`).once('close', (code, reason) => resolve([code, String(reason)])))
  t.match(await closing(sharedUrl), [1013, /viewers/i], 'over a WebSocket, too, with the reason')
  t.match(await closing(`http://localhost:${kernel.apiPort}/stream/nobody/`), [1013, /nobody/])
  t.equal((await http('POST', '/api/stop_stream', { printer: 'cam' })).body.stopped, true)
  await eventually(() => first.closed)
})

t.test('two hundred watch', { skip: noProc }, async t => {
  const { url, peer, kernel } = await streaming(t, { timeouts: CAMERA_TIMEOUTS })
  const before = descriptors()
  const watchers = Array.from({ length: 200 }, () => watch(t, url))
  await eventually(() => watchers.every(({ pictures }) => pictures > 20), 90_000)
  t.equal((await kernel.services.camera.manager.start(kernel.printers.resolve('cam'))).viewers, 200)
  t.equal(peer.total, 1)
  for (const { socket } of watchers) socket.destroy()
  await eventually(() => descriptors() <= before + 3, 60_000)
})

t.test('who never reads is sent away, and harms nobody', { skip: noProc }, async t => {
  const units = plainUnits(640, 360, [60, 190]) // 345 kB each: no buffer holds many of them
  const { url, kernel } = await streaming(t, { timeouts: { viewer: 5_000 } }, units) // a busy reader is not deaf
  const server = await kernel.services.camera.manager.start(kernel.printers.resolve('cam'))
  const deaf = Array.from({ length: 10 }, () => watch(t, url, false))
  const reader = watch(t, url)
  await eventually(() => server.viewers === 11)
  await eventually(() => {
    if (server.viewers === 1) return true
    throw new Error(`${server.viewers} viewers are left`)
  }, 60_000)
  const { pictures } = reader
  await eventually(() => reader.pictures > pictures + 3)
  t.notOk(reader.closed, 'who reads goes on')
  for (const { socket } of [...deaf, reader]) socket.destroy()
})

t.test('another size in the middle: programs come again, pages go on', async t => {
  const { url, peer } = await streaming(t)
  const program = watch(t, url)
  const page = new WebSocket(`${url.replace('http', 'ws')}stream.mp4`)
  t.teardown(() => page.terminate())
  const formats: { width: number }[] = []
  page.on('message', (data: Buffer, isBinary) => { if (!isBinary) formats.push(JSON.parse(data.toString())) })
  await eventually(() => program.pictures > 2 && formats.length === 1)
  peer.change(plainUnits(320, 192, [60, 190]))
  await eventually(() => program.closed && formats.length === 2)
  t.same(formats.map(({ width }) => width), [160, 320])
  t.equal(peer.total, 1)
  const again = watch(t, url)
  await eventually(() => again.pictures > 2)
})

t.test('a viewer outlives the camera\'s connection: time goes on where it was', async t => {
  const { url, peer } = await streaming(t)
  const watcher = watch(t, url)
  await eventually(() => watcher.pictures > 3)
  peer.hangUp()
  const { pictures } = watcher
  await eventually(() => peer.total === 2 && watcher.pictures > pictures + 3)
  const times: number[] = []
  const { body } = watcher
  for (let at = body.indexOf('tfdt'); at >= 0 && at + 16 <= body.length; at = body.indexOf('tfdt', at + 4)) {
    times.push(Number(body.readBigUInt64BE(at + 8)))
  }
  t.ok(times.length > 6)
  t.same(times, [...times].sort((a, b) => a - b))
  t.notOk(watcher.closed)
})
