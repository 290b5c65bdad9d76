import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rename, rm } from 'node:fs/promises'
import { childEnvironment } from '../../../core/index.js'
import { CameraError } from '../upstream/camera-error.js'
import { startChild, wordsOf } from './child.js'
import type { Ffmpeg } from './ffmpeg-program.js'
import type { DecoderTimeouts, EncodeOptions } from './types.js'

/** Encoders of ffmpeg that need no special hardware, best first, with their settings. */
const ENCODERS: Readonly<Record<string, readonly string[]>> = {
  libx264: ['-preset', 'veryfast', '-crf', '23'],
  libopenh264: ['-b:v', '6M']
}

const ASK_MS = 10_000
const MOST_OUTPUT = 1024 * 1024

/** @returns the name of an H.264 encoder in this build; undefined without one */
export const h264EncoderOf = ({ path }: Ffmpeg): Promise<string | undefined> => new Promise(resolve => {
  const options = { timeout: ASK_MS, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT, windowsHide: true } as const
  execFile(path, ['-hide_banner', '-encoders'], { ...options, env: childEnvironment() }, (error, stdout) =>
    resolve(error ? undefined : Object.keys(ENCODERS).find(name => new RegExp(`^ V\\S+ ${name} `, 'm').test(stdout))))
})

/** H.264 needs even dimensions; this pixel format plays everywhere. */
const encodeArgs = (encoder: string, fps: number, file: string): readonly string[] => [
  '-nostdin', '-hide_banner', '-loglevel', 'error', '-y',
  '-f', 'image2pipe', '-framerate', String(fps), '-c:v', 'mjpeg', '-i', 'pipe:0',
  '-an', '-c:v', encoder, ...ENCODERS[encoder] ?? [], '-threads', '1', '-pix_fmt', 'yuv420p',
  '-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2', '-movflags', '+faststart', '-f', 'mp4', file
]

/** @throws CameraError `decoder_failed`; what iterating the pictures throws; the signal's reason */
export async function encodeWith ({ path }: Ffmpeg, encoder: string, { pictures, fps, file, signal }: EncodeOptions,
  { grace }: DecoderTimeouts): Promise<void> {
  signal.throwIfAborted()
  const unfinished = `${file}.part`
  const child = startChild(path, encodeArgs(encoder, fps, unfinished), { graceMs: grace, lowPriority: true })
  const abort = () => { void child.stop() }
  signal.addEventListener('abort', abort, { once: true })
  const isGone = child.gone.then(() => true)
  try {
    for await (const jpeg of pictures) {
      signal.throwIfAborted()
      if (child.stdin.destroyed) break
      if (!child.stdin.write(jpeg)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), isGone])
    }
    child.stdin.end()
    const how = await child.gone
    signal.throwIfAborted()
    if (how !== 'exit code 0') {
      throw new CameraError('decoder_failed', `No video could be made of the pictures: ${wordsOf(how, child.complaint())}`)
    }
    await rename(unfinished, file)
  } finally {
    signal.removeEventListener('abort', abort)
    await child.stop()
    await rm(unfinished, { force: true })
  }
}
