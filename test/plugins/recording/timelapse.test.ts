import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import t, { type Test } from 'tap'
import { createEmitter, type PrinterSession, type SessionEvents } from '../../../core/index.js'
import type { Decoder } from '../../../plugins/camera/index.js'
import { createPendingRecordings } from '../../../plugins/recording/pending-recordings.js'
import type { Recording, Settings } from '../../../plugins/recording/index.js'
import { openRecordingStore } from '../../../plugins/recording/store.js'
import { createTimelapse } from '../../../plugins/recording/timelapse/index.js'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'
import { picture } from '../camera/helpers/pictures.js'
import { bootRecording, noFfmpeg, PICTURES, probe } from './boot.js'

const CUBE = { gcodeState: 'RUNNING', taskId: '7', subtaskId: '8', subtaskName: 'cube', gcodeFile: 'cube.3mf', layer: 1 }

/** A printer that says what the test lets it say. */
function fakePrinter (name = 'p1s', reportedStart = '') {
  const events = createEmitter<SessionEvents>(error => { throw error })
  const { signal } = new AbortController()
  const session = { name, events, context: { reportedStart }, state: undefined as unknown, signal }
  return {
    session: session as unknown as PrinterSession,
    job (job: Partial<typeof CUBE>) {
      session.state = { job: { ...CUBE, ...job } }
      events.emit('state', session.state as never, session.state as never)
    }
  }
}

interface SetUp {
  readonly dataDir?: string
  readonly settings?: Partial<Settings>
  readonly canEncode?: boolean | (() => boolean)
  readonly retryMs?: readonly number[]
}

/** One run of the service's timelapses, with a camera and a decoder that the test plays. */
async function setUp (t: Test, { dataDir = testFolder(t), settings = {}, canEncode = true, retryMs }: SetUp = {}) {
  const mayEncode = () => typeof canEncode === 'function' ? canEncode() : canEncode
  const log = pino({ level: 'silent' })
  const controller = new AbortController()
  const store = await openRecordingStore({ dataDir, maxBytes: 1e8, keepFreeBytes: 0, log, onRemoved () {} })
  const pendingRecordings = createPendingRecordings(() => {})
  const jpeg = await picture('1', 64, 64)
  const encoded: number[] = []
  const kept: Recording[] = []
  const chosen: Settings = { evidence: true, timelapse: 'layer', interval_s: 10, keep_connected: false, ...settings }
  let taken = 0
  const encode: NonNullable<Awaited<ReturnType<Decoder['findEncoder']>>> = async ({ pictures, fps, file }) => {
    let count = 0
    for await (const one of pictures) if (one.length > 0) count++
    encoded.push(count)
    await writeFile(file, `${count} at ${fps}`)
  }
  const timelapse = await createTimelapse({
    store,
    pendingRecordings,
    settingsOf: () => chosen,
    frame: async () => ({ seq: ++taken, jpeg, width: 64, height: 64, capturedAt: Date.now() }),
    findDecoder: async () => ({ name: 'fake', findEncoder: async () => mayEncode() ? encode : undefined }) as unknown as Decoder,
    encode: work => work(),
    isConfigured: name => name === 'p1s',
    onStored: recording => { kept.push(recording) },
    ...(retryMs && { retryMs }),
    signal: controller.signal,
    now: Date.now,
    log
  })
  async function end () {
    controller.abort(new Error('the service ends'))
    await timelapse.close()
  }
  t.teardown(end)
  return {
    dataDir,
    timelapse,
    pendingRecordings,
    store,
    kept,
    encoded,
    end,
    get taken () { return taken },
    /** Tells of each layer once the picture of the one before is there. */
    async layers (printer: ReturnType<typeof fakePrinter>, from: number, to: number) {
      for (let layer = from; layer <= to; layer++) {
        const before = taken
        printer.job({ layer })
        await eventually(() => taken > before)
      }
    },
    follow (printer: ReturnType<typeof fakePrinter>) {
      const off = timelapse.follow(printer.session)
      t.teardown(off)
      return off
    }
  }
}

