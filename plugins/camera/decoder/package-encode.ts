import { rename, rm, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { stepUs, type Mp4Muxer, type VideoEncoder, type WebCodecs } from './package-decode.js'

/** Encodes pictures into one video. */
export interface Encoding {
  /** Resolves when the next picture can be added. */
  add (jpeg: Uint8Array): Promise<void>
  /** Completes the file, which appears only then. */
  finish (): Promise<void>
  close (): void
}

/** High profile, level 4.2: up to 1080p60; players accept larger ones as well. */
const CODEC = 'avc1.64002a'
const BITS_PER_PIXEL = 0.08
const KEY_EVERY = 60
const MOST_PIXELS = 12_000_000
const MOST_WAITING = 4
const POLL_MS = 5

const even = (pixels: number): number => pixels - pixels % 2

export function createEncoding ({ VideoEncoder, VideoFrame, Mp4Muxer }: WebCodecs,
  { fps, file }: { readonly fps: number, readonly file: string }): Encoding {
  let size: { readonly width: number, readonly height: number } | undefined
  let encoder: VideoEncoder | undefined
  let muxer: Mp4Muxer | undefined
  let failure: Error | undefined
  let count = 0
  /** Pictures are decoded by several threads, so adding is chained to preserve their order. */
  let added: Promise<void> = Promise.resolve()

  /** All pictures get the size of the first one. */
  async function begin (jpeg: Uint8Array): Promise<{ readonly width: number, readonly height: number }> {
    const { width = 0, height = 0 } = await sharp(jpeg, { limitInputPixels: MOST_PIXELS }).metadata()
    const [wide, high] = [even(width), even(height)]
    if (wide === 0 || high === 0) throw new Error('the first picture has no size')
    const mux = muxer = new Mp4Muxer({ fastStart: true })
    mux.addVideoTrack({ codec: CODEC, width: wide, height: high, framerate: fps })
    encoder = new VideoEncoder({
      output: (chunk, metadata) => mux.addVideoChunk(chunk, metadata),
      error: error => { failure ??= error }
    })
    const bitrate = wide * high * fps * BITS_PER_PIXEL
    encoder.configure({ codec: CODEC, width: wide, height: high, framerate: fps, bitrate })
    return { width: wide, height: high }
  }

  function close (): void {
    try { encoder?.close() } catch {}
    try { muxer?.close() } catch {}
    encoder = undefined
    muxer = undefined
  }

  const isBusy = () => failure === undefined && (encoder?.encodeQueueSize ?? 0) > MOST_WAITING

  async function addNext (jpeg: Uint8Array): Promise<void> {
    const { width, height } = size ??= await begin(jpeg)
    const pixels = await sharp(jpeg, { limitInputPixels: MOST_PIXELS }).resize(width, height, { fit: 'fill' })
      .ensureAlpha().raw().toBuffer()
    const frame = new VideoFrame(pixels,
      { format: 'RGBA', codedWidth: width, codedHeight: height, timestamp: count * stepUs(fps), duration: stepUs(fps) })
    encoder?.encode(frame, { keyFrame: count++ % KEY_EVERY === 0 })
    frame.close()
    while (isBusy()) await new Promise(resolve => setTimeout(resolve, POLL_MS))
    if (failure !== undefined) throw failure
  }

  return {
    close,
    add (jpeg) {
      added = added.then(() => addNext(jpeg))
      return added
    },
    async finish () {
      await added
      if (encoder === undefined || muxer === undefined) throw new Error('there was no picture')
      await encoder.flush()
      if (failure !== undefined) throw failure
      const unfinished = `${file}.part`
      try {
        await writeFile(unfinished, muxer.finalize())
        await rename(unfinished, file)
      } finally {
        await rm(unfinished, { force: true })
      }
    }
  }
}
