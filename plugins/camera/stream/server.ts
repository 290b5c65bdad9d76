import { limitConnections } from '../../../core/index.js'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { StreamServer } from '../types.js'
import { serveStream } from './routes.js'
import type { Stream } from './stream.js'

export interface StreamServerOptions {
  readonly stream: Stream
  /** Preferred port. */
  readonly port: number | undefined
  readonly log: FastifyBaseLogger
  /** Called once, when closing begins. */
  readonly onClosed: () => void
}

/** Path of the stream on the port of the API. */
export const sharedPath = (printer: string): string => `/stream/${encodeURIComponent(printer)}/`
export const sharedUrl = (baseUrl: string, printer: string): string => baseUrl + sharedPath(printer)

/** URL of a stream server; a configured public URL only covers the port of the API. */
function urlOn (port: number, baseUrl: string): string {
  const url = new URL('/', baseUrl)
  url.port = String(port)
  return url.href
}

/**
 * Keeps a stream open until it is stopped, on a port of its own while the pool has one, else only under the port of the
 * API. The camera of an RTSPS printer is only connected while there are viewers, and the server stops some time after
 * the last one; other cameras are read until it is stopped.
 */
export async function openStreamServer ({ stream, port, log, onClosed }: StreamServerOptions): Promise<StreamServer> {
  const { kernel, session, source, viewerPool, timeouts } = stream
  const endsAlone = source.protocol === 'rtsps'
  let closing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const arm = () => {
    if (!endsAlone || closing !== undefined) return
    timer = setTimeout(() => {
      log.info('the stream ends: no viewers are left')
      void close()
    }, timeouts.autoStop).unref()
  }
  const disarm = () => {
    const armed = timer !== undefined
    clearTimeout(timer)
    timer = undefined
    return armed
  }
  const ownPort = await openPort(stream, port, log)
  const unfollow = viewerPool.follow({ onFirst: disarm, onLast: arm })
  const release = endsAlone ? undefined : source.attach()

  function close (): Promise<void> {
    closing ??= end()
    return closing
  }

  async function end (): Promise<void> {
    closing = Promise.resolve() // set before the viewers are disconnected, which must not start the timer
    disarm()
    onClosed()
    unfollow()
    viewerPool.close()
    release?.()
    source.rest()
    await ownPort?.close()
    source.rest()
  }

  return {
    port: ownPort?.port ?? kernel.apiPort,
    urlFor: baseUrl => ownPort === undefined || kernel.config.api.publicUrl !== undefined
      ? sharedUrl(baseUrl, session.name)
      : urlOn(ownPort.port, baseUrl),
    get viewers () { return viewerPool.size },
    touch () { if (disarm()) arm() },
    close
  }
}

interface StreamPort { readonly port: number, close (): Promise<void> }

/** @returns undefined when the port pool is exhausted: the stream is then served under the API's port only */
async function openPort (
  stream: Stream, preferred: number | undefined, log: FastifyBaseLogger
): Promise<StreamPort | undefined> {
  const { kernel, session } = stream
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    forceCloseConnections: true
  })
  limitConnections(app.server)
  app.addHook('onRoute', route => {
    route.config = { ...route.config, ofPrinter: { name: session.name, prefix: '/stream/:printer' } }
  })
  await kernel.services.http.install(app)
  serveStream(app, () => stream, kernel.services.http)
  try {
    const lease = await kernel.ports.claim(`stream of ${session.name}`,
      port => app.listen({ port, host: kernel.config.api.host }), preferred)
    return {
      port: lease.port,
      async close () {
        await app.close()
        lease.release()
      }
    }
  } catch (error) {
    await app.close()
    if ((error as { code?: unknown }).code !== 'PRN_ERR_PORTS_EXHAUSTED') throw error
    log.info('the port pool is empty: the stream is served under the port of the API')
    return undefined
  }
}
