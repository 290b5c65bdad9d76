import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootCamera, CODE, X1_SERIAL, QUICK } from './helpers/boot.js'
import { measured } from './helpers/pictures.js'
import { ffmpegs } from '../../helpers/processes.js'
import { noVideo, startRtspsPeer } from './helpers/rtsps-peer.js'
import { look } from './helpers/viewer.js'

// Against GStreamer's server and the real ffmpeg: neither of them is ours.
const options = { skip: noVideo }
const PATIENT = {
  ...QUICK,
  firstFrame: { rtsps: 15_000, tcp_tls: 1_000 },
  upstream: { ...QUICK.upstream, rtsps: { connect: 5_000, stall: 15_000, grace: 1_000 } }
}

const camera = (port: number) => ({ printers: [{ serial: X1_SERIAL, ports: { rtsps: port } }], timeouts: PATIENT })

t.test('a picture, with the password by both schemes, and nothing left behind', options, async t => {
  for (const method of ['digest', 'basic'] as const) {
    const peer = await startRtspsPeer(t, { serial: X1_SERIAL, accessCode: CODE, method })
    const { http, kernel } = await bootCamera(t, camera(peer.port))
    const { body } = await http('GET', '/api/snapshot', { printer: 'cam' })
    t.match(body, { protocol: 'rtsps', width: 640, height: 360 }, method)
    t.equal(await measured(Buffer.from(body.data_uri?.split(',')[1] ?? '', 'base64')), 'jpeg 640x360')
    await eventually(() => peer.open === 0)
    t.equal(peer.total, 1)
    t.equal(kernel.pins.get(X1_SERIAL), peer.identity.fingerprint)
    await kernel.close()
    t.same(ffmpegs(), [])
    await peer.close()
  }
})

t.test('a wrong access code is called one', options, async t => {
  const peer = await startRtspsPeer(t, { serial: X1_SERIAL, accessCode: 'another1' })
  const { http, tool } = await bootCamera(t, camera(peer.port))
  const words = /rejected the access code/
  t.match(await http('GET', '/api/snapshot', { printer: 'cam' }), { status: 400, body: { error: 'stream_failed', detail: words } })
  t.match(await tool('start_stream', { name: 'cam' }), { failed: true, value: { error: 'stream_failed', detail: words } })
})

t.test('a stream for several, with the password in no list of processes', options, async t => {
  const peer = await startRtspsPeer(t, { serial: X1_SERIAL, accessCode: CODE })
  const { http } = await bootCamera(t, camera(peer.port))
  const { url } = (await http('POST', '/api/start_stream', { printer: 'cam' })).body
  const viewers = ['stream', 'stream', 'stream?resolution=180p'].map(path => look(t, url, path))
  await eventually(() => viewers.every(({ pictures }) => pictures.length > 10), 15_000)
  t.equal(peer.open, 1)
  t.equal(ffmpegs().length, 1)
  t.notMatch(ffmpegs().join(), CODE)
  await peer.close()
  const { length } = viewers[0]?.pictures ?? []
  await eventually(async () => (await http('GET', '/api/snapshot', { printer: 'cam' })).body.error === 'stream_failed')
  t.ok((viewers[0]?.pictures.length ?? 0) >= length)
})
