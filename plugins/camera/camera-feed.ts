import type { FastifyBaseLogger } from 'fastify'
import type { Dispose, Pins, PrinterSession } from '../../core/index.js'
import { streamFailed } from './errors.js'
import type { FpsMeter } from './fps-meter.js'
import type { Frame } from './frame.js'
import type { Protocol } from './protocol.js'
import { CameraError } from './upstream/camera-error.js'
import type { UpstreamWaits } from './upstream/types.js'
import type { AccessUnit, VideoSource } from './video/types.js'

/** What the camera of a printer gives, over one connection, for as long as a consumer wants it. */
export interface CameraFeed {
  readonly protocol: Protocol
  /** The last picture of the connection that is up; undefined while there is none. */
  readonly newest: Frame | undefined
  /** Why no picture comes; undefined while they come. */
  readonly problem: CameraError | undefined
  /** A connection is kept, or being made. */
  readonly running: boolean
  readonly consumers: number
  readonly rate: FpsMeter
  /** Undefined for a camera that sends pictures. */
  readonly video: VideoSource | undefined
  /**
   * Wants pictures from now on; video is decoded for as long as a consumer takes them.
   * @returns the end of it; the connection then stays for `lingerMs` more
   */
  attach (onFrame?: (frame: Frame) => void): (lingerMs?: number) => void
  /**
   * The newest picture when it is no older than `freshMs`, else the next one. Of a video one picture is decoded.
   * @throws PRN_ERR_STREAM_FAILED with the reason, at once when waiting would not help
   */
  picture (options: PictureOptions): Promise<Frame>
  /** Waits until something comes; nothing is decoded for it. @throws as `picture` does */
  ready (options: Omit<PictureOptions, 'freshMs'>): Promise<void>
  /** Ends the connection now if no consumer wants pictures, instead of after its lingering. */
  rest (): void
  /** For good. Resolves once nothing of it runs any more. */
  close (): Promise<void>
}

export interface PictureOptions {
  readonly freshMs: number
  readonly withinMs: number
  readonly signal: AbortSignal
  /** How long the connection stays if no other consumer wants it. */
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

/** Listeners that take what comes anyway; nothing is connected or decoded for them. */
export interface CameraTaps {
  readonly onFrame: (frame: Frame) => void
  readonly onUnit: (unit: AccessUnit) => void
}

/** Ends what was begun, in the order it was begun. */
export const disposeAll = (parts: readonly Dispose[]): void => { for (const dispose of parts) dispose() }

/** As callers know it; the reason of an abort stays as it is. */
export const asStreamFailed = (error: unknown): unknown =>
  error instanceof CameraError ? streamFailed(error.message, error) : error
