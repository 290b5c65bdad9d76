import { createEmitter } from '../../core/index.js'
import { asStreamFailed, type CameraFeed, type CameraFeedDeps, type PictureOptions } from './camera-feed.js'
import { CameraConnection } from './connection.js'
import { firstOf } from './first-of.js'
import { createFpsMeter } from './fps-meter.js'
import { jpegSize, type Frame } from './frame.js'
import { createFloodLimit } from './upstream/flood-limit.js'
import type { JpegUpstream } from './upstream/types.js'

/** The feed of a camera that sends JPEGs. */
export function createJpegFeed (upstream: JpegUpstream, deps: CameraFeedDeps): CameraFeed {
  const { session, protocol, log, now, taps } = deps
  const events = createEmitter<{ frame: [frame: Frame] }>(error => log.error({ err: error }, 'camera listener failed'))
  const rate = createFpsMeter(now)
  let seq = 0
  let newest: Frame | undefined

  const connection: CameraConnection = new CameraConnection({
    log,
    retryMs: deps.retryMs,
    onDown () {
      newest = undefined
      if (!connection.running) rate.clear()
    },
    connect (signal, delivered) {
      const limit = createFloodLimit()
      const onJpeg = (jpeg: Buffer): boolean => {
        limit.picture()
        const size = jpegSize(jpeg)
        if (size === undefined) return false
        delivered()
        newest = { seq: ++seq, jpeg, ...size, capturedAt: now() }
        rate.count()
        events.emit('frame', newest)
        taps.onFrame(newest)
        return true
      }
      return upstream({ config: session.config, pins: deps.pins, signal, timeouts: deps.timeouts, onJpeg })
    }
  })

  async function picture ({ freshMs, withinMs, signal, lingerMs = 0 }: PictureOptions): Promise<Frame> {
    signal.throwIfAborted()
    const release = connection.want()
    try {
      if (newest !== undefined && now() - newest.capturedAt <= freshMs) return newest
      return await firstOf<Frame>(connection, { withinMs, signal }, take => events.on('frame', take))
    } catch (error) {
      throw asStreamFailed(error)
    } finally {
      release(lingerMs)
    }
  }

  return {
    protocol,
    rate,
    video: undefined,
    get newest () { return newest },
    get problem () { return connection.problem },
    get running () { return connection.running },
    get consumers () { return connection.consumers },
    attach (onFrame) {
      const dispose = onFrame ? events.on('frame', onFrame) : () => {}
      const release = connection.want()
      return lingerMs => { dispose(); release(lingerMs) }
    },
    picture,
    async ready (options) { await picture({ ...options, freshMs: Infinity }) },
    rest: () => connection.rest(),
    close: () => connection.close()
  }
}
