import type { Pins, PrinterConfig } from '../../../core/index.js'

/** How long a camera may take, ms. */
export interface UpstreamWaits {
  /** TCP and TLS, up to the judged certificate. */
  readonly connect: number
  /** Between two pieces of data of a JPEG camera; between two pictures of a video. */
  readonly stall: number
  /** The program that decodes the video gets this long to end by itself. */
  readonly grace: number
}

/** One connection to one camera. */
export interface UpstreamContext {
  readonly config: PrinterConfig
  readonly pins: Pick<Pins, 'get' | 'set'>
  readonly signal: AbortSignal
  readonly timeouts: UpstreamWaits
  /** Takes a whole JPEG; what is none is left out. @returns whether it was one */
  readonly onJpeg: (jpeg: Buffer) => boolean
}

/** Delivers pictures until the connection ends, and always ends with the reason. */
export type Upstream = (context: UpstreamContext) => Promise<never>
