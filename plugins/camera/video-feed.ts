import { createEmitter, withTimeout } from '../../core/index.js'
import { asStreamFailed, disposeAll, type CameraFeed, type CameraFeedDeps, type PictureOptions } from './camera-feed.js'
import { CameraConnection } from './connection.js'
import type { FindDecoder } from './decoder/types.js'
import { firstOf, type FirstOptions } from './first-of.js'
import { createFpsMeter } from './fps-meter.js'
import { jpegSize, type Frame } from './frame.js'
import { createLiveDecoding, type LiveDecoding } from './live-decoding.js'
import { checkLiveView } from './protocol.js'
import { StillFrames } from './still-frames.js'
import { CameraError } from './upstream/camera-error.js'
import type { VideoUpstream } from './upstream/types.js'
import { ContinuousVideo } from './video/continuous-video.js'
import { createGroupRing } from './video/group-ring.js'
import type { AccessUnit, VideoSource } from './video/types.js'

export interface VideoFeedDeps extends CameraFeedDeps {
  readonly findDecoder: FindDecoder
  /** Highest number of decoded pictures a second. */
  readonly maxFps: number
}

const notDecoded = (withinMs: number) =>
  new CameraError('decoder_failed', `No picture could be made of the video within ${withinMs / 1_000} s`)

/**
 * The feed of a camera that sends video. Video is passed on unchanged; it is decoded only while a consumer takes
 * pictures, and for a single picture only as far as that picture needs.
 */
export class VideoFeed implements CameraFeed {
  readonly #deps: VideoFeedDeps
  readonly #events
  readonly #ring = createGroupRing()
  readonly #continuous = new ContinuousVideo()
  readonly #connection: CameraConnection
  readonly #live: LiveDecoding
  readonly #stills: StillFrames
  #units = 0
  #frames = 0
  #newest: Frame | undefined
  #isDecoderSought = false
  readonly protocol
  readonly rate
  readonly video: VideoSource = { attach: onUnit => this.#attachVideo(onUnit) }

  constructor (upstream: VideoUpstream, deps: VideoFeedDeps) {
    const { log, retryMs, findDecoder, maxFps, taps } = deps
    this.#deps = deps
    this.protocol = deps.protocol
    this.rate = createFpsMeter(deps.now)
    this.#events = createEmitter<{ unit: [unit: AccessUnit], frame: [frame: Frame] }>(
      error => log.error({ err: error }, 'camera listener failed'))
    this.#connection = new CameraConnection({
      log,
      retryMs,
      onDown: () => this.#onDown(),
      connect: (signal, delivered) => this.#connect(upstream, signal, delivered)
    })
    this.#stills = new StillFrames({
      findDecoder,
      toFrame: (jpeg, capturedAt) => this.#toFrame(jpeg, capturedAt),
      onFrame: taps.onFrame
    })
    this.#live = createLiveDecoding({
      findDecoder,
      log,
      maxFps,
      retryMs,
      begin: () => this.#ring.units,
      onUnit: listener => this.#events.on('unit', listener),
      onJpeg: jpeg => this.#onLiveJpeg(jpeg)
    })
  }

  get newest () { return this.#newest }
  get problem () { return this.#connection.problem ?? this.#live.problem }
  get running () { return this.#connection.running }
  get consumers () { return this.#connection.consumers }

  attach (onFrame?: (frame: Frame) => void): (lingerMs?: number) => void {
    const parts = onFrame ? [this.#events.on('frame', onFrame), this.#live.want()] : []
    const release = this.#connection.want()
    return lingerMs => {
      disposeAll(parts)
      if (!this.#live.wanted) this.#newest = undefined
      release(lingerMs)
    }
  }

  picture ({ freshMs, withinMs, signal, lingerMs }: PictureOptions): Promise<Frame> {
    return this.#whileConnected({ signal, lingerMs }, async () => {
      const newest = this.#newest
      if (newest !== undefined && this.#deps.now() - newest.capturedAt <= freshMs) return newest
      if (this.#ring.units.length === 0) this.#stills.prepare()
      const frame = this.#stills.last(await this.#decodable(freshMs, { withinMs, signal }))
      return await withTimeout(withinMs, frame, () => notDecoded(withinMs), signal)
    })
  }

  ready ({ withinMs, signal, lingerMs }: Omit<PictureOptions, 'freshMs'>): Promise<void> {
    return this.#whileConnected({ signal, lingerMs }, async () => {
      await this.#decodable(Infinity, { withinMs, signal })
    })
  }

  rest (): void {
    this.#connection.rest()
  }

  async close (): Promise<void> {
    this.#stills.close()
    await Promise.all([this.#connection.close(), this.#live.close()])
  }

  #attachVideo (onUnit: (unit: AccessUnit) => void): (lingerMs?: number) => void {
    for (const unit of this.#ring.units) onUnit(unit)
    const dispose = this.#events.on('unit', onUnit)
    const release = this.#connection.want()
    return lingerMs => { dispose(); release(lingerMs) }
  }

  async #whileConnected<T> ({ signal, lingerMs = 0 }: { signal: AbortSignal, lingerMs: number | undefined },
    work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const release = this.#connection.want()
    try {
      return await work()
    } catch (error) {
      throw asStreamFailed(error)
    } finally {
      release(lingerMs)
    }
  }

  /** The pictures to decode for one no older than `freshMs`: the current group, else the next. */
  async #decodable (freshMs: number, options: FirstOptions): Promise<readonly AccessUnit[]> {
    const since = this.#deps.now() - freshMs
    return this.#ring.pictureSince(since) ?? await firstOf<readonly AccessUnit[]>(this.#connection, options, take =>
      this.#events.on('unit', () => {
        const units = this.#ring.pictureSince(since)
        if (units !== undefined) take(units)
      }))
  }

  async #connect (upstream: VideoUpstream, signal: AbortSignal, delivered: () => void): Promise<never> {
    const { session, pins, timeouts, now } = this.#deps
    checkLiveView(session)
    const continued = this.#continuous.begin()
    return await upstream({
      config: session.config,
      pins,
      signal,
      timeouts,
      now,
      nextSeq: () => ++this.#units,
      onUnit: unit => {
        delivered()
        this.#onUnit(continued(unit))
      }
    })
  }

  #onUnit (unit: AccessUnit): void {
    this.#seekDecoder()
    this.#ring.push(unit)
    this.rate.count()
    this.#deps.taps.onUnit(unit)
    this.#events.emit('unit', unit)
  }

  #onDown (): void {
    this.#newest = undefined
    this.#ring.clear()
    if (!this.#connection.running) this.rate.clear()
  }

  /** Searches for the decoder early, as a viewer may ask for a picture next. Nothing is decoded. */
  #seekDecoder (): void {
    if (this.#isDecoderSought) return
    this.#isDecoderSought = true
    this.#deps.findDecoder().catch(() => {}) // a request for a picture reports it
  }

  #onLiveJpeg (jpeg: Buffer): void {
    const frame = this.#toFrame(jpeg, this.#deps.now())
    if (frame === undefined) return
    this.#newest = frame
    this.#events.emit('frame', frame)
    this.#deps.taps.onFrame(frame)
  }

  #toFrame (jpeg: Buffer, capturedAt: number): Frame | undefined {
    const size = jpegSize(jpeg)
    return size && { seq: ++this.#frames, jpeg, ...size, capturedAt }
  }
}
