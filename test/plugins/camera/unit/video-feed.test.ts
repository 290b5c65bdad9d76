import t, { type Test } from 'tap'
import pino from 'pino'
import type { PrinterSession } from '../../../../core/index.js'
import { createCameraTaps } from '../../../../plugins/camera/camera-taps.js'
import type { Decoder, DecoderStreamOptions } from '../../../../plugins/camera/decoder/types.js'
import type { Frame } from '../../../../plugins/camera/frame.js'
import { CameraError } from '../../../../plugins/camera/upstream/camera-error.js'
import type { VideoUpstreamContext } from '../../../../plugins/camera/upstream/types.js'
import { VideoFeed } from '../../../../plugins/camera/video-feed.js'
import type { AccessUnit, VideoFormat } from '../../../../plugins/camera/video/types.js'
import { eventually } from '../../../helpers/eventually.js'
import { picture as jpegOf } from '../helpers/pictures.js'

const [sps, pps] = [Buffer.from([103]), [Buffer.from([104])]]
const FORMAT: VideoFormat = { width: 64, height: 64, codec: 'avc1.42c00a', sps, pps }
const log = pino({ level: 'silent' })

interface FakeDecoder extends Decoder {
  /** How many pictures each still was made of. */
  readonly stills: number[]
  readonly streams: { readonly pushed: AccessUnit[], readonly options: DecoderStreamOptions, stopped: boolean }[]
}

async function fakeDecoder (): Promise<FakeDecoder> {
  const jpeg = await jpegOf('1', 64, 64)
  const stills: number[] = []
  const streams: FakeDecoder['streams'] = []
  return {
    name: 'fake 1',
    stills,
    streams,
    findEncoder: async () => undefined,
    async still (units) { stills.push(units.length); return jpeg },
    stream (options) {
      const state = { pushed: [] as AccessUnit[], options, stopped: false }
      streams.push(state)
      return {
        push (unit) { state.pushed.push(unit); options.onJpeg(jpeg) },
        async stop () { state.stopped = true }
      }
    }
  }
}

/** A feed whose camera and decoder the test plays. */
async function setUp (t: Test, options: { findDecoder?: () => Promise<Decoder>, report?: object } = {}) {
  const { findDecoder, report } = options
  const decoder = await fakeDecoder()
  const connections: { context: VideoUpstreamContext, fail: (error: unknown) => void }[] = []
  const [model, raw] = [{ camera: 'rtsps' }, { ipcam: report }]
  const session = { name: 'cam', config: {}, model, raw } as unknown as PrinterSession
  let now = 1_000_000
  let time = 0
  const taps = createCameraTaps(log)
  const feed = new VideoFeed(context => new Promise((_resolve, reject) => {
    connections.push({ context, fail: reject })
    context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true })
  }), {
    session,
    protocol: 'rtsps',
    pins: { get: () => undefined, set: async () => {} },
    timeouts: { connect: 1, stall: 1, grace: 1 },
    retryMs: () => 5,
    log,
    now: () => now,
    taps: taps.of(session),
    findDecoder: findDecoder ?? (async () => decoder),
    maxFps: 30
  })
  const alive = setInterval(() => {}, 1_000) // what the feed waits for keeps no process alive
  t.teardown(() => { clearInterval(alive); return feed.close() })
  const unit = (key = false) => {
    const context = connections.at(-1)?.context
    if (context === undefined) throw new Error('nothing is connected')
    time += 3_000
    context.onUnit({ seq: context.nextSeq(), key, nalus: [Buffer.alloc(8)], format: FORMAT, time, at: now })
  }
  const connected = (count = 1) => eventually(() => connections.length === count)
  const picture = (freshMs = 5_000, signal = new AbortController().signal, withinMs = 2_000) =>
    feed.picture({ freshMs, withinMs, signal })
  return { feed, decoder, connections, connected, session, taps, unit, picture, pass (ms: number) { now += ms } }
}

t.test('one picture costs one decoded picture, however many ask', async t => {
  const { decoder, connected, unit, picture, feed } = await setUp(t)
  const asked = [picture(), picture(), picture()]
  await connected()
  unit(false) // what nobody can decode
  unit(true)
  const frames = await Promise.all(asked)
  t.same(decoder.stills, [1])
  t.equal(new Set(frames).size, 1)
  t.match(frames[0], { width: 64, height: 64, capturedAt: 1_000_000 })
  t.equal(decoder.streams.length, 0, 'nothing runs on')
  t.equal(feed.running, false)
})

t.test('with a key picture that is too old the pictures after it are decoded too', async t => {
  const { decoder, connected, unit, picture, pass, feed } = await setUp(t)
  const release = feed.attach()
  await connected()
  unit(true)
  pass(4_000)
  unit()
  unit()
  await picture(5_000)
  t.same(decoder.stills, [1], 'the key picture will do')
  await picture(1_000)
  t.same(decoder.stills, [1, 3])
  pass(2_000)
  const late = picture(1_000)
  await new Promise(resolve => setImmediate(resolve))
  t.same(decoder.stills, [1, 3], 'nothing is new enough')
  unit()
  await late
  t.same(decoder.stills, [1, 3, 4])
  release()
})

