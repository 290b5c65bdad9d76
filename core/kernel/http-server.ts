import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { BadConfig } from '../errors.js'
import type { Config } from './config.js'
import { createConnectionLimit, type ConnectionLimits } from '../util/connection-limit.js'
import { createPipelineLimiter } from './pipelining.js'

export interface HttpServerOptions {
  readonly trustProxy: string[] | false
  readonly log: FastifyBaseLogger
  /** Time limit of what plugins register themselves; registerPlugin limits their own setup. */
  readonly pluginTimeoutMs: number
}

/**
 * Creates the server to which plugins add their routes.
 * @returns it inside an object, as awaiting a fastify instance itself would load its plugins
 */
export async function createHttpServer (options: HttpServerOptions): Promise<{ readonly app: FastifyInstance }> {
  const { trustProxy, log, pluginTimeoutMs } = options
  const { default: fastify, LogController } = await import('fastify') // commands without a server import the core, too
  const app = fastify({
    trustProxy,
    loggerInstance: log,
    childLoggerFactory: lazyChildLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: LONGEST_PATH },
    pluginTimeout: pluginTimeoutMs
  })
  limitConnections(app.server)
  const limitPipelining = createPipelineLimiter()
  app.addHook('onRequest', (request, reply, done) => limitPipelining(request.raw, reply.raw, done))
  return { app }
}

/** @throws PRN_ERR_CONFIG for an invalid address or network; without any, no proxy is trusted */
export function trustedProxies ({ api: { trustProxy } }: Config): string[] | false {
  const wrong = trustProxy.find(text => !isAddressOrNetwork(text))
  if (wrong !== undefined) throw new BadConfig(`api.trustProxy: '${wrong}' is neither an address nor a network such as 10.0.0.0/8`)
  return trustProxy.length > 0 && [...trustProxy]
}

function isAddressOrNetwork (text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** Node's own limit of request heads. Routes have stricter limits, with the service's error responses. */
const LONGEST_PATH = 16_384

/** A path that cannot be decoded would be rejected by fastify, before any rule on hosts, tokens and errors. */
export function readableUrl (url: string): string {
  if (!url.includes('%')) return url
  try {
    decodeURI(url.split('?', 1)[0] ?? '')
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

/** Browsers and programs keep a few connections open; a wall of cameras some more. */
const LIMITS: ConnectionLimits =
  { connections: 2048, connectionsPerAddress: 512, strangers: 512, strangersPerAddress: 128, strangerMs: 20_000 }

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)

/**
 * Closes connections that never send anything, and reserves places for others when one address opens many. Requests
 * have their own time limits. Programs on this machine have no limit per address: a local proxy may represent many
 * clients.
 */
export function limitConnections (server: Server): void {
  const limit = createConnectionLimit(LIMITS, { isExempt: isLoopback, isKnown: ({ bytesRead }) => bytesRead > 0 })
  server.on('connection', (socket: Socket) => { limit.add(socket) })
}

/** Time for connections to close gracefully. */
const GOODBYE_MS = 500

/**
 * Closes connections that would delay the shutdown: those upgraded from HTTP, or in the process, are not tracked by the
 * server, and an unresponsive peer would keep each of them open for half a minute.
 * @returns to be called when the server begins to close
 */
export function trackConnections (server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => { open.delete(socket) })
  })
  return () => { setTimeout(() => { for (const socket of open) socket.destroy() }, GOODBYE_MS).unref() }
}

type Child = Parameters<FastifyBaseLogger['child']>
type Line = Parameters<FastifyBaseLogger['info']>

/**
 * A child logger that is created on its first line. Every request gets one, most log nothing, and creating one takes
 * longer than many a response.
 */
class LazyLog {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Child[0]
  readonly #options: Child[1]
  #made: FastifyBaseLogger | undefined

  constructor (parent: FastifyBaseLogger, bindings: Child[0], options: Child[1]) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get #log (): FastifyBaseLogger { return (this.#made ??= this.#parent.child(this.#bindings, this.#options)) }

  get level () { return this.#log.level }
  set level (name) { this.#log.level = name }
  child (...settings: Child) { return this.#log.child(...settings) }

  trace (...line: Line) { this.#log.trace(...line) }
  debug (...line: Line) { this.#log.debug(...line) }
  info (...line: Line) { this.#log.info(...line) }
  warn (...line: Line) { this.#log.warn(...line) }
  error (...line: Line) { this.#log.error(...line) }
  fatal (...line: Line) { this.#log.fatal(...line) }
  silent (...line: Line) { this.#log.silent(...line) }
}

export const lazyChildLogger = (parent: FastifyBaseLogger, bindings: Child[0], options: Child[1]): FastifyBaseLogger =>
  new LazyLog(parent, bindings, options) as FastifyBaseLogger
