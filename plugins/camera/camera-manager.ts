import type { PrinterSession } from '../../core/index.js'
import { CameraFeeds, type CameraFeedsOptions } from './camera-feeds.js'
import { createCameraTaps } from './camera-taps.js'
import { noAddress } from './errors.js'
import { protocolOf, shownAddress } from './protocol.js'
import { sharedUrl } from './stream/server.js'
import { StreamServers } from './stream/stream-servers.js'
import type { CameraManager } from './types.js'

export type CameraManagerOptions = Omit<CameraFeedsOptions, 'taps'>

export function createCameraManager (options: CameraManagerOptions): CameraManager {
  const { kernel, log, timeouts } = options
  const taps = createCameraTaps(log)
  const feeds = new CameraFeeds({ ...options, taps })
  const streamOf = (session: PrinterSession) => feeds.streamOf(session)
  const servers = new StreamServers({ streamOf, log, signal: kernel.signal })

  const unfollow = kernel.printers.each(session => () => {
    void servers.stop(session.name)
    feeds.forget(session)
    taps.forget(session)
  })

  return {
    protocol: protocolOf,
    async latestFrame (session, { maxAgeMs, signal }) {
      const feed = feeds.of(session)
      return await feed.picture({ freshMs: maxAgeMs, withinMs: timeouts.firstFrame[feed.protocol], signal })
    },
    stream: streamOf,
    video: session => feeds.of(session).video,
    tap: taps.add,
    hold (session) {
      const release = feeds.of(session).attach()
      return () => release()
    },
    start: (session, port) => servers.start(session, port),
    stop: printer => servers.stop(printer),
    info (session, baseUrl) {
      if (session.config.host.trim() === '') throw noAddress(session.name)
      const protocol = protocolOf(session)
      const server = servers.running.get(session.name)
      return {
        protocol: protocol ?? 'none',
        rtsps_url: protocol === 'rtsps' ? shownAddress(session.config) : null,
        local_mjpeg_url: server?.urlFor(baseUrl) ?? null,
        shared_url: sharedUrl(baseUrl, session.name),
        streaming: server !== undefined
      }
    },
    list: baseUrl => Object.fromEntries([...servers.running]
      .map(([name, { port, urlFor }]) => [name, { port, url: urlFor(baseUrl) }])),
    async close () {
      const ending = [...servers.running.values(), ...feeds.all()] // copied first: closing removes the entries
      unfollow()
      await Promise.all(ending.map(part => part.close()))
    }
  }
}
