import type { AccessUnit } from '../video/types.js'

/** Decodes video in separate processes, so that no stream can crash the service. */
export interface Decoder {
  /** Program or package with its version, for display. */
  readonly name: string
  /**
   * Decodes the last of consecutive pictures, the first of which is a key picture.
   * @returns a complete JPEG
   * @throws CameraError `decoder_failed` when there is no output in time
   */
  still (units: readonly AccessUnit[], signal: AbortSignal): Promise<Buffer>
  /** Decodes every pushed picture, until it is stopped. */
  stream (options: DecoderStreamOptions): DecoderStream
  /** Shortens the wait for a picture that is likely to be requested soon. */
  prepare? (): void
  /** @returns an encoder of pictures of one size into a video; undefined where the decoder cannot encode */
  findEncoder (): Promise<Encode | undefined>
}

/** @throws CameraError `decoder_failed`; what iterating the pictures throws; the signal's reason */
export type Encode = (options: EncodeOptions) => Promise<void>

export interface DecoderStreamOptions {
  /** Highest number of pictures a second. */
  readonly maxFps: number
  readonly onJpeg: (jpeg: Buffer) => void
  /** Called once when it ends without being stopped. */
  readonly onFailed: (reason: Error) => void
}

export interface DecoderStream {
  /**
   * Takes the next picture, starting with a key picture. A decoder that falls behind continues at the next key picture.
   */
  push (unit: AccessUnit): void
  /** Resolves once nothing of it runs any more. */
  stop (): Promise<void>
}

export interface EncodeOptions {
  /** Complete JPEGs, read one at a time. */
  readonly pictures: AsyncIterable<Buffer>
  readonly fps: number
  /** MP4 (H.264, yuv420p, faststart); appears only once it is complete. */
  readonly file: string
  readonly signal: AbortSignal
}

/** A decoder that may own processes. */
export interface OpenDecoder extends Decoder {
  /** Ends idle processes; busy ones end by their own signal. */
  close (): Promise<void>
}

/** ms */
export interface DecoderTimeouts {
  /** For one picture. */
  readonly still: number
  /** How long an idle process is kept; 0 for not at all. */
  readonly spare: number
  /** For a process to exit when asked to. */
  readonly grace: number
}

/** @throws CameraError `no_decoder` with the command that installs one */
export type FindDecoder = () => Promise<Decoder>
