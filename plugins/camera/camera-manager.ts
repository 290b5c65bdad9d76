import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../core/index.js'
import { noAddress, noCamera } from './errors.js'
import { cameraless, protocolOf, shownAddress, type Protocol } from './protocol.js'
import type { CameraFeed, CameraFeedDeps } from './camera-feed.js'
import { createCameraTaps } from './camera-taps.js'
import type { FindDecoder } from './decoder/types.js'
import { createJpegFeed } from './jpeg-feed.js'
import { watchCamera } from './operations.js'
import { relayedPictures, relayedVideo, type OpenRelay } from './relay/upstream.js'
import { openStreamServer, sharedUrl } from './stream/server.js'
import { createStream, type Stream } from './stream/stream.js'
import { readJpegCamera } from './upstream/jpeg-camera.js'
import { CameraError } from './upstream/camera-error.js'
import { rtspsCamera } from './upstream/rtsps-camera.js'
import { VideoFeed } from './video-feed.js'
import { retryDelay, type CameraTimeouts } from './timeouts.js'
import type { CameraManager, StreamServer } from './types.js'

export interface CameraManagerOptions {
  readonly kernel: Kernel
  readonly log: FastifyBaseLogger
  readonly timeouts: CameraTimeouts
  readonly findDecoder: FindDecoder
  readonly maxFps: number
  readonly maxViewers: number
}

export function createCameraManager (options: CameraManagerOptions): CameraManager {
  const { kernel, log, timeouts, maxFps, maxViewers, findDecoder } = options
  const sources = new Map<PrinterSession, CameraFeed>()
  const streams = new WeakMap<CameraFeed, Stream>()
  const servers = new Map<string, Promise<StreamServer>>()
  const running = new Map<string, StreamServer>()
  const taps = createCameraTaps(log)
  function open (protocol: Protocol, deps: CameraFeedDeps): CameraFeed {
    const { session } = deps
    const through: OpenRelay | undefined = session.remote && (async signal =>
      (await kernel.call(watchCamera, {}, { printer: session.name, signal, surface: 'camera' })).body)
    return protocol === 'rtsps'
      ? new VideoFeed(through ? relayedVideo(through) : rtspsCamera, { ...deps, findDecoder, maxFps })
      : createJpegFeed(through ? relayedPictures(through) : readJpegCamera, deps)
  }

  function sourceOf (session: PrinterSession): CameraFeed {
    if (session.config.host.trim() === '') throw noAddress(session.name)
    const protocol = protocolOf(session)
    if (protocol === undefined) throw noCamera(cameraless(session))
    const known = sources.get(session)
    if (known?.protocol === protocol) return known
    if (known) streams.get(known)?.viewerPool.close()
    void known?.close() // its reports say otherwise by now
    const source = open(protocol, {
      session,
      protocol,
      pins: kernel.pins,
      timeouts: timeouts.upstream[protocol],
      retryMs: (attempt, { kind }) => retryDelay(timeouts.retry[protocol], attempt, kind),
      log: log.child({ printer: session.name }),
      now: kernel.now,
      taps: taps.of(session)
    })
    sources.set(session, source)
    return source
  }

  /** What all who look share, whichever port they come through. */
  function streamOf (session: PrinterSession): Stream {
    const source = sourceOf(session)
    const known = streams.get(source)
    if (known !== undefined) return known
    const own = log.child({ printer: session.name })
    const stream = createStream({ kernel, session, source, timeouts, maxViewers, log: own })
    streams.set(source, stream)
    return stream
  }

  const latestFrame: CameraManager['latestFrame'] = async (session, { maxAgeMs, signal }) => {
    const source = sourceOf(session)
    return await source.picture({ freshMs: maxAgeMs, withinMs: timeouts.firstFrame[source.protocol], signal })
  }

  /** A picture that does not come in time is no failure; a reason that waiting does not change is one. */
  async function awaitFirst (server: StreamServer, source: CameraFeed): Promise<void> {
    const { protocol } = source
    const withinMs = timeouts.firstFrame[protocol]
    try {
      await source.ready({ withinMs, signal: kernel.signal, lingerMs: timeouts.autoStop })
    } catch (error) {
      const { cause } = error as { cause?: unknown }
      if (cause instanceof CameraError && !cause.lasting) return
      await server.close()
      throw error
    }
  }

  async function begin (session: PrinterSession, port?: number): Promise<StreamServer> {
    const source = sourceOf(session)
    const server = await openStreamServer({
      stream: streamOf(session),
      port,
      log: log.child({ printer: session.name }),
      onClosed () {
        running.delete(session.name)
        servers.delete(session.name)
      }
    })
    running.set(session.name, server)
    await awaitFirst(server, source)
    return server
  }

  async function start (session: PrinterSession, port?: number): Promise<StreamServer> {
    const known = servers.get(session.name)
    if (known !== undefined) {
      const server = await known
      server.touch()
      return server
    }
    const starting = begin(session, port)
    servers.set(session.name, starting)
    starting.catch(() => { if (servers.get(session.name) === starting) servers.delete(session.name) })
    return await starting
  }

  async function stop (printer: string): Promise<boolean> {
    const server = running.get(printer)
    await server?.close()
    return server !== undefined
  }

  const unfollow = kernel.printers.each(session => () => {
    void stop(session.name)
    const source = sources.get(session)
    if (source) streams.get(source)?.viewerPool.close()
    void sources.get(session)?.close()
    sources.delete(session)
    taps.forget(session)
  })

  return {
    protocol: protocolOf,
    latestFrame,
    stream: streamOf,
    video: session => sourceOf(session).video,
    tap: taps.add,
    hold (session) {
      const release = sourceOf(session).attach()
      return () => release()
    },
    start,
    stop,
    info (session, baseUrl) {
      if (session.config.host.trim() === '') throw noAddress(session.name)
      const protocol = protocolOf(session)
      const server = running.get(session.name)
      return {
        protocol: protocol ?? 'none',
        rtsps_url: protocol === 'rtsps' ? shownAddress(session.config) : null,
        local_mjpeg_url: server?.urlFor(baseUrl) ?? null,
        shared_url: sharedUrl(baseUrl, session.name),
        streaming: server !== undefined
      }
    },
    list: baseUrl => Object.fromEntries([...running]
      .map(([name, { port, urlFor }]) => [name, { port, url: urlFor(baseUrl) }])),
    async close () {
      const ending = [...running.values(), ...sources.values()] // none is known any more once nothing is followed
      unfollow()
      await Promise.all(ending.map(part => part.close()))
    }
  }
}