t.test('video goes to who wants it, from the last key picture on, and is decoded for nobody', async t => {
  const { decoder, connected, unit, feed } = await setUp(t)
  const first: number[] = []
  const release = feed.video?.attach(({ seq }) => first.push(seq))
  await connected()
  for (const key of [true, false, true, false]) unit(key)
  const second: number[] = []
  const releaseSecond = feed.video?.attach(({ seq }) => second.push(seq))
  unit()
  t.same(first, [1, 2, 3, 4, 5])
  t.same(second, [3, 4, 5])
  t.equal(feed.consumers, 2)
  t.equal(feed.rate.value(), 0.5)
  release?.()
  t.equal(feed.running, true)
  releaseSecond?.()
  t.equal(feed.running, false)
  t.same([decoder.stills, decoder.streams.length], [[], 0])
})

t.test('for those who take pictures it is decoded once, and no longer than they do', async t => {
  const { decoder, connected, unit, feed, picture, taps, session } = await setUp(t)
  const tapped: string[] = []
  const untap = taps.add(session, { onUnit: () => { tapped.push('unit') }, onFrame: () => { tapped.push('frame') } })
  const [one, two]: [Frame[], Frame[]] = [[], []]
  const releaseOne = feed.attach(frame => one.push(frame))
  await connected()
  unit(true)
  await eventually(() => decoder.streams.length === 1)
  const releaseTwo = feed.attach(frame => two.push(frame))
  unit()
  t.equal(decoder.streams.length, 1)
  t.same(decoder.streams[0]?.pushed.map(({ key }) => key), [true, false])
  t.same([one.length, two.length], [2, 1])
  t.equal(await picture(), one[1], 'the picture that is there')
  t.same(decoder.stills, [])
  t.same(tapped, ['unit', 'frame', 'unit', 'frame'])
  untap()
  releaseOne()
  t.equal(feed.newest, one[1])
  releaseTwo()
  t.equal(feed.newest, undefined)
  await eventually(() => decoder.streams[0]?.stopped === true)
})

t.test('a decoder that fails is begun again, and says so meanwhile', async t => {
  const { decoder, connected, unit, feed } = await setUp(t)
  const release = feed.attach(() => {})
  await connected()
  unit(true)
  await eventually(() => decoder.streams.length === 1)
  decoder.streams[0]?.options.onFailed(new CameraError('decoder_failed', 'it burst'))
  t.match(feed.problem, { kind: 'decoder_failed', message: 'it burst' })
  await eventually(() => decoder.streams.length === 2)
  t.equal(decoder.streams[0]?.stopped, true)
  t.equal(feed.problem, undefined, 'it begins with the last key picture')
  release()
})

t.test('without a decoder there is video, and no picture', async t => {
  const findDecoder = async () => { throw new CameraError('no_decoder', 'install one') }
  const { connected, unit, feed, picture } = await setUp(t, { findDecoder })
  const seen: number[] = []
  const release = feed.video?.attach(({ seq }) => seen.push(seq))
  await connected()
  unit(true)
  t.same(seen, [1])
  t.equal(feed.problem, undefined)
  await t.rejects(picture(), { code: 'PRN_ERR_STREAM_FAILED', message: 'install one' })
  const releasePictures = feed.attach(() => {})
  await eventually(() => feed.problem?.kind === 'no_decoder')
  releasePictures()
  t.equal(feed.problem, undefined)
  release?.()
})

t.test('a lost connection is made again, and begins anew', async t => {
  const { connections, connected, unit, feed, decoder, picture } = await setUp(t)
  const release = feed.attach()
  await connected()
  unit(true)
  connections[0]?.fail(new CameraError('lost', 'gone'))
  await connected(2)
  t.equal(feed.problem?.kind, 'lost')
  const seen: AccessUnit[] = []
  const releaseVideo = feed.video?.attach(unit => seen.push(unit))
  t.same(seen, [], 'what came before is no beginning')
  const asked = picture(60_000)
  unit()
  unit(true)
  await asked
  t.same(decoder.stills, [1])
  t.equal(feed.problem, undefined)
  releaseVideo?.()
  release()
})

t.test('waiting ends: with the time, with the caller, with a reason that lasts, with the session', async t => {
  const { connections, connected, feed, picture } = await setUp(t)
  await t.rejects(picture(0, undefined, 20), { message: 'The camera sent no picture within 0.02 s' })
  const caller = new AbortController()
  const aborted = picture(0, caller.signal)
  caller.abort(new Error('I leave'))
  await t.rejects(aborted, { message: 'I leave' })
  const before = connections.length
  const refused = picture()
  await connected(before + 1)
  connections.at(-1)?.fail(new CameraError('access_code_rejected', 'wrong code'))
  await t.rejects(refused, { code: 'PRN_ERR_STREAM_FAILED', message: 'wrong code' })
  const waiting = feed.ready({ withinMs: 5_000, signal: new AbortController().signal })
  const ended = t.rejects(waiting, { code: 'PRN_ERR_STREAM_FAILED', message: /session of this printer was ended/ })
  await feed.close()
  await ended
})

t.test('a printer whose live view is off is not connected to', async t => {
  const { connections, picture } = await setUp(t, { report: { rtsp_url: 'disable' } })
  await t.rejects(picture(), { code: 'PRN_ERR_STREAM_FAILED', message: /live view is off/ })
  t.same(connections, [])
})
