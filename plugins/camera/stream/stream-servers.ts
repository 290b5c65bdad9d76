import type { FastifyBaseLogger } from 'fastify'
import type { PrinterSession } from '../../../core/index.js'
import type { StreamServer } from '../types.js'
import { CameraError } from '../upstream/camera-error.js'
import { openStreamServer } from './server.js'
import type { Stream } from './stream.js'

export interface StreamServersOptions {
  readonly streamOf: (session: PrinterSession) => Stream
  readonly log: FastifyBaseLogger
  /** Of the service; aborts the wait for a first picture. */
  readonly signal: AbortSignal
  /** For tests. */
  readonly open?: typeof openStreamServer
}

interface Starting { readonly session: PrinterSession, readonly server: Promise<StreamServer> }

/** The running stream servers, at most one for each printer. */
export class StreamServers {
  readonly #options: StreamServersOptions
  /** Includes servers that are starting, so that a second start joins the first. */
  readonly #starting = new Map<string, Starting>()
  /** Those whose port is being opened. */
  readonly #opening = new Map<string, Promise<StreamServer>>()
  readonly #running = new Map<string, StreamServer>()

  constructor (options: StreamServersOptions) {
    this.#options = options
  }

  /** Running servers by printer. */
  get running (): ReadonlyMap<string, StreamServer> { return this.#running }

  /** The running server, or a new one. @param port preferred port */
  async start (session: PrinterSession, port?: number): Promise<StreamServer> {
    const { name } = session
    const known = this.#starting.get(name)
    if (known?.session === session) {
      const server = await known.server
      server.touch()
      return server
    }
    if (known !== undefined) await this.stop(name) // of a session that has ended
    const server = this.#open(session, port)
    const starting = { session, server }
    this.#starting.set(name, starting)
    server.catch(() => { if (this.#starting.get(name) === starting) this.#starting.delete(name) })
    return await server
  }

  /** @returns false when none was running, or starting */
  async stop (printer: string): Promise<boolean> {
    const server = this.#running.get(printer) ?? await this.#opening.get(printer)?.catch(() => undefined)
    await server?.close()
    return server !== undefined
  }

  async #open (session: PrinterSession, port: number | undefined): Promise<StreamServer> {
    const { streamOf, log, open = openStreamServer } = this.#options
    const { name } = session
    const stream = streamOf(session)
    const opening = open({
      stream,
      port,
      log: log.child({ printer: name }),
      onClosed: () => {
        this.#running.delete(name)
        this.#starting.delete(name)
      }
    }).then(server => {
      this.#running.set(name, server)
      return server
    })
    this.#opening.set(name, opening)
    const server = await opening.finally(() => this.#opening.delete(name))
    await this.#awaitFirst(server, stream)
    return server
  }

  /** A late first picture is no failure; a problem that waiting does not solve stops the server. */
  async #awaitFirst (server: StreamServer, { source, timeouts }: Stream): Promise<void> {
    try {
      const withinMs = timeouts.firstFrame[source.protocol]
      await source.ready({ withinMs, signal: this.#options.signal, lingerMs: timeouts.autoStop })
    } catch (error) {
      const { cause } = error as { cause?: unknown }
      if (cause instanceof CameraError && !cause.lasting) return
      await server.close()
      throw error
    }
  }
}
