import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { ffmpegDecoder } from '../../../../plugins/camera/decoder/ffmpeg.js'
import { findFfmpeg } from '../../../../plugins/camera/decoder/ffmpeg-program.js'
import { installedPackage, openPackage } from '../../../../plugins/camera/decoder/package.js'
import type { OpenDecoder } from '../../../../plugins/camera/decoder/types.js'
import type { AccessUnit } from '../../../../plugins/camera/video/types.js'
import { eventually } from '../../../helpers/eventually.js'
import { testFolder } from '../../../helpers/folder.js'
import { childProcesses, children, noProc } from '../../../helpers/processes.js'
import { findProgram } from '../../../helpers/programs.js'
import { picture } from '../helpers/pictures.js'
import { clip, plainUnits } from '../helpers/units.js'

/** Where CI puts the package that `prnd decoder install` installs. */
const PACKAGE = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.cache', 'prnd-decoder')
const TIMEOUTS = { still: 20_000, spare: 60_000, grace: 1_000 }
const never = () => new AbortController().signal

const noFfmpeg = findProgram('ffmpeg') === undefined && 'ffmpeg is not installed'
const noPackage = await installedPackage(PACKAGE) === undefined && 'the decoder package is not installed'

const DECODERS = {
  ffmpeg: {
    skip: noFfmpeg,
    async open () { return ffmpegDecoder(await findFfmpeg(undefined) ?? { path: '', version: '' }, TIMEOUTS) }
  },
  package: { skip: noPackage, open: () => openPackage(PACKAGE, TIMEOUTS) }
}

/** Mean of the grey of a picture, 0 to 255. */
async function shadeOf (jpeg: Buffer): Promise<number> {
  const { channels } = await sharp(jpeg).stats()
  return channels[1]?.mean ?? -1
}

const garbage = (unit: AccessUnit): AccessUnit =>
  ({ ...unit, nalus: [Buffer.concat([Buffer.from([0x65]), Buffer.alloc(5_000, 0xA7)])] })

t.test('ffmpeg: a camera keeps its process, and no other camera gets it', { skip: noFfmpeg || noProc }, async t => {
  const decoder = await DECODERS.ffmpeg.open()
  t.teardown(() => decoder.close())
  const programs = () => childProcesses().filter(({ command }) => command.includes('image2pipe')).map(({ pid }) => pid)
  const [dark, light] = plainUnits(160, 96, [40, 220]) as [AccessUnit, AccessUnit]
  const shade = async (unit: AccessUnit) => await shadeOf(await decoder.still([unit], never()))
  let kept: number[] = []
  /** On a busy machine a picture may take so long that its process is given up, so the next pictures may tell. */
  await eventually(async () => {
    for (const unit of [light, dark, light]) t.equal(await shade(unit) > 128, unit === light)
    await eventually(() => programs().length === 2) // one of them waits for another camera
    kept = programs()
    for (const unit of [dark, light]) t.equal(await shade(unit) > 128, unit === light)
    return kept.every(pid => programs().includes(pid))
  })
  const [other] = plainUnits(160, 96, [120]) as [AccessUnit]
  t.ok(Math.abs(await shade(other) - 120) < 8)

  for (const pid of programs()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // it was idle for so long that it has ended by itself
  }
  await eventually(() => !kept.some(pid => programs().includes(pid)))
  // once its end was told, another one is used
  await eventually(() => shade(light).then(made => made > 200, () => false))
  await decoder.still([garbage(light)], never()).catch(error => t.match(error, { kind: 'decoder_failed' }))
  t.ok(await shade(dark) < 80, 'after garbage its next picture is its own')
})

/** A busy machine gets pictures in bursts, of which a limit that cameras keep to would leave some out. */
const NEVER_TOO_MANY = 1_000

