import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import type { Test } from 'tap'
import {
  createIdentity, type CameraOptions, type ModelName, type VirtualPrinter
} from '../../../plugins/emulator/index.js'
import { resolveCamera, type CameraSettings } from '../../../plugins/emulator/camera/index.js'
import { interleave } from '../../../plugins/printer-servers/rtsp/rtp.js'
import { traitsOf } from '../../../plugins/emulator/models/index.js'
import { eventually } from '../../helpers/eventually.js'
import { findProgram } from '../../helpers/programs.js'
import { CODE, X1_SERIAL } from '../camera/helpers/boot.js'
import { watchVideo } from '../camera/helpers/watch-video.js'
import { kindOf, pictureOf, rtsp, type Rtsp } from './camera-rtsp.js'
import { start } from './camera-viewer.js'

// How cameras of different firmware differ: each habit on the wire, and with the client that lives with it.

const SMALL = { width: 320, height: 180, fps: 20, ffmpeg: false } as const

const identity = await createIdentity(X1_SERIAL)

const startWith = (t: Test, camera: CameraOptions): Promise<VirtualPrinter> =>
  start(t, { model: 'X1C', serial: X1_SERIAL, accessCode: CODE, identity, camera: { ...SMALL, ...camera } })

async function playing (t: Test, printer: VirtualPrinter): Promise<Rtsp> {
  const client = await rtsp(t, printer)
  await client.play(CODE)
  return client
}

/** Pictures come, and more of them. */
async function plays (t: Test, printer: VirtualPrinter, count = 8): Promise<void> {
  const { units, stop } = watchVideo(t, printer.ports.rtsps ?? 0)
  await eventually(() => units.length >= count)
  t.match(await stop(), { message: 'enough' })
}

const settingsOf = (model: ModelName, firmware?: string): CameraSettings => resolveCamera(traitsOf(model), {}, firmware)

const stampOf = (packets: readonly Buffer[]): number => packets[0]?.readUInt32BE(4) ?? 0

t.test('defaults by model and firmware', async t => {
  const rates = (['X1C', 'X1E', 'H2D', 'X2D', 'P2S', 'P1S'] as const).map(model => settingsOf(model).fps)
  t.same(rates, [30, 30, 30, 30, 15, 1])
  const sizes = (['X1C', 'H2D', 'P2S', 'P1S', 'A1'] as const).map(model => settingsOf(model)).map(({ width, height }) => `${width}x${height}`)
  t.same(sizes, ['1168x720', '1920x1080', '1920x1080', '1280x720', '1280x720'])
  t.equal(settingsOf('P2S').timestamps, 'moving')
  t.equal(settingsOf('P2S', '01.02.00.00').timestamps, 'frozen')
  t.equal(settingsOf('X1C', '01.02.00.00').timestamps, 'moving')
  for (const wrong of [{ fps: 31 }, { keySeconds: 0 }, { drawSeconds: Number.NaN }, { sessionSeconds: -1 }]) {
    t.throws(() => resolveCamera(traitsOf('X1C'), wrong), RangeError, JSON.stringify(wrong))
  }
})

t.test('30 and 15 pictures a second, by their stamps', async t => {
  for (const [model, ticks] of [['X1C', 3000], ['P2S', 6000]] as const) {
    const { width, height, ffmpeg } = SMALL
    const printer = await start(t, { model, accessCode: CODE, camera: { width, height, ffmpeg } })
    const client = await playing(t, printer)
    const stamps: number[] = []
    while (stamps.length < 20) stamps.push(stampOf(await pictureOf(client)))
    const steps = stamps.slice(1).map((stamp, at) => (stamp - (stamps[at] ?? 0)) >>> 0)
    t.ok(steps.slice(-8).some(step => Math.abs(step - ticks) <= 1), `${model}: ${steps.join()}`)
  }
})

t.test('a key picture every so many seconds', async t => {
  const client = await playing(t, await startWith(t, { keySeconds: 0.25 }))
  const keys: boolean[] = []
  while (keys.length < 16) keys.push(/5$/.test(kindOf((await pictureOf(client)).at(-1) as Buffer)))
  t.same(keys.map((isKey, at) => isKey ? at : -1).filter(at => at >= 0), [0, 5, 10, 15])
})

t.test('parameter sets in the description, in the stream, or both', async t => {
  for (const [parameterSets, told, sent] of [['sdp', true, false], ['in-band', false, true], ['both', true, true]] as const) {
    const printer = await startWith(t, { parameterSets })
    const client = await rtsp(t, printer)
    await client.ask('DESCRIBE')
    const { body } = await client.askAs(CODE, 'DESCRIBE')
    t.equal(body.includes('sprop-parameter-sets='), told, `${parameterSets} described`)
    await client.play(CODE)
    const kinds = (await pictureOf(client)).map(kindOf)
    t.same(kinds.slice(0, 2).join() === '7,8', sent, `${parameterSets} sent`)
    await plays(t, printer)
  }
})

