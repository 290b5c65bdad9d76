import { readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { A1_SERIAL, bootCamera, CODE, X1_SERIAL } from './helpers/boot.js'
import { fakeFfmpeg } from './helpers/fake-ffmpeg.js'
import { showing, startJpegPeer } from './helpers/jpeg-peer.js'
import { measured, picture } from './helpers/pictures.js'

const bytesOf = (uri: string): Buffer => Buffer.from(uri.replace('data:image/jpeg;base64,', ''), 'base64')
/** A port that nobody listens on. */
const NOBODY = 9

t.test('a snapshot: the camera\'s own bytes, six sizes, every quality', async t => {
  const jpeg = await picture('own')
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([jpeg]))
  const { http } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  const shot = async (params: object) => (await http('GET', '/api/snapshot', { printer: 'cam', ...params })).body
  const own = await shot({})
  t.match(own, { width: 1280, height: 720, resolution: 'native', quality: 85, protocol: 'tcp_tls' })
  t.ok(bytesOf(own.data_uri).equals(jpeg), 'unchanged')
  t.ok(readFileSync(own.saved_path).equals(jpeg))
  t.equal(statSync(own.saved_path).mode & 0o777, 0o600)
  t.match(own.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.notOk('status' in own)
  for (const [resolution, size] of Object.entries({ '1080p': '1920x1080', '720p': '1280x720', '480p': '854x480', '360p': '640x360', '180p': '320x180' })) {
    const made = await shot({ resolution, quality: '060' })
    t.match(made, { resolution, quality: 60, width: Number(size.split('x')[0]), height: Number(size.split('x')[1]) })
    t.equal(await measured(bytesOf(made.data_uri)), `jpeg ${size}`)
    t.match(made.saved_path, `cam_${resolution}_60.jpg`)
  }
  const worse = await shot({ quality: 20 })
  t.ok(bytesOf(worse.data_uri).length < jpeg.length, 'made anew at the same size')
  t.equal(await measured(bytesOf(worse.data_uri)), 'jpeg 1280x720')
  const strange = await shot({ resolution: '../../x' })
  t.match(strange, { resolution: '../../x', width: 1280 })
  t.match(strange.saved_path, /cam_native_85\.jpg$/)
  await eventually(() => peer.open === 0)
})

t.test('a snapshot is refused before anything is captured, in this order', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const { http } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  for (const quality of ['0', '101', '0000085', '+85', '-1', ' 85', '8_5', '60.5', '', 'x', '٨٥']) {
    const { status, body } = await http('GET', '/api/snapshot', { printer: 'nobody', quality })
    t.match([status, body.error, typeof body.detail], [400, 'invalid_quality', 'string'], `'${quality}'`)
  }
  const absent = await http('GET', '/api/snapshot', { printer: 'nobody' })
  t.match([absent.status, absent.body.error], [400, 'not_connected'])
  t.equal(peer.total, 0, 'nobody asked the camera')
})

t.test('a printer without an address, and one without a camera', async t => {
  const { http, tool } = await bootCamera(t, {
    printers: [{ name: 'nowhere', host: ' ' }, { name: 'blind', serial: 'ZZZ00A000000001' }]
  })
  const paths = [['GET', '/api/snapshot'], ['POST', '/api/start_stream'], ['POST', '/api/view_stream']] as const
  for (const [method, path] of paths) {
    const nowhere = await http(method, path, { printer: 'nowhere' })
    t.match(nowhere, { status: 400, body: { error: 'not_connected', detail: 'Printer hostname is not set' } }, path)
    const blind = await http(method, path, { printer: 'blind' })
    t.match(blind, { status: 400, body: { error: 'no_camera', detail: /'blind' has not said yet/ } }, path)
  }
  for (const name of ['start_stream', 'view_stream']) {
    t.match(await tool(name, { name: 'nowhere' }), { failed: true, value: { error: 'not_connected', detail: 'Printer hostname is not set' } })
    t.match(await tool(name, { name: 'blind' }), { failed: true, value: { error: 'no_camera', detail: /camera/ } })
    t.match(await tool(name, { name: 'gone' }), { failed: true, value: { error: "Printer 'gone' not connected" } })
  }
  t.match(await tool('get_stream_url', { name: 'nowhere' }), { failed: true, value: { error: 'not_connected', detail: 'Printer hostname is not set' } })
  t.match(await tool('get_stream_url', { name: 'gone' }), { failed: true, value: { error: 'not_connected' } })
  t.match((await tool('get_stream_url', { name: 'blind' })).value, { protocol: 'none', rtsps_url: null, streaming: false })
  t.match((await http('GET', '/api/stream_url', { printer: 'gone' })), { status: 400, body: { error: 'not_connected' } })
})

t.test('nobody answers: the reason in words, over every face, and no port is kept', async t => {
  const { http, tool, kernel } = await bootCamera(t, {
    printers: [{ name: 'a1', ports: { camera: NOBODY } }, { name: 'x1', serial: X1_SERIAL, ports: { rtsps: NOBODY } }],
    config: { ffmpeg: fakeFfmpeg(t, 'ends', Buffer.alloc(0)) } // never asked: there is nothing to decode
  })
  for (const [printer, words] of [['a1', /127\.0\.0\.1:9: nothing answers/], ['x1', /refuses the camera connection.*LAN Mode Liveview/]] as const) {
    const failed = { status: 400, body: { status: 'error', error: 'stream_failed', detail: words } }
    t.match(await http('GET', '/api/snapshot', { printer }), failed)
    t.match(await http('POST', '/api/start_stream', { printer }), failed)
    t.match(await http('POST', '/api/view_stream', { printer }), failed)
    for (const name of ['start_stream', 'view_stream']) {
      t.match(await tool(name, { name: printer }), { failed: true, value: { error: 'stream_failed', detail: words } })
    }
  }
  t.same(kernel.ports.claimed, [])
})

