import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { watchVideo } from '../camera/helpers/watch-video.js'
import { rtsp } from '../emulator/camera-rtsp.js'
import { FULL, READ, REAL, relay, type Relayed } from './relay.js'

const run = promisify(execFile)
/** A second connection to the camera itself would fail. */
const CAMERA = { fps: 15, width: 320, height: 180, ffmpeg: false, secondClient: 'refuse' } as const
const LIMIT_MS = 60_000

const start = (t: Test) =>
  relay(t, { models: [{ model: 'X1C', name: 'printer', accessCode: REAL, reportEveryMs: 1_000, camera: CAMERA }] })

const watch = (t: Test, { ports, serial }: Relayed, accessCode: string) =>
  watchVideo(t, ports.rtsps, { config: { accessCode, serial } })

const clientsOf = async (service: Relayed): Promise<string[]> =>
  ((await service.http('GET', '/api/relay')).body as { printers: { clients: string[] }[] }).printers[0]?.clients ?? []

/** What the camera itself answers to one more. */
async function besides (t: Test, { printer }: Relayed): Promise<number> {
  const direct = await rtsp(t, printer)
  await direct.ask('DESCRIBE')
  const { status } = await direct.askAs(REAL, 'DESCRIBE')
  direct.wire.socket.destroy()
  return status
}

const urlOf = ({ ports }: Relayed, code: string) => `rtsps://bblp:${code}@127.0.0.1:${ports.rtsps}/streaming/live/1`

t.test('video of one camera for several, each with its code', async t => {
  const service = await start(t)
  const viewers = [FULL, READ, READ].map(code => watch(t, service, code))
  await eventually(() => viewers.every(({ units }) => units.length >= 20))
  t.equal(await besides(t, service), 453, 'the camera itself has one')
  t.same(await clientsOf(service), ['Slicer (rtsps)', 'Viewer (rtsps)', 'Viewer (rtsps)'])
  for (const { units } of viewers) {
    t.ok(units[0]?.key)
    t.match(units[0]?.format, { width: 160, height: 90 })
    t.ok(units.every(({ time }, at) => at === 0 || time > (units[at - 1]?.time ?? Infinity)), 'time goes on')
  }
  const [first, second] = viewers.map(({ units }) => units.filter(({ key }) => key).at(-1)?.nalus[0])
  t.equal(first?.length, second?.length)

  for (const code of ['wrong-code', REAL]) t.match(await watch(t, service, code).ended, { kind: 'access_code_rejected' })

  await Promise.all(viewers.map(viewer => viewer.stop()))
  await eventually(async () => (await clientsOf(service)).length === 0)

  const bare = await rtsp(t, { ports: service.ports } as never)
  t.match(await bare.ask('OPTIONS'), { status: 200, headers: { Public: /DESCRIBE.*GET_PARAMETER/ } })
  t.match(await bare.ask('DESCRIBE'), { status: 401 })
  t.match(await bare.askAs(FULL, 'DESCRIBE', `${bare.url}/other`), { status: 404 })
  const described = await bare.askAs(FULL, 'DESCRIBE')
  t.match(described, { status: 200, body: /sprop-parameter-sets=[\w+/=]+,[\w+/=]+/ })
  const setup = await bare.askAs(FULL, 'SETUP', `${bare.url}/track1`, { Transport: 'RTP/AVP;unicast;client_port=5000-5001' })
  t.match(setup, { status: 461 }, 'nothing but the connection itself')
  t.match(await bare.ask('PLAY', bare.url, { Session: 'nonsense' }), { status: 454 })
  t.notMatch(JSON.stringify(described), REAL)
  bare.wire.socket.destroy()

  const basic = await rtsp(t, { ports: service.ports } as never)
  t.match(await basic.askAs(READ, 'DESCRIBE'), { status: 200 }, 'without being asked')
  basic.wire.socket.destroy()
  await eventually(async () => (await clientsOf(service)).length === 0)
  await eventually(async () => await besides(t, service) === 200)
  t.pass('with nobody who looks the camera is free')
})

t.test('one who does not read is left behind, and others are not', async t => {
  const service = await start(t)
  const lazy = await rtsp(t, { ports: service.ports } as never)
  await lazy.play(FULL)
  lazy.wire.socket.pause()
  const other = watch(t, service, READ)
  await eventually(() => other.units.length >= 45)
  t.ok(other.units.filter(({ key }) => key).length >= 2)
  const odd = connect({ host: '127.0.0.1', port: service.ports.rtsps, rejectUnauthorized: false })
  odd.on('error', () => {}).resume()
  await once(odd, 'secureConnect')
  odd.write(Buffer.alloc(40_000, 0xA5))
  if (!odd.closed) await once(odd, 'close')
  const { length } = other.units
  await eventually(() => other.units.length > length + 5)
})

t.test('players of others', { skip: findProgram('ffprobe') === undefined && 'ffprobe is not installed' }, async t => {
  const service = await start(t)
  const url = urlOf(service, READ)
  const { stdout, stderr } = await run('ffprobe', ['-v', 'warning', '-rtsp_transport', 'tcp', '-read_intervals', '%+#20',
    '-show_entries', 'frame=width,height,pict_type', '-of', 'csv=p=0', url], { timeout: LIMIT_MS })
  t.equal(stderr, '')
  const frames = stdout.trim().split('\n')
  t.ok(frames.length >= 10, `${frames.length} frames`)
  t.ok(frames.every(line => line.startsWith('160,90')))
  await t.rejects(run('ffprobe', ['-v', 'error', '-rtsp_transport', 'tcp', urlOf(service, REAL)], { timeout: LIMIT_MS }), /401/)

  await t.test('GStreamer', { skip: findProgram('gst-launch-1.0') === undefined && 'gst-launch-1.0 is not installed' }, async t => {
    const file = join(testFolder(t), 'video.h264')
    await run('gst-launch-1.0', ['-q', 'rtspsrc', `location=${url}`, 'protocols=tcp', 'tls-validation-flags=0', 'latency=0', '!',
      'rtph264depay', '!', 'video/x-h264,stream-format=byte-stream,alignment=au', '!', 'identity', 'eos-after=20', '!',
      'filesink', `location=${file}`], { timeout: LIMIT_MS })
    const kinds = readFileSync(file, 'latin1').split('\0\0\x01').slice(1).map(unit => unit.charCodeAt(0) & 31)
    t.same(kinds.filter((kind, at) => at <= kinds.indexOf(5) && kind !== 7 && kind !== 8), [5], 'begins with a key picture')
    t.ok(kinds.filter(kind => kind === 1 || kind === 5).length >= 15)
  })
})
