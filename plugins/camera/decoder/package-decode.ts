import sharp from 'sharp'

/** The part of the W3C WebCodecs API that is used here. */
export interface WebCodecs {
  readonly VideoDecoder: new (init: {
    output: (frame: VideoFrame) => void
    error: (error: Error) => void
  }) => VideoDecoder
  readonly VideoEncoder: new (init: {
    output: (chunk: unknown, metadata?: unknown) => void
    error: (error: Error) => void
  }) => VideoEncoder
  readonly EncodedVideoChunk: new (init: { type: 'key' | 'delta', timestamp: number, data: Uint8Array }) => unknown
  readonly VideoFrame: new (data: Uint8Array, init: {
    format: 'RGBA'
    codedWidth: number
    codedHeight: number
    timestamp: number
    duration?: number
  }) => VideoFrame
  readonly Mp4Muxer: new (options: { fastStart: boolean }) => Mp4Muxer
}
export interface VideoFrame {
  readonly visibleRect: { readonly width: number, readonly height: number } | null
  readonly codedWidth: number
  readonly codedHeight: number
  allocationSize (options: { format: 'RGBA' }): number
  copyTo (target: Uint8Array, options: { format: 'RGBA' }): Promise<unknown>
  close (): void
}
export interface VideoDecoder {
  configure (config: { codec: string, optimizeForLatency?: boolean }): void
  decode (chunk: unknown): void
  flush (): Promise<void>
  close (): void
}
export interface VideoEncoder {
  readonly encodeQueueSize: number
  configure (config: { codec: string, width: number, height: number, framerate: number, bitrate: number }): void
  encode (frame: VideoFrame, options?: { keyFrame: boolean }): void
  flush (): Promise<void>
  close (): void
}
export interface Mp4Muxer {
  addVideoTrack (config: { codec: string, width: number, height: number, framerate: number }): void
  addVideoChunk (chunk: unknown, metadata?: unknown): void
  finalize (): Uint8Array
  close (): void
}

/** No camera sends larger pictures, and they would take much memory. */
const MOST_PIXELS = 12_000_000
const QUALITY = 88
/** µs; only the order matters. */
const STEP_US = 1_000
const US_PER_S = 1_000_000

async function jpegOf (frame: VideoFrame): Promise<Uint8Array> {
  try {
    const { width, height } = frame.visibleRect ?? { width: frame.codedWidth, height: frame.codedHeight }
    if (width * height > MOST_PIXELS) throw new Error(`${width} by ${height} pixels are no camera's`)
    const pixels = Buffer.allocUnsafe(frame.allocationSize({ format: 'RGBA' }))
    await frame.copyTo(pixels, { format: 'RGBA' })
    const image = sharp(pixels, { raw: { width, height, channels: 4 } })
    return await image.removeAlpha().jpeg({ quality: QUALITY }).toBuffer()
  } finally {
    frame.close()
  }
}

/** Decodes the last of consecutive pictures. */
export async function createStill ({ VideoDecoder, EncodedVideoChunk }: WebCodecs,
  { codec, units }: { readonly codec: string, readonly units: readonly Uint8Array[] }): Promise<Uint8Array> {
  let last: VideoFrame | undefined
  await new Promise<void>((resolve, reject) => {
    const decoder = new VideoDecoder({ output: frame => { last?.close(); last = frame }, error: reject })
    decoder.configure({ codec, optimizeForLatency: true })
    units.forEach((data, at) => decoder.decode(
      new EncodedVideoChunk({ type: at === 0 ? 'key' : 'delta', timestamp: at * STEP_US, data })))
    decoder.flush().then(resolve, reject).finally(() => { try { decoder.close() } catch {} })
  })
  if (last === undefined) throw new Error('nothing in it could be decoded')
  return await jpegOf(last)
}

/** Decodes every picture of a video. */
export function openVideo ({ VideoDecoder, EncodedVideoChunk }: WebCodecs, maxFps: number,
  onJpeg: (jpeg: Uint8Array) => void, onFailed: (error: Error) => void) {
  let decoder: VideoDecoder | undefined
  let configured = ''
  let time = 0
  let shownAt = -Infinity
  let making: Promise<void> = Promise.resolve()

  function close (): void {
    try { decoder?.close() } catch {}
    decoder = undefined
  }

  function show (frame: VideoFrame): void {
    const now = performance.now()
    // A tolerance of 10 %: cameras are not exact to the millisecond.
    if (now - shownAt < 900 / maxFps) return frame.close()
    shownAt = now
    making = making.then(async () => onJpeg(await jpegOf(frame))).catch(onFailed)
  }

  return {
    close,
    /** Resolves when the next picture can be pushed. */
    async push ({ codec, key, data }: { readonly codec: string, readonly key: boolean, readonly data: Uint8Array }) {
      if (key && codec !== configured) {
        close()
        decoder = new VideoDecoder({ output: show, error: onFailed })
        decoder.configure({ codec, optimizeForLatency: true })
        configured = codec
      }
      decoder?.decode(new EncodedVideoChunk({ type: key ? 'key' : 'delta', timestamp: time += STEP_US, data }))
      await making
    }
  }
}

/** µs between two pictures at `fps`. */
export const stepUs = (fps: number): number => Math.round(US_PER_S / fps)
