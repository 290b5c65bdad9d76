import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { onceUnlessFailed, rightsOf } from '../../core/index.js'
import { createEventStore } from './event-store.js'
import { senderOf } from './raw-reply.js'
import { refuse, refuseMore, type Refusal } from './refusals.js'
import { INVALID_PARAMS } from './rpc-error.js'
import { readSelection, selected, selectionProblem, type Selection } from './selection.js'
import { createSessionTable, type Session, type SessionLimits } from './session-table.js'
import { endStreamsOfCancelled, type Streams } from './streams.js'
import type { ServerContext } from './types.js'

export interface HttpOptions extends SessionLimits {
  /** Store messages, so that a client can request them again after its connection broke. */
  readonly resume: boolean
}

/** Only the `owner` may use a session: its id is visible in logs, so it is not a secret. */
type HttpSession = Session & Streams & { readonly owner: string }

/**
 * The caller's identity, if callers are authenticated, with the printers: what a session announces was judged by them,
 * so that a caller with others begins a new one.
 */
function ownerOf ({ identified }: FastifyRequest): string {
  const rights = rightsOf(identified)
  if (rights === undefined) return identified as string | undefined ?? ''
  return `of ${rights.name} ${rights.printers === undefined ? '*' : [...rights.printers].sort().join('/')}`
}

export const SESSION_HEADER = 'mcp-session-id'
/** How long clients wait before they reconnect for the rest of a stream. */
const RETRY_MS = 300

/** The protocol's library is large and many daemons never serve an agent: it is loaded with the first request. */
const loadProtocol = async () => {
  const [{ StreamableHTTPServerTransport }, { isInitializeRequest }, { createServer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('./server.js')
  ])
  return { StreamableHTTPServerTransport, isInitializeRequest, createServer }
}
type Protocol = Awaited<ReturnType<typeof loadProtocol>>

/** The sessions of clients over HTTP, with a server object each. */
export class HttpSessions {
  readonly #context: ServerContext
  readonly #options: HttpOptions
  readonly #table: ReturnType<typeof createSessionTable<HttpSession>>
  readonly #protocol = onceUnlessFailed<Protocol>(loadProtocol)

  constructor (context: ServerContext, options: HttpOptions, log: FastifyBaseLogger) {
    this.#context = context
    this.#options = options
    this.#table = createSessionTable<HttpSession>(options, context.kernel.now,
      error => log.debug({ err: error }, 'ending a session failed'))
  }

  get size (): number { return this.#table.size }

  /** Sessions do not survive a restart: a client that initializes again gets a new one, others get "not found". */
  async find (request: FastifyRequest): Promise<HttpSession | Refusal> {
    const protocol = await this.#protocol()
    const id = request.headers[SESSION_HEADER] as string | undefined
    const known = id === undefined ? undefined : this.#table.get(id)
    if (known?.owner === ownerOf(request)) return known
    const isFirst = request.method === 'POST' &&
      [request.body].flat().some(message => protocol.isInitializeRequest(message))
    if (isFirst) return await this.#begin(protocol, request)
    return id === undefined
      ? refuse(400, -32_000, 'Bad Request: a session id is required; begin with initialize')
      : refuse(404, -32_001, 'Session not found')
  }

  /** Counts a request until it is answered, so that its session does not end as idle. */
  use (session: HttpSession, { method }: FastifyRequest, { raw }: FastifyReply): void {
    const { now } = this.#context.kernel
    const kind = method === 'GET' ? 'listeners' : 'calls'
    session.usedAt = now()
    session[kind]++
    raw.once('close', () => {
      session[kind]--
      session.usedAt = now()
    })
  }

  endIdle (): void { this.#table.endIdle() }

  endAll (): void { this.#table.endAll() }

  async #begin (protocol: Protocol, request: FastifyRequest): Promise<HttpSession | Refusal> {
    const busy = this.#table.busy(request.ip)
    if (busy) return refuseMore(busy, 'sessions')
    const selection = readSelection(request.query as Record<string, unknown>)
    const problem = selectionProblem(selection, this.#context.kernel)
    return problem === undefined
      ? await this.#open(protocol, request, selection)
      : refuse(400, INVALID_PARAMS, problem)
  }

  async #open ({ StreamableHTTPServerTransport, createServer }: Protocol, request: FastifyRequest,
    selection: Selection): Promise<HttpSession> {
    const { ip: address } = request
    const server = createServer(selected(this.#context, selection), senderOf)
    const events = this.#options.resume ? createEventStore() : undefined
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => this.#table.add(id, session),
      ...(events && { eventStore: events, retryInterval: RETRY_MS })
    })
    const use = { usedAt: this.#context.kernel.now(), calls: 0, listeners: 0 }
    const owner = ownerOf(request)
    const session: HttpSession = {
      ...use, transport, events, address, owner, batches: false, close: () => transport.close()
    }
    transport.onclose = () => { if (transport.sessionId !== undefined) this.#table.end(transport.sessionId) }
    await server.connect(transport as Parameters<typeof server.connect>[0])
    endStreamsOfCancelled(session)
    return session
  }
}
