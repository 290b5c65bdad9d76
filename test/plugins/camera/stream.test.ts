import t from 'tap'
import type { Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { A1_SERIAL, bootCamera, CODE, X1_SERIAL, type CameraBoot } from './helpers/boot.js'
import { fakeFfmpeg } from './helpers/fake-ffmpeg.js'
import { showing, startJpegPeer } from './helpers/jpeg-peer.js'
import { measured, noisy, picture } from './helpers/pictures.js'
import { startVideoCamera } from './helpers/rtsp-camera.js'
import { descriptors, ffmpegs, noProc } from '../../helpers/processes.js'
import { look } from './helpers/viewer.js'

async function streaming (t: Test, pictures: readonly Buffer[], options: Partial<CameraBoot> = {}) {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing(pictures))
  const booted = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }], ...options })
  const { body } = await booted.http('POST', '/api/start_stream', { printer: 'cam' })
  return { peer, url: body.url as string, ...booted, http: booted.http, kernel: booted.kernel, get: booted.get }
}

/** A stream of an RTSPS printer, of whose video an ffmpeg of ours always makes the same picture. */
async function video (t: Test, timeouts: CameraBoot['timeouts'] = {}) {
  const jpeg = await picture('video')
  const peer = await startVideoCamera(t)
  const ffmpeg = fakeFfmpeg(t, 'shows', jpeg)
  const printers = [{ serial: X1_SERIAL, ports: { rtsps: peer.port } }]
  const booted = await bootCamera(t, { printers, config: { ffmpeg }, timeouts })
  return { jpeg, peer, http: booted.http, kernel: booted.kernel, get: booted.get }
}

t.test('everybody gets the same bytes over one connection to the camera', async t => {
  const jpegs = [await picture('1'), await picture('2')]
  const { peer, url } = await streaming(t, jpegs)
  const viewers = ['stream', 'stream', 'anything', 'stream?resolution=native&quality=85'].map(path => look(t, url, path))
  await eventually(() => viewers.every(({ pictures }) => pictures.length > 5))
  for (const { pictures, head } of viewers) {
    t.ok(pictures.every(got => jpegs.some(sent => sent.equals(got))), 'unchanged')
    t.match(head, /^HTTP\/1\.1 200 OK/)
    t.match(head, /content-type: multipart\/x-mixed-replace; boundary=frame/i)
    t.notMatch(head, /transfer-encoding/i)
  }
  t.equal(peer.total, 1)
})

t.test('every viewer has its own size and quality', async t => {
  const { url } = await streaming(t, [await picture('1'), await picture('2')])
  const small = look(t, url, 'stream?resolution=180p&quality=40')
  const large = look(t, url, 'stream?resolution=480p')
  const own = look(t, url)
  await eventually(() => [small, large, own].every(({ pictures }) => pictures.length > 2))
  t.equal(await measured(small.pictures[1] ?? Buffer.alloc(0)), 'jpeg 320x180')
  t.equal(await measured(large.pictures[1] ?? Buffer.alloc(0)), 'jpeg 854x480')
  t.equal(await measured(own.pictures[1] ?? Buffer.alloc(0)), 'jpeg 1280x720')
})

t.test('pages, documents and pictures of a stream server', async t => {
  const { url, get } = await streaming(t, [await picture('1')])
  for (const path of ['', 'index.html', 'open?name=x']) {
    const { status, type, bytes } = await get(url + path)
    t.match([status, type], [200, /^text\/html/], path)
    t.notMatch(bytes.toString(), /<script(?![^>]*src=)|<style| style="| on\w+="/, 'nothing that its policy forbids')
  }
  t.match(await get(`${url}snapshot?resolution=360p`), { status: 200, type: 'image/jpeg' })
  t.match((await get(`${url}status`)).json, { fps_cap: 0.5, fps: Number, fps_history: { length: 60 } })
  t.match(await get(`${url}job_state`), { status: 503, json: { status: 'no_data', printer: 'cam' } })
  for (const [query, status] of [['', 503], ['?absent=204', 204]] as const) {
    const answer = await fetch(`${url}job_state${query}`)
    t.match([answer.status, answer.headers.get('cache-control')], [status, 'no-store'], 'before the first analysis')
  }
  for (const path of ['thumbnail', 'layout', 'favicon.ico']) t.equal((await get(url + path)).status, 404, path)
  for (const path of ['annotated', 'factors_radar', 'health_panel']) t.equal((await get(url + path)).status, 204, path)
  t.same((await get(`${url}panels`)).json, [])
  for (const path of ['', 'stream', 'snapshot']) {
    t.match(await get(`${url}${path}?resolution=4k`), { status: 400, json: { error: 'invalid_resolution', detail: String } }, path)
    t.match(await get(`${url}${path}?quality=101`), { status: 400, json: { error: 'invalid_quality', detail: String } }, path)
  }
})

t.test('foreign hosts and origins are sent away, and a token is asked for', async t => {
  const config = { api: { host: '127.0.0.1', token: 'a-long-token' } }
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const { kernel, get } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }], config })
  const reply = await kernel.app.inject({ method: 'POST', url: '/api/start_stream', headers: { authorization: 'Bearer a-long-token' } })
  const { url } = reply.json() as { url: string }
  const bearer = { authorization: 'Bearer a-long-token' }
  for (const path of ['status', 'stream', 'snapshot', 'job_state']) {
    t.equal((await get(url + path)).status, 401, path)
    t.equal((await get(url + path, { ...bearer, origin: 'http://evil.example' })).status, 403, path)
  }
  t.equal((await get(`${url}status`, bearer)).status, 200)
  t.equal((await get(`${url}status`, { authorization: 'Bearer another-token' })).status, 401)
})