t.test('what is asked of a view is checked before the printer', async t => {
  const { http, tool } = await bootCamera(t, { printers: [] })
  for (const name of ['get_snapshot', 'view_stream']) {
    t.match(await tool(name, { name: 'gone', resolution: '4k', quality: 0 }), { failed: true, value: { error: 'invalid_resolution', detail: /one of native, 1080p/ } }, name)
    t.match(await tool(name, { name: 'gone', quality: 101 }), { failed: true, value: { error: 'invalid_quality', detail: /1 to 100/ } }, name)
  }
  t.match(await http('POST', '/api/view_stream', { resolution: '4k' }), { status: 400, body: { error: 'invalid_resolution' } })
  for (const quality of [0, 8.5, 'abc', '']) {
    t.match(await http('POST', '/api/view_stream', { quality }), { status: 400, body: { error: 'invalid_quality' } }, `'${quality}'`)
  }
  t.match(await http('POST', '/api/view_stream', { quality: 'abc', resolution: '4k' }), { body: { error: 'invalid_resolution' } })
  t.match(await tool('get_snapshot', { name: 'gone' }), { failed: true, value: { error: 'not_connected' } })
})

t.test('the snapshot tool gives the address of the route', async t => {
  const { tool } = await bootCamera(t, { printers: [{ name: 'a b&c' }] })
  const { value } = await tool('get_snapshot', { name: 'a b&c', resolution: '720p', quality: 75, include_status: true })
  t.equal(value.url, 'http://localhost:49152/api/snapshot?printer=a%20b%26c&resolution=720p&quality=75&include_status=true')
})

t.test('a stream is started, found, viewed and stopped by route and tool alike', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const opened: string[] = []
  const { http, tool, kernel } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }], opened })
  t.same((await http('POST', '/api/stop_stream', { printer: 'cam' })).body, { stopped: false, name: 'cam' })
  const started = (await http('POST', '/api/start_stream', { printer: 'cam' })).body
  t.match(started, { url: `http://localhost:${started.port}/`, protocol: 'tcp_tls' })
  t.same((await tool('start_stream', { name: 'cam', port: 4 })).value, started, 'the same again')
  t.match((await tool('get_stream_url', { name: 'cam' })).value, { local_mjpeg_url: started.url, streaming: true })
  t.match((await tool('get_server_info')).value, { stream_count: 1, streams: { cam: { port: started.port, url: started.url } }, pool_claimed: [started.port] })
  t.match((await tool('view_stream', { name: 'cam' })).value, { url: started.url, opened: true, overlay_active: true })
  const small = (await http('POST', '/api/view_stream', { printer: 'cam', resolution: '480p', quality: 60 })).body
  t.equal(small.url, `${started.url}?resolution=480p&quality=60`)
  t.same(opened, [`${started.url}open?name=prnd-cam`, `${started.url}open?resolution=480p&quality=60&name=prnd-cam-480p-60`])
  t.equal(peer.total, 1, 'one connection to the camera for all of it')
  t.same((await tool('stop_stream', { name: 'cam' })).value, { stopped: true, name: 'cam' })
  t.same((await tool('stop_stream', { name: 'no such printer' })).value, { stopped: false, name: 'no such printer' })
  t.match(await http('POST', '/api/stop_stream', { printer: 'no such printer' }), { status: 400, body: { error: 'not_connected' } })
  t.same(kernel.ports.claimed, [])
  await eventually(() => peer.open === 0)
})

t.test('a machine without a browser says so', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const { tool } = await bootCamera(t, { printers: [{ ports: { camera: peer.port } }] })
  t.match((await tool('view_stream', { name: 'cam' })).value, { opened: false, overlay_active: true })
})

t.test('a stream takes the port it is told, and with none free the one of the API', async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const port = 12_000 + process.pid % 900 * 20
  const { http, get, kernel } = await bootCamera(t, {
    listen: true,
    printers: [{ name: 'one', ports: { camera: peer.port } }, {
      name: 'two & 2', serial: `${A1_SERIAL.slice(0, -1)}9`, tls: { mode: 'insecure' }, ports: { camera: peer.port }
    }],
    config: { api: { host: '127.0.0.1' }, ports: { start: port, end: port + 1 } }
  })
  t.equal((await http('POST', '/api/start_stream', { printer: 'one' })).body.port, port + 1)
  const two = (await http('POST', '/api/start_stream', { printer: 'two & 2' })).body
  t.match(two, { port: kernel.apiPort, url: two.shared_url })
  const { body } = await http('GET', '/api/stream_url', { printer: 'two & 2' })
  t.match(body, { streaming: true, local_mjpeg_url: two.url, shared_url: two.url })
  t.match((await get(`${two.url}snapshot`)).type, 'image/jpeg')
  t.equal((await http('POST', '/api/stop_stream', { printer: 'two & 2' })).status, 200)
  t.equal((await http('POST', '/api/start_stream', { printer: 'two & 2', port: port + 7 })).body.port, port + 7)
})

t.test('the access code is nowhere to be seen', async t => {
  const { http } = await bootCamera(t, { printers: [{ name: 'x1', serial: X1_SERIAL, ports: { rtsps: 7322 } }] })
  t.equal((await http('GET', '/api/stream_url', { printer: 'x1' })).body.rtsps_url, 'rtsps://bblp:****@127.0.0.1:7322/streaming/live/1')
})
