import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../core/index.js'
import type { CameraFeed, CameraFeedDeps } from './camera-feed.js'
import type { TapRegistry } from './camera-taps.js'
import type { FindDecoder } from './decoder/types.js'
import { noAddress, noCamera } from './errors.js'
import { createJpegFeed } from './jpeg-feed.js'
import { watchCamera } from './operations.js'
import { cameraless, protocolOf, type Protocol } from './protocol.js'
import { relayedPictures, relayedVideo, type OpenRelay } from './relay/relayed-camera.js'
import { createStream, type Stream } from './stream/stream.js'
import { retryDelay, type CameraTimeouts } from './timeouts.js'
import { readJpegCamera } from './upstream/jpeg-camera.js'
import { rtspsCamera } from './upstream/rtsps-camera.js'
import { VideoFeed } from './video-feed.js'

export interface CameraFeedsOptions {
  readonly kernel: Kernel
  readonly log: FastifyBaseLogger
  readonly timeouts: CameraTimeouts
  readonly findDecoder: FindDecoder
  readonly maxFps: number
  readonly maxViewers: number
  readonly taps: TapRegistry
}

/** One feed for each printer with a camera, and at most one stream for each feed, both created on first use. */
export class CameraFeeds {
  readonly #options: CameraFeedsOptions
  readonly #feeds = new Map<PrinterSession, CameraFeed>()
  readonly #streams = new WeakMap<CameraFeed, Stream>()

  constructor (options: CameraFeedsOptions) {
    this.#options = options
  }

  /** @throws PRN_ERR_NOT_CONNECTED without an address, PRN_ERR_NO_CAMERA */
  of (session: PrinterSession): CameraFeed {
    if (session.config.host.trim() === '') throw noAddress(session.name)
    const protocol = protocolOf(session)
    if (protocol === undefined) throw noCamera(cameraless(session))
    const known = this.#feeds.get(session)
    if (known?.protocol === protocol) return known
    if (known) this.#end(known) // the printer now reports another kind of camera
    const feed = this.#open(session, protocol)
    this.#feeds.set(session, feed)
    return feed
  }

  /** Shared by all viewers of a camera, whichever port they use. @throws as `of` does */
  streamOf (session: PrinterSession): Stream {
    const source = this.of(session)
    const known = this.#streams.get(source)
    if (known !== undefined) return known
    const { kernel, timeouts, maxViewers } = this.#options
    const stream = createStream({ kernel, session, source, timeouts, maxViewers, log: this.#logOf(session) })
    this.#streams.set(source, stream)
    return stream
  }

  /** Ends the feed of a session that has ended. */
  forget (session: PrinterSession): void {
    const feed = this.#feeds.get(session)
    this.#feeds.delete(session)
    if (feed) this.#end(feed)
  }

  all (): readonly CameraFeed[] {
    return [...this.#feeds.values()]
  }

  #end (feed: CameraFeed): void {
    this.#streams.get(feed)?.viewerPool.close()
    void feed.close()
  }

  #open (session: PrinterSession, protocol: Protocol): CameraFeed {
    const { kernel, timeouts, taps, findDecoder, maxFps } = this.#options
    const deps: CameraFeedDeps = {
      session,
      protocol,
      pins: kernel.pins,
      timeouts: timeouts.upstream[protocol],
      retryMs: (attempt, { kind }) => retryDelay(timeouts.retry[protocol], attempt, kind),
      log: this.#logOf(session),
      now: kernel.now,
      taps: taps.of(session)
    }
    const relay = this.#relayTo(session)
    return protocol === 'rtsps'
      ? new VideoFeed(relay ? relayedVideo(relay) : rtspsCamera, { ...deps, findDecoder, maxFps })
      : createJpegFeed(relay ? relayedPictures(relay) : readJpegCamera, deps)
  }

  /** @returns undefined for a printer that this service is connected to itself */
  #relayTo (session: PrinterSession): OpenRelay | undefined {
    const { kernel } = this.#options
    return session.remote && (async signal =>
      (await kernel.call(watchCamera, {}, { printer: session.name, signal, surface: 'camera' })).body)
  }

  #logOf (session: PrinterSession): FastifyBaseLogger {
    return this.#options.log.child({ printer: session.name })
  }
}
