import { createKeyedQueue } from '../../../core/index.js'
import type { AccessUnit } from '../video/types.js'
import { annexB } from './annex-b.js'
import { startChild, wordsOf, type Child } from './child.js'
import { encodeWith, h264EncoderOf } from './ffmpeg-encode.js'
import { isBefore, type Ffmpeg } from './ffmpeg-program.js'
import { createSplitter } from './splitter.js'
import { createStillPool } from './still-pool.js'
import { createStillProcess, failed } from './still-process.js'
import type { DecoderTimeouts, OpenDecoder, DecoderStream, DecoderStreamOptions } from './types.js'

/** The highest frame rate of these cameras, pictures a second. */
export const FULL_RATE = 30

/** Single pictures decoded at a time: each takes a core for a moment. */
const STILLS_AT_ONCE = 2
/** With more unread input than this, the program does not keep up. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024

/** The delimiter after each picture marks it as complete, so ffmpeg does not hold it back until the next one. */
const READ = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-probesize', '32', '-analyzeduration', '0',
  '-fpsprobesize', '0', '-flags', 'low_delay', '-threads', '1']
const WRITE = ['-an', '-c:v', 'mjpeg', '-q:v', '3', '-threads', '1']
const TO_STDOUT = ['-f', 'image2pipe', 'pipe:1']

/** @param at index of the wanted picture, from 0 */
const lastArgs = (at: number): readonly string[] => [...READ, '-f', 'h264', '-i', 'pipe:0', ...WRITE,
  '-vf', `select=gte(n\\,${at})`, '-frames:v', '1', ...TO_STDOUT]

/** Below the full rate, pictures are timed by this machine's clock and some are dropped. */
const streamArgs = ({ version }: Ffmpeg, maxFps: number): readonly string[] => maxFps < FULL_RATE
  ? [...READ, '-use_wallclock_as_timestamps', '1', '-f', 'h264', '-i', 'pipe:0', ...WRITE, '-r', String(maxFps), ...TO_STDOUT]
  : [...READ, '-f', 'h264', '-i', 'pipe:0', ...WRITE,
      ...(isBefore(version, 5, 1) ? ['-vsync', 'passthrough'] : ['-fps_mode', 'passthrough']), ...TO_STDOUT]

/** Decodes with ffmpeg: pooled processes for single pictures, and one for each video that is shown as pictures. */
export function ffmpegDecoder (ffmpeg: Ffmpeg, timeouts: DecoderTimeouts): OpenDecoder {
  const { path, version } = ffmpeg
  const running = new Set<Child>()
  function start (args: readonly string[], onComplaint?: () => void): Child {
    const child = startChild(path, args, { graceMs: timeouts.grace, ...(onComplaint && { onComplaint }) })
    running.add(child)
    void child.gone.then(() => running.delete(child))
    return child
  }
  const startStill = (args: readonly string[]) => createStillProcess(path, onComplaint => start(args, onComplaint))
  const pool = createStillPool(() => startStill(streamArgs(ffmpeg, FULL_RATE)), timeouts.spare)
  const queue = createKeyedQueue<number>(STILLS_AT_ONCE)
  let encoder: Promise<string | undefined> | undefined
  let stills = 0

  async function make (units: readonly AccessUnit[], signal: AbortSignal): Promise<Buffer> {
    const options = { withinMs: timeouts.still, signal }
    const [first] = units
    if (first !== undefined && units.length === 1) {
      return await pool.make(first, (process, last) => process.make(units, { ...options, last }))
    }
    return await startStill(lastArgs(units.length - 1)).make(units, { ...options, last: true })
  }

  return {
    name: `ffmpeg ${version} (${path})`,
    prepare: pool.prepare,
    still: (units, signal) => queue.run(stills++, () => make(units, signal), signal),
    stream: options => openStream(start(streamArgs(ffmpeg, options.maxFps)), options),
    async findEncoder () {
      const name = await (encoder ??= h264EncoderOf(ffmpeg))
      return name === undefined ? undefined : options => encodeWith(ffmpeg, name, options, timeouts)
    },
    async close () {
      pool.close()
      await Promise.all([...running].map(child => child.stop()))
    }
  }
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