t.test('a picture a layer becomes a video when the job ends', async t => {
  const run = await setUp(t)
  const printer = fakePrinter()
  run.follow(printer)
  await run.layers(printer, 1, 5)
  printer.job({ layer: 5 })
  t.match(run.pendingRecordings.recordings, [{ kind: 'timelapse', status: 'recording', job: { name: 'cube', task_id: '7' } }])
  printer.job({ gcodeState: 'PAUSE', layer: 6 })
  printer.job({ gcodeState: 'FINISH', layer: 6 })
  await eventually(() => run.kept.length === 1)
  t.same(run.encoded, [5])
  t.match(run.store.recordings, [{ kind: 'timelapse', status: 'ready', duration_s: 0.167, bytes: 7, printer: 'p1s' }])
  t.same(run.pendingRecordings.recordings, [])
  t.same((await readdir(join(run.dataDir, 'recordings', 'timelapse', 'p1s'))), [], 'and the pictures go')
})

t.test('a job goes on after a restart in its middle', async t => {
  const first = await setUp(t)
  const printer = fakePrinter()
  const off = first.follow(printer)
  await first.layers(printer, 1, 3)
  const [{ id } = { id: '' }] = first.pendingRecordings.recordings
  off()
  await first.end()
  const second = await setUp(t, { dataDir: first.dataDir })
  const again = fakePrinter()
  second.follow(again)
  await second.layers(again, 4, 5)
  again.job({ gcodeState: 'FINISH' })
  await eventually(() => second.kept.length === 1)
  t.same(second.encoded, [5])
  t.match(second.kept, [{ id, status: 'ready' }])
})

t.test('a second print of the same file is another timelapse, also if the first ended while the service was down', async t => {
  for (const [layer, start] of [[1, ''], [4, '1800000000']] as const) {
    const first = await setUp(t)
    const printer = fakePrinter('p1s', '1700000000')
    const off = first.follow(printer)
    await first.layers(printer, 1, 3)
    off()
    await first.end()
    const second = await setUp(t, { dataDir: first.dataDir })
    const again = fakePrinter('p1s', start)
    second.follow(again)
    await second.layers(again, layer, layer + 1)
    again.job({ gcodeState: 'FINISH' })
    await eventually(() => second.kept.length === 2)
    t.same(second.encoded.toSorted(), [2, 3])
  }
})

t.test('a job that ended while the service was down is encoded at its start', async t => {
  const first = await setUp(t)
  const printer = fakePrinter()
  const off = first.follow(printer)
  await first.layers(printer, 1, 3)
  off()
  await first.end()
  const second = await setUp(t, { dataDir: first.dataDir })
  const again = fakePrinter()
  second.follow(again)
  again.job({ subtaskName: 'another', taskId: '9', layer: 1 })
  await eventually(() => second.kept.length === 1 && second.taken === 1)
  t.match(second.kept, [{ job: { name: 'cube' }, status: 'ready' }])
  t.match(second.pendingRecordings.recordings, [{ job: { name: 'another' } }])
})

t.test('a job of a printer that is gone is encoded as well', async t => {
  const first = await setUp(t)
  const printer = fakePrinter('sold')
  const off = first.follow(printer)
  await first.layers(printer, 1, 2)
  off()
  await first.end()
  const second = await setUp(t, { dataDir: first.dataDir })
  await eventually(() => second.kept.length === 1)
  t.match(second.kept, [{ printer: 'sold', status: 'ready' }])
})