t.test('two hundred who never read are sent away', { skip: noProc }, async t => {
  const jpegs = await Promise.all([noisy(1), noisy(2)])
  const { url, kernel } = await streaming(t, jpegs, { timeouts: { viewer: 2_000 } })
  const before = descriptors()
  const viewers = Array.from({ length: 200 }, () => look(t, url, 'stream', false))
  const reader = look(t, url)
  const { camera } = kernel.services
  const server = await camera.manager.start(kernel.printers.resolve('cam'))
  await eventually(() => server.viewers > 150)
  await eventually(() => server.viewers === 1, 60_000)
  const count = reader.pictures.length
  await eventually(() => reader.pictures.length > count + 3)
  t.pass('who reads goes on')
  for (const { socket } of viewers) socket.destroy()
  reader.socket.destroy()
  await eventually(() => descriptors() <= before + 3)
})

t.test('who leaves in the middle of a picture harms nobody', async t => {
  const { url, peer, kernel } = await streaming(t, [await noisy(1), await noisy(2)])
  const stays = look(t, url)
  for (let round = 0; round < 20; round++) {
    const leaves = look(t, url)
    await eventually(() => leaves.bytes > 1_000)
    leaves.socket.resetAndDestroy()
  }
  const count = stays.pictures.length
  await eventually(() => stays.pictures.length > count + 3)
  const server = await kernel.services.camera.manager.start(kernel.printers.resolve('cam'))
  await eventually(() => server.viewers === 1)
  t.equal(peer.total, 1)
})

t.test('no more viewers than allowed', async t => {
  const { url, get } = await streaming(t, [await picture()], { config: { plugins: { camera: { maxViewers: 2 } } } })
  const viewers = [look(t, url), look(t, url)]
  await eventually(() => viewers.every(({ pictures }) => pictures.length > 0))
  t.match(await get(`${url}stream`), { status: 503, json: { error: 'too_many_viewers' } })
})

t.test('a video stream ends after its last viewer, never before the first', async t => {
  const autoStop = 3_000 // the second viewer of a busy machine comes in time
  const { http, peer } = await video(t, { autoStop })
  const { url } = (await http('POST', '/api/start_stream', { printer: 'cam' })).body
  const isOn = async () => (await http('GET', '/api/stream_url', { printer: 'cam' })).body.streaming
  await eventually(() => peer.open === 0)
  await new Promise(resolve => setTimeout(resolve, autoStop + 200))
  t.equal(await isOn(), true, 'nobody has looked yet')
  const first = look(t, url)
  await eventually(() => first.pictures.length > 2)
  t.equal(peer.open, 1)
  first.socket.destroy()
  await new Promise(resolve => setTimeout(resolve, 200))
  const second = look(t, url)
  await eventually(() => second.pictures.length > 2)
  await new Promise(resolve => setTimeout(resolve, autoStop + 200))
  t.equal(await isOn(), true, 'the end was put off')
  second.socket.destroy()
  await eventually(async () => await isOn() === false)
  await eventually(() => peer.open === 0 && ffmpegs().length === 0)
})

t.test('documents, pictures and pages are no viewers', async t => {
  const { http, get } = await video(t)
  const { url } = (await http('POST', '/api/start_stream', { printer: 'cam' })).body
  for (const path of ['', 'status', 'snapshot']) t.equal((await get(url + path)).status, 200, path)
  await new Promise(resolve => setTimeout(resolve, 700))
  t.equal((await http('GET', '/api/stream_url', { printer: 'cam' })).body.streaming, true)
})

t.test('snapshots take the picture of a running stream', async t => {
  const { http, peer, jpeg } = await video(t)
  const { url } = (await http('POST', '/api/start_stream', { printer: 'cam' })).body
  const viewer = look(t, url)
  await eventually(() => viewer.pictures.length > 1)
  const before = peer.total
  const shots = await Promise.all([1, 2, 3, 4].map(() => http('GET', '/api/snapshot', { printer: 'cam' })))
  for (const { body } of shots) t.ok(Buffer.from(body.data_uri.split(',')[1], 'base64').equals(jpeg))
  t.equal(peer.total, before)
  t.match((await http('GET', '/api/snapshot', { printer: 'cam', include_status: true })).body, { protocol: 'rtsps', status: {} })
})

t.test('asking at once is asking once', async t => {
  const { http, peer } = await video(t)
  const answers = await Promise.all([1, 2, 3].flatMap(() => [
    http('GET', '/api/snapshot', { printer: 'cam' }), http('POST', '/api/start_stream', { printer: 'cam' })
  ]))
  t.ok(answers.every(({ status }) => status === 200))
  t.equal(peer.total, 1)
  t.equal(new Set(answers.map(({ body }) => body.port).filter(port => port !== undefined)).size, 1)
})

t.test('everything ends with the service, and with the printer', { skip: noProc }, async t => {
  const { http, kernel, peer } = await video(t)
  const start = async () => (await http('POST', '/api/start_stream', { printer: 'cam' })).body.url
  const first = look(t, await start())
  await eventually(() => first.pictures.length > 1)
  await kernel.printers.disconnect('cam')
  await eventually(() => first.closed && ffmpegs().length === 0 && peer.open === 0)
  t.same(kernel.ports.claimed, [])
  await kernel.printers.connect('cam')
  const url = await start()
  const viewers = Array.from({ length: 20 }, (_, at) => look(t, url, 'stream', at % 2 === 0))
  await eventually(() => viewers.some(({ pictures }) => pictures.length > 1))
  await kernel.close()
  t.same(ffmpegs(), [])
  t.same(kernel.ports.claimed, [])
  await eventually(() => viewers.filter((_, at) => at % 2 === 0).every(({ closed }) => closed))
})
