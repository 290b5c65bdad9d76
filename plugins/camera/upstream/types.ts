import type { Pins, PrinterConfig } from '../../../core/index.js'
import type { AccessUnit } from '../video/types.js'

/** How long a camera may take, ms. */
export interface UpstreamWaits {
  /** TCP and TLS, up to the judged certificate; also each answer of a video camera. */
  readonly connect: number
  /** Between two pieces of data of a JPEG camera; between two pictures of a video. */
  readonly stall: number
  /** A video camera gets this long to let go of a connection that we end. */
  readonly grace: number
}

/** One connection to one camera of either kind. */
interface ConnectionContext {
  readonly config: PrinterConfig
  readonly pins: Pick<Pins, 'get' | 'set'>
  readonly signal: AbortSignal
  readonly timeouts: UpstreamWaits
}

/** One connection to a JPEG camera. */
export interface JpegUpstreamContext extends ConnectionContext {
  /** Takes a whole JPEG; what is none is left out. @returns whether it was one */
  readonly onJpeg: (jpeg: Buffer) => boolean
}

/** One connection to a video camera. */
export interface VideoUpstreamContext extends ConnectionContext {
  /** ms since the epoch */
  readonly now: () => number
  /** The number of the next picture, over all connections of one camera. */
  readonly nextSeq: () => number
  /** Takes every picture from the first key picture on. */
  readonly onUnit: (unit: AccessUnit) => void
}

/** Delivers pictures until the connection ends, and always ends with the reason. */
export type JpegUpstream = (context: JpegUpstreamContext) => Promise<never>

/**
 * Delivers the pictures of a video as they were coded, until the connection ends, and always rejects: with a
 * CameraError that says why, or with the signal's reason. The camera is let go before that.
 */
export type VideoUpstream = (context: VideoUpstreamContext) => Promise<never>
