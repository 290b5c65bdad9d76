import { limitConnections } from '../../../core/index.js'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { StreamServer } from '../types.js'
import { serveStream } from './routes.js'
import type { Stream } from './stream.js'

export interface StreamServerOptions {
  readonly stream: Stream
  /** Tried first. */
  readonly port: number | undefined
  readonly log: FastifyBaseLogger
  /** Called once, as soon as it is on its way out. */
  readonly onClosed: () => void
}

/** Where the stream is served under the port of the API, as seen from there. */
export const sharedPath = (printer: string): string => `/stream/${encodeURIComponent(printer)}/`
export const sharedUrl = (baseUrl: string, printer: string): string => baseUrl + sharedPath(printer)

/** On a port of its own; a proxy knows only that of the API. */
function urlOn (port: number, baseUrl: string): string {
  const url = new URL('/', baseUrl)
  url.port = String(port)
  return url.href
}

/**
 * Holds a stream open until it is stopped, on a port of its own as long as the pool has one, else only under the port
 * of the API. The camera of an RTSPS printer is read only while somebody looks, and the server ends some time after
 * the last one; others are read until it is closed.
 */
export async function openStreamServer ({ stream, port, log, onClosed }: StreamServerOptions): Promise<StreamServer> {
  const { kernel, session, source, viewerPool, timeouts } = stream
  const endsAlone = source.protocol === 'rtsps'
  let closing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const arm = () => {
    if (!endsAlone || closing !== undefined) return
    timer = setTimeout(() => {
      log.info('the stream ends: nobody looks any more')
      void close()
    }, timeouts.autoStop).unref()
  }
  const disarm = () => {
    const armed = timer !== undefined
    clearTimeout(timer)
    timer = undefined
    return armed
  }
  const door = await openDoor(stream, port, log)
  const unfollow = viewerPool.follow({ onFirst: disarm, onLast: arm })
  const release = endsAlone ? undefined : source.attach()

  function close (): Promise<void> {
    closing ??= end()
    return closing
  }

  async function end (): Promise<void> {
    closing = Promise.resolve() // those who leave now are sent
    disarm()
    onClosed()
    unfollow()
    viewerPool.close()
    release?.()
    source.rest()
    await door?.close()
    source.rest()
  }

  return {
    port: door?.port ?? kernel.apiPort,
    urlFor: baseUrl => door === undefined || kernel.config.api.publicUrl !== undefined
      ? sharedUrl(baseUrl, session.name)
      : urlOn(door.port, baseUrl),
    get viewers () { return viewerPool.size },
    touch () { if (disarm()) arm() },
    close
  }
}

interface Door { readonly port: number, close (): Promise<void> }

/** @returns undefined when the pool has no port left: the stream is served all the same */
async function openDoor (
  stream: Stream, preferred: number | undefined, log: FastifyBaseLogger
): Promise<Door | undefined> {
  const { kernel, session } = stream
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    forceCloseConnections: true
  })
  limitConnections(app.server)
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
