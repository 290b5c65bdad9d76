import { createKeyedQueue, withTimeout } from '../../../core/index.js'
import { CameraError } from '../upstream/camera-error.js'
import type { AccessUnit } from '../video/types.js'
import { annexB } from './annex-b.js'
import { startChild, wordsOf, type Child } from './child.js'
import { encodeWith, h264EncoderOf } from './ffmpeg-encode.js'
import { isBefore, type Ffmpeg } from './ffmpeg-program.js'
import { createSplitter } from './splitter.js'
import type { DecoderTimeouts, OpenDecoder, DecoderStream, DecoderStreamOptions } from './types.js'

/** What cameras send at most, pictures a second. */
export const FULL_RATE = 30

/** Pictures at the same time: each takes a core for a moment. */
const STILLS_AT_ONCE = 2
/** More than this unread, and the program does not keep up. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024

/** The delimiter after each picture tells the program that it is whole, so nothing is held back until the next one. */
const READ = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-probesize', '32', '-analyzeduration', '0',
  '-fpsprobesize', '0', '-flags', 'low_delay', '-threads', '1']
const WRITE = ['-an', '-c:v', 'mjpeg', '-q:v', '3', '-threads', '1']
const TO_STDOUT = ['-f', 'image2pipe', 'pipe:1']

/** @param at which of the pictures is wanted, from 0 */
const stillArgs = (at: number): readonly string[] => [...READ, '-f', 'h264', '-i', 'pipe:0', ...WRITE,
  ...(at > 0 ? ['-vf', `select=gte(n\\,${at})`] : []), '-frames:v', '1', ...TO_STDOUT]

/** Timed by the clock of this machine where some are to be left out. */
const streamArgs = ({ version }: Ffmpeg, maxFps: number): readonly string[] => maxFps < FULL_RATE
  ? [...READ, '-use_wallclock_as_timestamps', '1', '-f', 'h264', '-i', 'pipe:0', ...WRITE, '-r', String(maxFps), ...TO_STDOUT]
  : [...READ, '-f', 'h264', '-i', 'pipe:0', ...WRITE,
      ...(isBefore(version, 5, 1) ? ['-vsync', 'passthrough'] : ['-fps_mode', 'passthrough']), ...TO_STDOUT]

const failed = (words: string) => new CameraError('decoder_failed', `No picture could be made of the video: ${words}`)

/** Decodes with the program ffmpeg: one process for each picture, one for each video that is watched as pictures. */
export async function ffmpegDecoder (ffmpeg: Ffmpeg, timeouts: DecoderTimeouts): Promise<OpenDecoder> {
  const { path, version } = ffmpeg
  const running = new Set<Child>()
  function start (args: readonly string[]): Child {
    const child = startChild(path, args, { graceMs: timeouts.grace })
    running.add(child)
    void child.gone.then(() => running.delete(child))
    return child
  }
  const queue = createKeyedQueue<number>(STILLS_AT_ONCE)
  const encoder = await h264EncoderOf(ffmpeg)
  let stills = 0
  /** Started before it is needed: most of the time that a picture takes is the program's start. */
  let spare: Child | undefined
  let spareEnds: NodeJS.Timeout | undefined
  let closed = false

  function takeSpare (): Child | undefined {
    clearTimeout(spareEnds)
    const taken = spare
    spare = undefined
    return taken
  }

  function keepSpare (): void {
    if (closed || spare !== undefined || timeouts.spare === 0) return
    const fresh = spare = start(stillArgs(0))
    void fresh.gone.then(() => { if (spare === fresh) spare = undefined })
    spareEnds = setTimeout(() => { void takeSpare()?.stop() }, timeouts.spare).unref()
  }

  async function make (units: readonly AccessUnit[], signal: AbortSignal): Promise<Buffer> {
    const child = (units.length === 1 ? takeSpare() : undefined) ?? start(stillArgs(units.length - 1))
    try {
      const jpeg = await withTimeout(timeouts.still, pictureOf(child, units),
        () => failed(`${path} gave nothing within ${timeouts.still / 1_000} s`), signal)
      keepSpare()
      return jpeg
    } finally {
      void child.stop()
    }
  }

  return {
    name: `ffmpeg ${version} (${path})`,
    still: (units, signal) => queue.run(stills++, () => make(units, signal), signal),
    stream: options => openStream(start(streamArgs(ffmpeg, options.maxFps)), options),
    encode: encoder === undefined ? undefined : options => encodeWith(ffmpeg, encoder, options, timeouts),
    async close () {
      closed = true
      clearTimeout(spareEnds)
      await Promise.all([...running].map(child => child.stop()))
    }
  }
}

function pictureOf (child: Child, units: readonly AccessUnit[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    child.stdout.on('data', createSplitter(resolve))
    void child.gone.then(how => reject(failed(wordsOf(how, child.complaint()))))
    for (const unit of units) child.stdin.write(annexB(unit))
    child.stdin.end()
  })
}

function openStream (child: Child, { onJpeg, onFailed }: DecoderStreamOptions): DecoderStream {
  let stopped = false
  let waitsForKey = true
  child.stdout.on('data', createSplitter(jpeg => { if (!stopped) onJpeg(jpeg) }))
  void child.gone.then(how => { if (!stopped) onFailed(failed(wordsOf(`ffmpeg ended (${how})`, child.complaint()))) })
  return {
    push (unit) {
      if (stopped || (waitsForKey && !unit.key)) return
      waitsForKey = child.stdin.writableLength > MOST_UNREAD_BYTES
      if (!waitsForKey) child.stdin.write(annexB(unit))
    },
    async stop () {
      stopped = true
      await child.stop()
    }
  }
}
