import type { Dispose, PrinterSession } from '../../core/index.js'
import type { CameraTaps } from './camera-feed.js'
import type { Frame } from './frame.js'
import type { Protocol } from './protocol.js'
import type { Stream } from './stream/stream.js'
import type { VideoSource } from './video/types.js'

/** The stream of one printer, on a port of its own. */
export interface StreamServer {
  readonly port: number
  /** @param baseUrl how the caller reaches the service */
  urlFor (baseUrl: string): string
  readonly viewers: number
  /** Somebody counts on it: an end that is near is put off. */
  touch (): void
  close (): Promise<void>
}

/** Addresses of a printer's streams as people may see them. */
export interface StreamInfo {
  readonly protocol: Protocol | 'none'
  readonly rtsps_url: string | null
  readonly local_mjpeg_url: string | null
  /** The same stream under the port of the API, whether or not it runs. */
  readonly shared_url: string
  readonly streaming: boolean
}

/** All cameras of the service, one connection each. */
export interface CameraManager {
  /** Undefined for a printer without a camera. */
  protocol (session: PrinterSession): Protocol | undefined
  /**
   * The newest picture, or one that is taken now when that is older than `maxAgeMs`.
   * @throws PRN_ERR_NOT_CONNECTED without an address, PRN_ERR_NO_CAMERA, PRN_ERR_STREAM_FAILED
   */
  latestFrame (session: PrinterSession, options: { maxAgeMs: number, signal: AbortSignal }): Promise<Frame>
  /** The coded video of a camera; undefined for one that sends pictures. @throws as `latestFrame` does */
  video (session: PrinterSession): VideoSource | undefined
  /** Takes what comes anyway, as long as the session lasts: nothing is connected or decoded for it. */
  tap (session: PrinterSession, tap: Partial<CameraTaps>): Dispose
  /**
   * Keeps the camera connected, for what comes to the taps; nothing is decoded for it.
   * @returns the end of it; @throws as `latestFrame` does
   */
  hold (session: PrinterSession): Dispose
  /** What the camera shows, for whoever serves it. @throws as `latestFrame` does */
  stream (session: PrinterSession): Stream
  /** The running stream server, or a new one. @param port tried first; @throws as `latestFrame` does */
  start (session: PrinterSession, port?: number): Promise<StreamServer>
  /** @returns false when none ran */
  stop (printer: string): Promise<boolean>
  /** @throws PRN_ERR_NOT_CONNECTED without an address */
  info (session: PrinterSession, baseUrl: string): StreamInfo
  /** Running stream servers by printer. */
  list (baseUrl: string): Readonly<Record<string, { readonly port: number, readonly url: string }>>
  close (): Promise<void>
}
