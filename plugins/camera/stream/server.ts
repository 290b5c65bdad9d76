import fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../../core/index.js'
import { daemonDialect, installRules } from '../../http/index.js'
import type { CameraFeed } from '../camera-feed.js'
import type { CameraTimeouts } from '../timeouts.js'
import type { StreamServer } from '../types.js'
import { createViewerPool } from './viewer-pool.js'
import { serveStream } from './routes.js'

export interface StreamServerOptions {
  readonly kernel: Kernel
  readonly session: PrinterSession
  readonly source: CameraFeed
  readonly timeouts: CameraTimeouts
  readonly maxViewers: number
  /** Tried first. */
  readonly port: number | undefined
  readonly log: FastifyBaseLogger
  /** Called once, as soon as it is on its way out. */
  readonly onClosed: () => void
}

/**
 * Serves pictures, live page and their data. The camera of an RTSPS printer is read only while somebody looks, and
 * the server ends some time after the last one; others are read until it is closed.
 * @throws PRN_ERR_PORTS_EXHAUSTED
 */
export async function openStreamServer (options: StreamServerOptions): Promise<StreamServer> {
  const { kernel, session, source, timeouts, maxViewers, log, onClosed } = options
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
  const viewerPool = createViewerPool({
    source,
    log,
    most: maxViewers,
    now: kernel.now,
    patienceMs: timeouts.viewer,
    lingerMs: () => closing === undefined ? timeouts.autoStop : 0,
    onFirst: disarm,
    onLast: arm
  })

  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    forceCloseConnections: true
  })
  installRules(app, kernel, daemonDialect)
  serveStream(app, { kernel, session, source, viewerPool, timeouts })
  const lease = await kernel.ports.claim(`stream of ${session.name}`,
    port => app.listen({ port, host: kernel.config.api.host }), options.port)
    .catch(async (error: unknown) => {
      await app.close()
      throw error
    })
  const release = endsAlone ? undefined : source.attach()

  function close (): Promise<void> {
    closing ??= end()
    return closing
  }

  async function end (): Promise<void> {
    closing = Promise.resolve() // those who leave now are sent
    disarm()
    onClosed()
    viewerPool.close()
    release?.()
    source.rest()
    await app.close()
    source.rest()
    lease.release()
  }

  return {
    port: lease.port,
    url: `http://localhost:${lease.port}/`,
    get viewers () { return viewerPool.size },
    touch () { if (disarm()) arm() },
    close
  }
}
