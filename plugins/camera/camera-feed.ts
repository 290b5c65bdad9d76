import type { FastifyBaseLogger } from 'fastify'
import type { Dispose, Pins, PrinterSession } from '../../core/index.js'
import { streamFailed } from './errors.js'
import type { FpsMeter } from './fps-meter.js'
import type { Frame } from './frame.js'
import type { Protocol } from './protocol.js'
import { CameraError } from './upstream/camera-error.js'
import type { UpstreamWaits } from './upstream/types.js'
import type { AccessUnit, VideoSource } from './video/types.js'

/** The camera of one printer over one connection, open while a consumer needs it. */
export interface CameraFeed {
  readonly protocol: Protocol
  /** The last picture of the current connection; undefined without a connection. */
  readonly newest: Frame | undefined
  /** Why no pictures arrive; undefined while they do. */
  readonly problem: CameraError | undefined
  /** A connection is open or being opened. */
  readonly running: boolean
  readonly consumers: number
  readonly rate: FpsMeter
  /** Undefined for a camera that sends JPEGs. */
  readonly video: VideoSource | undefined
  /**
   * Asks for pictures from now on; video is decoded while a consumer takes its pictures.
   * @returns releases the feed, which stays connected for `lingerMs` more
   */
  attach (onFrame?: (frame: Frame) => void): (lingerMs?: number) => void
  /**
   * The newest picture if it is no older than `freshMs`, else the next one. Of a video, a single picture is decoded.
   * @throws PRN_ERR_STREAM_FAILED with the reason, at once when waiting would not help
   */
  picture (options: PictureOptions): Promise<Frame>
  /** Waits for the first data of the camera without decoding anything. @throws as `picture` does */
  ready (options: Omit<PictureOptions, 'freshMs'>): Promise<void>
  /** Disconnects now if there is no consumer, instead of after the linger time. */
  rest (): void
  /** Ends the feed for good. Resolves once nothing of it runs any more. */
  close (): Promise<void>
}

export interface PictureOptions {
  readonly freshMs: number
  readonly withinMs: number
  readonly signal: AbortSignal
  /** How long the connection stays open if there is no other consumer. */
  readonly lingerMs?: number
}

export interface CameraFeedDeps {
  readonly session: PrinterSession
  readonly protocol: Protocol
  readonly pins: Pick<Pins, 'get' | 'set'>
  readonly timeouts: UpstreamWaits
  /** ms before attempt number `attempt` (0 = the first retry) */
  readonly retryMs: (attempt: number, problem: CameraError) => number
  readonly log: FastifyBaseLogger
  readonly now: () => number
  readonly taps: CameraTaps
}

/** Listeners to data that arrives for other consumers; they neither open a connection nor start a decoder. */
export interface CameraTaps {
  readonly onFrame: (frame: Frame) => void
  readonly onUnit: (unit: AccessUnit) => void
}

/** Disposes of the parts in the order in which they were created. */
export const disposeAll = (parts: readonly Dispose[]): void => { for (const dispose of parts) dispose() }

/** The error as callers see it; an abort keeps its reason. */
export const asStreamFailed = (error: unknown): unknown =>
  error instanceof CameraError ? streamFailed(error.message, error) : error
