import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment } from '../../../../core/index.js'
import { createFlvReader } from './flv.js'
import type { Encoder, EncoderEvents } from './types.js'

export interface FfmpegOptions {
  readonly program: string
  readonly width: number
  readonly height: number
  /** Frame rate of the stream, for the parameter sets. */
  readonly fps: number
}

const MAX_WAITING = 2

const argumentsFor = ({ width, height, fps }: FfmpegOptions): string[] => [
  '-hide_banner', '-loglevel', 'error', '-probesize', '32', '-analyzeduration', '0',
  '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-video_size', `${width}x${height}`, '-framerate', String(fps), '-i', 'pipe:0',
  '-an', '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', 'baseline',
  '-pix_fmt', 'yuv420p', '-crf', '27', '-force_key_frames', 'expr:1', '-forced-idr', '1', '-threads', '1',
  '-x264-params', 'scenecut=0', '-f', 'flv', '-flvflags', 'no_duration_filesize', '-flush_packets', '1', 'pipe:1'
]

/** Encodes in a child process, which ends with its standard input and so never outlives this program. */
export function createFfmpegEncoder (options: FfmpegOptions, events: EncoderEvents): Encoder {
  const { program, width, height } = options
  const bytes = width * height * 3
  const child = spawn(program, argumentsFor(options), { stdio: ['pipe', 'pipe', 'ignore'], env: childEnvironment() })
  const gone = once(child, 'close').catch(() => {})
  let open = true

  const fail = (): void => {
    if (open) events.failed()
    open = false
  }
  const reader = createFlvReader(events)
  child.once('error', fail).once('close', fail)
  child.stdin.on('error', () => {})
  child.stdout.on('error', () => {}).on('data', chunk => { if (open) reader.push(chunk) })

  return {
    width,
    height,
    encode (raw) {
      if (open && child.stdin.writable && child.stdin.writableLength < MAX_WAITING * bytes) child.stdin.write(raw)
    },
    async close () {
      open = false
      child.kill('SIGKILL')
      await gone
    }
  }
}
