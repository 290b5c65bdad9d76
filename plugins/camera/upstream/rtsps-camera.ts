import { startFfmpeg, type FfmpegProcess } from './ffmpeg-process.js'
import { pictureArgs, type Ffmpeg } from './ffmpeg.js'
import { CameraError } from './camera-error.js'
import { openRtspProxy } from './rtsp-proxy.js'
import { createSplitter } from './splitter.js'
import type { Upstream, UpstreamContext } from './types.js'

export interface VideoOptions {
  readonly findFfmpeg: () => Promise<Ffmpeg>
  readonly maxFps: number
}

/**
 * The camera of the X1, H2, P2 and X2 families: video over RTSPS, made into pictures by one ffmpeg that reads from
 * our relay. Whatever ends it, the program is gone before this rejects.
 */
export const rtspsCamera = ({ findFfmpeg, maxFps }: VideoOptions): Upstream => async context => {
  const { signal, timeouts } = context
  const ffmpeg = await findFfmpeg()
  const proxy = await openRtspProxy(context)
  if (signal.aborted) {
    proxy.close()
    throw signal.reason
  }
  const child = startFfmpeg(ffmpeg.path, pictureArgs(proxy.url, ffmpeg, { stallMs: timeouts.stall, maxFps }),
    timeouts.grace)
  try {
    return await Promise.race([proxy.ended, ended(child), pictures(child, context)])
  } finally {
    await child.stop()
    proxy.close()
  }
}

/** A live stream does not end by itself, whatever the exit code says. */
async function ended (child: FfmpegProcess): Promise<never> {
  const how = await child.gone
  // The relay may know better why, and learns of it in the same moment.
  await new Promise(resolve => setTimeout(resolve, LEAST_MS))
  const words = child.complaint().split('\n').at(-1)
  throw new CameraError('ffmpeg_failed', `ffmpeg ended (${how})${words ? `: ${words}` : ''}`)
}
const LEAST_MS = 50

/** Rejects when there is none for too long, or when we are told to stop. */
function pictures (child: FfmpegProcess, { signal, timeouts, onJpeg }: UpstreamContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stalled = () => reject(new CameraError('stalled',
      `No picture came for ${timeouts.stall / 1000} s; the camera is connected but sends no decodable video`))
    const timer = setTimeout(stalled, timeouts.stall).unref()
    child.stdout.on('data', createSplitter(jpeg => { if (onJpeg(jpeg)) timer.refresh() }))
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    void child.gone.then(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  })
}