t.test('a newcomer begins with a key picture, or in the middle', async t => {
  for (const [begins, kind] of [['key', '7'], ['midway', 'fragment of 1']] as const) {
    const printer = await startWith(t, { begins, keySeconds: 3 })
    const first = await playing(t, printer)
    for (let count = 0; count < 3; count++) await pictureOf(first)
    const second = await playing(t, printer)
    t.equal((await pictureOf(second)).map(kindOf)[0], kind, begins)
    await plays(t, printer)
  }
})

t.test('stamps that stand still, by choice and by firmware', async t => {
  const chosen = await startWith(t, { timestamps: 'frozen' })
  const known = await start(t, { model: 'P2S', firmware: '01.02.00.00', accessCode: CODE, camera: SMALL })
  for (const printer of [chosen, known]) {
    const client = await playing(t, printer)
    const stamps = new Set<number>()
    for (let count = 0; count < 5; count++) stamps.add(stampOf(await pictureOf(client)))
    t.equal(stamps.size, 1)
  }
  await plays(t, chosen)
})

t.test('basic credentials', async t => {
  const printer = await startWith(t, { auth: 'basic' })
  const client = await rtsp(t, printer)
  t.match((await client.ask('DESCRIBE')).headers['WWW-Authenticate'], /^Basic realm=/)
  t.equal((await client.askAs('wrong', 'DESCRIBE')).status, 401)
  t.equal((await client.askAs(CODE, 'DESCRIBE')).status, 200)
  await plays(t, printer)
  printer.faults.camera.rejectAccessCode()
  t.match(await watchVideo(t, printer.ports.rtsps ?? 0).ended, { kind: 'access_code_rejected' })
})

t.test('a farewell without an answer', async t => {
  const printer = await startWith(t, { answersTeardown: false })
  const client = await rtsp(t, printer)
  const session = await client.play(CODE)
  client.wire.socket.write(`TEARDOWN ${client.url} RTSP/1.0\r\nCSeq: 98\r\nSession: ${session}\r\n\r\n`)
  t.equal((await client.ask('OPTIONS')).headers.CSeq, '5', 'the next answer is for what came after it')
  t.equal((await client.ask('PLAY', client.url, { Session: session })).status, 454, 'the session is over')
  const { units, stop } = watchVideo(t, printer.ports.rtsps ?? 0, { timeouts: { grace: 100 } })
  await eventually(() => units.length > 0)
  t.match(await stop(), { message: 'enough' }, 'who does not wait for it is not held up')
  await client.wire.socket.destroy()
})

t.test('signs of life: what counts keeps a session, what does not is as silence', async t => {
  const deaf = await startWith(t, { aliveBy: [], sessionSeconds: 2 })
  const given = watchVideo(t, deaf.ports.rtsps ?? 0).ended
  await Promise.all((['OPTIONS', 'GET_PARAMETER'] as const).map(async sign => {
    const printer = await startWith(t, { aliveBy: [sign], sessionSeconds: 2 })
    const client = await rtsp(t, printer)
    t.equal((await client.ask('OPTIONS')).headers.Public?.includes('GET_PARAMETER'), sign === 'GET_PARAMETER')
    t.equal((await client.ask('GET_PARAMETER')).status, sign === 'GET_PARAMETER' ? 200 : 405)
    await plays(t, printer, 60)
  }))
  t.match(await given, { kind: 'lost' })
})

t.test('receiver reports are a sign of life too, where they count', async t => {
  for (const aliveBy of [['RTCP'], ['OPTIONS']] as const) {
    const printer = await startWith(t, { aliveBy, sessionSeconds: 1 })
    const client = await playing(t, printer)
    const reports = setInterval(() => client.wire.socket.write(interleave(1, Buffer.alloc(8))), 100)
    t.teardown(() => clearInterval(reports))
    const stays = (async () => {
      for (let count = 0; count < 40; count++) await pictureOf(client)
      return true
    })().catch(() => false)
    t.equal(await stays, aliveBy[0] === 'RTCP', aliveBy[0])
    client.wire.socket.destroy()
  }
})

const ffprobe = findProgram('ffprobe')

t.test('ffprobe reads every habit', ffprobe === undefined ? { skip: 'no ffprobe on the path' } : {}, async t => {
  const habits: readonly CameraOptions[] = [
    { parameterSets: 'sdp' }, { parameterSets: 'in-band' }, { timestamps: 'frozen' }, { auth: 'basic' },
    { begins: 'midway' }, { answersTeardown: false }
  ]
  await Promise.all(habits.map(async habit => {
    const { ports } = await startWith(t, habit)
    const url = `rtsps://bblp:${CODE}@127.0.0.1:${ports.rtsps}/streaming/live/1`
    const { stdout, stderr } = await promisify(execFile)(ffprobe ?? '', ['-v', 'error', '-rtsp_transport', 'tcp',
      '-timeout', '15000000',
      '-probesize', '100000', '-analyzeduration', '500000', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', url])
    t.same([stdout.trim(), stderr], ['h264,160,90', ''], JSON.stringify(habit))
  }))
})