for (const [kind, { open, skip }] of Object.entries(DECODERS)) {
  const late = kind === 'package' ? 2 : 0 // which holds two back
  const opened = async (t: Test): Promise<OpenDecoder> => {
    const decoder = await open()
    if (decoder === undefined) throw new Error('it is not installed')
    t.teardown(() => decoder.close())
    return decoder
  }

  t.test(`${kind}: a picture of a video`, { skip }, async t => {
    const decoder = await opened(t)
    const [dark, middle, light] = plainUnits(160, 96, [40, 120, 220]) as [AccessUnit, AccessUnit, AccessUnit]
    const one = await decoder.still([light], never())
    t.match(await sharp(one).metadata(), { format: 'jpeg', width: 160, height: 96 })
    t.ok(await shadeOf(one) > 200, `light: ${await shadeOf(one)}`)
    const last = await decoder.still([dark, light, middle], never())
    t.ok(Math.abs(await shadeOf(last) - 120) < 8, `the last one counts: ${await shadeOf(last)}`)
    const shade = async (unit: AccessUnit) => await shadeOf(await decoder.still([unit], never()))
    const several = await Promise.all([dark, middle, light].map(shade))
    t.same([...several].sort((a, b) => a - b), several, 'several at the same time, each its own')
  })

  t.test(`${kind}: what cannot be decoded is said; the next picture is made`, { skip }, async t => {
    const decoder = await opened(t)
    const [unit] = plainUnits(160, 96, [120]) as [AccessUnit]
    const noSets = { ...unit, format: { ...unit.format, sps: Buffer.from([0x67, 1, 2, 3]) } }
    await t.rejects(decoder.still([noSets], never()), { message: /^No picture could be made of the video/ })
    await decoder.still([garbage(unit)], never()).catch(error => t.match(error, { kind: 'decoder_failed' }))
    t.match(await sharp(await decoder.still([unit], never())).metadata(), { width: 160 })
    const leaves = new AbortController()
    const given = decoder.still([unit], leaves.signal)
    leaves.abort(new Error('I leave'))
    await t.rejects(given, { message: 'I leave' })
    t.match(await sharp(await decoder.still([unit], never())).metadata(), { width: 160 })
  })

  t.test(`${kind}: every picture of a video, each as soon as it is there`, { skip }, async t => {
    const decoder = await opened(t)
    const made: Buffer[] = []
    const failures: Error[] = []
    const onFailed = (error: Error) => { failures.push(error) }
    const stream = decoder.stream({ maxFps: 30, onJpeg: jpeg => made.push(jpeg), onFailed })
    const shades = [30, 200, 80, 160]
    const units = plainUnits(160, 96, [...shades, ...Array(late).fill(0)])
    for (const unit of units.splice(0, late)) stream.push(unit)
    for (const [at, unit] of units.entries()) {
      stream.push(unit)
      await eventually(() => made.length === at + 1)
      t.ok(Math.abs(await shadeOf(made[at] as Buffer) - (shades[at] ?? 0)) < 8, `picture ${at}`)
      await new Promise(resolve => setTimeout(resolve, 40)) // as far apart as those of a camera
    }
    for (const unit of plainUnits(96, 64, [200, 200, 200, 200])) {
      stream.push(unit)
      await new Promise(resolve => setTimeout(resolve, 40))
    }
    await eventually(async () => (await sharp(made.at(-1)).metadata()).format === 'jpeg' && made.length >= 5)
    t.same(failures, [])
    await stream.stop()
    const { length } = made
    stream.push(plainUnits(160, 96, [10])[0] as AccessUnit)
    await new Promise(resolve => setTimeout(resolve, 100))
    t.equal(made.length, length, 'nothing after its end')
  })

  t.test(`${kind}: moving video`, { skip: skip || noFfmpeg }, async t => {
    const decoder = await opened(t)
    const units = await clip({ seconds: 1 })
    t.equal(units.length, 30)
    const [first, last] = await Promise.all([decoder.still(units.slice(0, 1), never()), decoder.still(units, never())])
    t.not(await shadeOf(first), await shadeOf(last))
    const made: Buffer[] = []
    const onFailed = ({ message }: Error) => { t.fail(message) }
    const stream = decoder.stream({ maxFps: NEVER_TOO_MANY, onJpeg: jpeg => made.push(jpeg), onFailed })
    for (const unit of units) {
      stream.push(unit)
      await new Promise(resolve => setTimeout(resolve, 34))
    }
    await eventually(() => made.length >= 30 - late, 60_000) // no picture is dropped, but decoding may be slow
    t.ok(made.length <= 30)
    await stream.stop()
  })

  t.test(`${kind}: pictures become a video`, { skip }, async t => {
    const decoder = await opened(t)
    const encode = await decoder.findEncoder()
    if (encode === undefined) return t.pass('this build cannot encode')
    const folder = testFolder(t)
    const file = join(folder, 'out.mp4')
    const pictures = async function * () { for (let at = 0; at < 12; at++) yield await picture(String(at), 321, 240) }
    await encode({ pictures: pictures(), fps: 10, file, signal: never() })
    t.equal((await readFile(file)).toString('latin1', 4, 8), 'ftyp')
    if (findProgram('ffprobe') !== undefined) {
      const { stdout } = await promisify(execFile)('ffprobe', ['-v', 'error', '-count_frames', '-select_streams', 'v',
        '-show_entries', 'stream=codec_name,width,height,nb_read_frames,pix_fmt', '-of', 'default=nw=1', file])
      t.match(stdout, /codec_name=h264\nwidth=320\nheight=240\npix_fmt=yuv420p\nnb_read_frames=12/)
    }
    const leaves = new AbortController()
    const endless = async function * () {
      for (let at = 0; ; at++) {
        if (at === 3) leaves.abort(new Error('enough'))
        yield await picture('1', 320, 240)
      }
    }
    const other = join(folder, 'other.mp4')
    await t.rejects(encode({ pictures: endless(), fps: 10, file: other, signal: leaves.signal }), { message: 'enough' })
    const none = async function * (): AsyncGenerator<Buffer> {}
    await t.rejects(encode({ pictures: none(), fps: 10, file: other, signal: never() }), { name: 'CameraError' })
    t.notOk(existsSync(other) || existsSync(`${other}.part`))
  })

  t.test(`${kind}: nothing runs after its end`, { skip: skip || noProc }, async t => {
    const decoder = await opened(t)
    const before = children().length
    const [unit] = plainUnits(160, 96, [120]) as [AccessUnit]
    await decoder.still([unit], never())
    t.ok(children().length > before - 1)
    await decoder.close()
    await eventually(() => !children().some(line => line.includes('ffmpeg') || line.includes('package-process')))
    t.pass('nothing is left')
  })
}