t.test('pictures that cannot be encoded wait for a decoder, or until they are deleted', async t => {
  const first = await setUp(t, { canEncode: false })
  const printer = fakePrinter()
  first.follow(printer)
  await first.layers(printer, 1, 2)
  printer.job({ gcodeState: 'FAILED' })
  await eventually(() => first.kept.length === 1)
  const [{ id } = { id: '' }] = first.kept
  t.match(first.kept, [{ status: 'failed', problem: /fake cannot make videos/ }])
  t.ok((first.kept[0]?.bytes ?? 0) > 0, 'its pictures count')
  await first.end()
  const second = await setUp(t, { dataDir: first.dataDir })
  await eventually(() => second.kept.length === 1)
  t.match(second.store.recordings, [{ id, status: 'ready', problem: null }])
  t.notOk(existsSync(join(first.dataDir, 'recordings', 'timelapse_ended', id)))
  await mkdir(join(first.dataDir, 'recordings', 'timelapse_ended', id))
  await second.timelapse.discard(id)
  t.notOk(existsSync(join(first.dataDir, 'recordings', 'timelapse_ended', id)))
})

t.test('an encoding that failed is tried again without a restart', async t => {
  let tries = 0
  const run = await setUp(t, { canEncode: () => ++tries > 2, retryMs: [1, 1, 1] })
  const printer = fakePrinter()
  run.follow(printer)
  await run.layers(printer, 1, 2)
  printer.job({ gcodeState: 'FINISH' })
  await eventually(() => run.kept.length === 3)
  t.match(run.kept, [{ status: 'failed' }, { status: 'failed' }, { status: 'ready', problem: null }])
  t.match(run.store.recordings, [{ status: 'ready' }])
  t.equal(tries, 3)
})

t.test('it is tried again no more often than was said', async t => {
  let tries = 0
  const run = await setUp(t, { canEncode: () => { tries++; return false }, retryMs: [1, 1] })
  const printer = fakePrinter()
  run.follow(printer)
  await run.layers(printer, 1, 2)
  printer.job({ gcodeState: 'FINISH' })
  await eventually(() => run.kept.length === 3)
  await run.end()
  t.equal(tries, 3)
})

t.test('a job with one picture, or with none, leaves nothing', async t => {
  const run = await setUp(t)
  const printer = fakePrinter()
  run.follow(printer)
  await run.layers(printer, 1, 1)
  printer.job({ gcodeState: 'FINISH' })
  await eventually(async () => (await readdir(join(run.dataDir, 'recordings', 'timelapse', 'p1s'))).length === 0)
  await eventually(() => run.pendingRecordings.recordings.length === 0)
  t.same([run.kept, run.encoded], [[], []])
})

t.test('where it is switched off, no picture is taken', async t => {
  const run = await setUp(t, { settings: { timelapse: 'off' } })
  const printer = fakePrinter()
  run.follow(printer)
  for (let layer = 1; layer <= 3; layer++) printer.job({ layer })
  await run.end()
  t.same([run.taken, run.pendingRecordings.recordings], [0, []])
})

t.test('of a virtual printer, every two seconds', { skip: noFfmpeg }, async t => {
  const { kernel, name, printer, http, list, finished } = await bootRecording(t, { models: [PICTURES] })
  await http('PATCH', '/api/recording_settings', { printer: name, timelapse: 'interval', interval_s: 2 })
  printer.startJob({ minutes: 30 })
  await eventually(async () => (await list({ kind: 'timelapse' }))[0]?.status === 'recording', 30_000)
  const [{ id } = { id: '' }] = await list()
  t.match(await http('POST', `/api/recordings/${id}/stop`), { status: 409, body: { error: 'timelapse_goes_on' } })
  const pictures = join(kernel.dataDir, 'recordings', 'timelapse', name)
  const count = async () => {
    const [job = ''] = await readdir(pictures)
    return (await readdir(join(pictures, job))).filter(file => file.endsWith('.jpg')).length
  }
  await eventually(async () => await count() >= 3, 30_000)
  printer.patch({ gcode_state: 'FINISH' })
  t.match(await finished(), { id, kind: 'timelapse', status: 'ready', printer: name })
  const { frames, ...stream } = await probe(join(kernel.dataDir, 'recordings', `${id}.mp4`))
  t.match(stream, { codec_name: 'h264', width: 320, height: 180, stderr: '', r_frame_rate: '30/1' })
  t.ok(frames >= 3)
})
