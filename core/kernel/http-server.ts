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
  /** How long what plugins register themselves may take; their own setup is measured by registerPlugin. */
  readonly pluginTimeoutMs: number
}

/**
 * The server that plugins add their routes to.
 * @returns it in an object: whoever awaits a server itself makes it load its plugins
 */
export async function createHttpServer (options: HttpServerOptions): Promise<{ readonly app: FastifyInstance }> {
  const { trustProxy, log, pluginTimeoutMs } = options
  const { default: fastify, LogController } = await import('fastify') // commands that serve nothing import the core, too
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

/** @throws PRN_ERR_CONFIG for what is no address and no network; without any nobody is believed */
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

/** As long as Node lets the head of a request be. Routes judge their parts, and answer as the service answers. */
const LONGEST_PATH = 16_384

/** A path that cannot be decoded would be turned away before any of the rules on hosts, tokens and errors. */
export function readableUrl (url: string): string {
  if (!url.includes('%')) return url
  try {
    decodeURI(url.split('?', 1)[0] ?? '')
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

/** Browsers and programs keep a few connections; a wall of cameras some more. */
const LIMITS: ConnectionLimits =
  { connections: 2048, connectionsPerAddress: 512, strangers: 512, strangersPerAddress: 128, strangerMs: 20_000 }

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)

/**
 * Ends connections that say nothing, and keeps places for others when one address opens many. Requests have time limits
 * of their own. A program of this machine has no share: a proxy on it may stand for many.
 */
export function limitConnections (server: Server): void {
  const limit = createConnectionLimit(LIMITS, { isExempt: isLoopback, isKnown: ({ bytesRead }) => bytesRead > 0 })
  server.on('connection', (socket: Socket) => { limit.add(socket) })
}

/** How long a connection may take to say goodbye. */
const GOODBYE_MS = 500

/**
 * Ends connections that outlive the wish to close: those that became something else than HTTP, or wanted to, are not
 * among the server's own, and a peer that takes nothing would hold each of them for half a minute.
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
 * A child logger that is made at its first line. Every request is given one, most write nothing, and making one
 * takes longer than many an answer.
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
