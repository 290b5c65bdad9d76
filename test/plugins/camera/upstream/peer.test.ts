import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import {
  createVirtualPrinter, type CameraOptions, type VirtualPrinter
} from '../../../../plugins/emulator/index.js'
import type { AccessUnit } from '../../../../plugins/camera/video/types.js'
import { eventually } from '../../../helpers/eventually.js'
import { findProgram } from '../../../helpers/programs.js'
import { CODE, X1_SERIAL } from '../helpers/boot.js'
import { noServer, startRtspsPeer } from '../helpers/rtsps-peer.js'
import { annexB, watchVideo, type VideoWatch } from '../helpers/watch-video.js'
import { testFolder } from '../../../helpers/folder.js'

// Against GStreamer's server and a virtual printer, judged by ffmpeg.
const WANTED = 30

const hasFfmpeg = findProgram('ffmpeg') !== undefined && findProgram('ffprobe') !== undefined

/** A decoder takes all of it, says nothing, and sees as many pictures of the same size as we did. */
function checkDecodes (t: Test, units: readonly AccessUnit[]): void {
  if (!hasFfmpeg) return
  const { width, height } = units[0]?.format ?? {}
  const file = join(testFolder(t), 'video.h264')
  writeFileSync(file, annexB(units))
  const probe = ['-v', 'error', '-f', 'h264', '-count_frames', '-show_entries', 'stream=nb_read_frames,width,height',
    '-of', 'csv=p=0', file]
  t.equal(spawnSync('ffprobe', probe, { encoding: 'utf8' }).stdout.trim(), `${width},${height},${units.length}`)
  const decode = ['-v', 'warning', '-f', 'h264', '-err_detect', 'explode', '-i', file, '-f', 'null', '-']
  t.equal(spawnSync('ffmpeg', decode, { encoding: 'utf8' }).stderr, '')
}

function checkUnits (t: Test, units: readonly AccessUnit[]): void {
  t.ok(units[0]?.key, 'the first one is a key picture')
  t.same(units.map(({ seq }) => seq), units.map((_, at) => at + 1))
  t.ok(units.every(({ time }, at) => at === 0 || time > (units[at - 1]?.time ?? Infinity)), 'time goes on')
  t.equal(new Set(units.map(({ format }) => format)).size, 1)
  const types = new Set(units.flatMap(({ nalus }) => nalus.map(nal => (nal[0] ?? 0) & 0x1F)))
  t.ok([...types].every(type => type <= 6), [...types].join())
}

t.test('video of another server, by both schemes, without a loss', { skip: noServer }, async t => {
  for (const method of ['digest', 'basic'] as const) {
    const peer = await startRtspsPeer(t, { serial: X1_SERIAL, accessCode: CODE, method })
    const video = watchVideo(t, peer.port)
    await eventually(() => video.units.length >= WANTED, 20_000)
    t.match(await video.stop(), { message: 'enough' })
    await eventually(() => peer.open === 0)
    checkUnits(t, video.units)
    t.match(video.units[0]?.format, { width: 640, height: 360, codec: /^avc1\.[0-9a-f]{6}$/ }, method)
    checkDecodes(t, video.units)
    await peer.close()
  }
})

t.test('the wrong access code is called one by another server', { skip: noServer }, async t => {
  const peer = await startRtspsPeer(t, { serial: X1_SERIAL, accessCode: 'another1' })
  const { ended, units } = watchVideo(t, peer.port)
  t.match(await ended, { kind: 'access_code_rejected', message: /rejected the access code/ })
  t.same(units, [])
})

const SMALL = { width: 320, height: 180, fps: 15 }
const PLAIN: CameraOptions = { ...SMALL, ffmpeg: false }

async function startPrinter (t: Test, camera: CameraOptions): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter({ model: 'X1C', serial: X1_SERIAL, accessCode: CODE, host: '127.0.0.1', camera })
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}

t.test('video of a virtual printer, with and without an encoder', async t => {
  for (const camera of [SMALL, PLAIN]) {
    const printer = await startPrinter(t, camera)
    const video = watchVideo(t, printer.ports.rtsps ?? 0)
    await eventually(() => video.units.length >= WANTED, 20_000)
    await video.stop()
    checkUnits(t, video.units)
    checkDecodes(t, video.units)
    await printer.stop()
  }
})

t.test('what a virtual printer does that something is wrong with', async t => {
  const printer = await startPrinter(t, PLAIN)
  const { faults: { camera: faults }, ports: { rtsps = 0 } } = printer
  const timeouts = { stall: 1_000, grace: 300 }
  const see = async (watch = watchVideo(t, rtsps, { timeouts })) => {
    await eventually(() => watch.units.length > 3, 20_000)
    return watch
  }
  const end = async (begin: () => unknown, watched?: VideoWatch) => {
    const watch = watched ?? await see()
    begin()
    const { kind, message } = await watch.ended
    await faults.clear()
    return { kind, message }
  }
  const off = { kind: 'live_view_off', message: /LAN Mode Liveview/ }
  t.match(await end(() => faults.liveViewOff()), { kind: 'lost' }, 'while somebody looks')
  faults.liveViewOff()
  t.match(await end(() => {}, watchVideo(t, rtsps)), off)
  t.match(await end(() => {}, watchVideo(t, rtsps, { config: { accessCode: '00000000' } })), { kind: 'access_code_rejected' })
  t.match(await end(() => faults.cut()), { kind: 'lost', message: /connection was lost/ })
  t.match(await end(() => faults.stall()), { kind: 'stalled', message: /No picture came for 1 s/ })
  for (const spoil of ['header', 'short-length', 'zeros'] as const) {
    t.match(await end(() => faults.spoil(spoil)), { kind: 'bad_data' }, spoil)
  }
  const first = await see()
  faults.secondClient('refuse')
  t.match(await end(() => {}, watchVideo(t, rtsps)), { kind: 'lost', message: /refused DESCRIBE: 453/ })
  await first.stop()
})

t.test('a clock that stands still, and pictures that are cut', async t => {
  const printer = await startPrinter(t, PLAIN)
  const { faults: { camera: faults }, ports: { rtsps = 0 } } = printer
  faults.freezeClock()
  const video = watchVideo(t, rtsps)
  await eventually(() => video.units.length >= WANTED, 20_000)
  faults.spoil('truncated', 2)
  const { length } = video.units
  await eventually(() => video.units.length >= length + WANTED, 20_000)
  await video.stop()
  checkUnits(t, video.units)
  checkDecodes(t, video.units)
})
