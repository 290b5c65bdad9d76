import type { Pins, PrinterConfig } from '../../../core/index.js'
import type { AccessUnit } from '../video/types.js'

/** Time limits for a camera, ms. */
export interface UpstreamWaits {
  /** For TCP, TLS and the check of the certificate; also for each response of a video camera. */
  readonly connect: number
  /** Between two chunks of a JPEG camera; between two pictures of a video. */
  readonly stall: number
  /** For a video camera to confirm the end of a session. */
  readonly grace: number
}

/** One connection to a camera of either kind. */
interface ConnectionContext {
  readonly config: PrinterConfig
  readonly pins: Pick<Pins, 'get' | 'set'>
  readonly signal: AbortSignal
  readonly timeouts: UpstreamWaits
}

/** One connection to a JPEG camera. */
export interface JpegUpstreamContext extends ConnectionContext {
  /** Takes a complete JPEG; anything else is ignored. @returns whether it was one */
  readonly onJpeg: (jpeg: Buffer) => boolean
}

/** One connection to a video camera. */
export interface VideoUpstreamContext extends ConnectionContext {
  /** ms since the epoch */
  readonly now: () => number
  /** The number of the next picture, counted over all connections of a camera. */
  readonly nextSeq: () => number
  /** Takes every picture from the first key picture on. */
  readonly onUnit: (unit: AccessUnit) => void
}

/** Delivers pictures until the connection ends; always rejects with the reason. */
export type JpegUpstream = (context: JpegUpstreamContext) => Promise<never>

/**
 * Delivers the encoded pictures of a video until the connection ends, and always rejects: with a CameraError, or with
 * the signal's reason. The session with the camera is torn down before that.
 */
export type VideoUpstream = (context: VideoUpstreamContext) => Promise<never>
