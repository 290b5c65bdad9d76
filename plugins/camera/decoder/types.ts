import type { AccessUnit } from '../video/types.js'

/** Makes pictures of video, in a process of its own: no stream can take the service down with it. */
export interface Decoder {
  /** Program or package with version, for people. */
  readonly name: string
  /**
   * The last of some pictures that follow each other, the first of them a key picture.
   * @returns a whole JPEG
   * @throws CameraError `decoder_failed` when nothing comes out in time
   */
  still (units: readonly AccessUnit[], signal: AbortSignal): Promise<Buffer>
  /** Every picture that comes, until it is stopped. */
  stream (options: DecoderStreamOptions): DecoderStream
  /** A picture will be wanted soon, and comes sooner then. */
  prepare? (): void
  /** @returns what makes a video of pictures in one size; undefined where the decoder cannot encode */
  findEncoder (): Promise<Encode | undefined>
}

/** @throws CameraError `decoder_failed`; what reading a picture throws; the signal's reason */
export type Encode = (options: EncodeOptions) => Promise<void>

export interface DecoderStreamOptions {
  /** Pictures a second at most. */
  readonly maxFps: number
  readonly onJpeg: (jpeg: Buffer) => void
  /** Called once when it ends without being asked to. */
  readonly onFailed: (reason: Error) => void
}

export interface DecoderStream {
  /** Takes the next picture, from a key picture on; when it cannot keep up it goes on at the next key picture. */
  push (unit: AccessUnit): void
  /** Resolves once nothing of it runs any more. */
  stop (): Promise<void>
}

export interface EncodeOptions {
  /** Whole JPEGs, read one at a time. */
  readonly pictures: AsyncIterable<Buffer>
  readonly fps: number
  /** MP4 (H.264, yuv420p, faststart); appears only when it is whole. */
  readonly file: string
  readonly signal: AbortSignal
}

/** A decoder that may hold processes. */
export interface OpenDecoder extends Decoder {
  /** Ends what waits for the next picture. What runs ends by its own signal. */
  close (): Promise<void>
}

/** ms */
export interface DecoderTimeouts {
  /** One picture. */
  readonly still: number
  /** A process that waits for the next picture; 0 for none. */
  readonly spare: number
  /** A process that was asked to end. */
  readonly grace: number
}

/** @throws CameraError `no_decoder` with the one command that helps */
export type FindDecoder = () => Promise<Decoder>
