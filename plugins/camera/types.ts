import type { Dispose, PrinterSession } from '../../core/index.js'
import type { CameraTaps } from './camera-feed.js'
import type { Frame } from './frame.js'
import type { Protocol } from './protocol.js'
import type { Stream } from './stream/stream.js'
import type { VideoSource } from './video/types.js'

/** The stream of one printer, on a port of its own. */
export interface StreamServer {
  readonly port: number
  /** @param baseUrl the service's address as the caller sees it */
  urlFor (baseUrl: string): string
  readonly viewers: number
  /** Postpones the automatic stop. */
  touch (): void
  close (): Promise<void>
}

/** Addresses of a printer's streams, for display. */
export interface StreamInfo {
  readonly protocol: Protocol | 'none'
  readonly rtsps_url: string | null
  readonly local_mjpeg_url: string | null
  /** The same stream under the port of the API, whether or not a server runs. */
  readonly shared_url: string
  readonly streaming: boolean
}

/** All cameras of the service, with one connection each. */
export interface CameraManager {
  /** Undefined for a printer without a camera. */
  protocol (session: PrinterSession): Protocol | undefined
  /**
   * The newest picture, or a new one if that is older than `maxAgeMs`.
   * @throws PRN_ERR_NOT_CONNECTED without an address, PRN_ERR_NO_CAMERA, PRN_ERR_STREAM_FAILED
   */
  latestFrame (session: PrinterSession, options: { maxAgeMs: number, signal: AbortSignal }): Promise<Frame>
  /** The encoded video of a camera; undefined for a JPEG camera. @throws as `latestFrame` does */
  video (session: PrinterSession): VideoSource | undefined
  /**
   * Listens to data that arrives for other consumers, until the session ends; nothing is connected or decoded for it.
   */
  tap (session: PrinterSession, tap: Partial<CameraTaps>): Dispose
  /**
   * Keeps the camera connected for the taps; nothing is decoded for it.
   * @returns releases it; @throws as `latestFrame` does
   */
  hold (session: PrinterSession): Dispose
  /** The stream of a camera, for the servers of it. @throws as `latestFrame` does */
  stream (session: PrinterSession): Stream
  /** The running stream server, or a new one. @param port preferred port; @throws as `latestFrame` does */
  start (session: PrinterSession, port?: number): Promise<StreamServer>
  /** @returns false when none was running */
  stop (printer: string): Promise<boolean>
  /** @throws PRN_ERR_NOT_CONNECTED without an address */
  info (session: PrinterSession, baseUrl: string): StreamInfo
  /** Running stream servers by printer. */
  list (baseUrl: string): Readonly<Record<string, { readonly port: number, readonly url: string }>>
  close (): Promise<void>
}
