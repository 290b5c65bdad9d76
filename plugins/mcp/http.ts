import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rightsOf } from '../../core/index.js'
import { createEventStore } from './event-store.js'
import { errorText } from './error-text.js'
import { senderOf, sendRaw } from './raw-reply.js'
import { refuse, refuseMore, rpcError, type Refusal } from './refusals.js'
import { createSessionTable, MS_PER_MINUTE, type Session, type SessionLimits } from './session-table.js'
import { isStateless, serveStateless } from './stateless-http.js'
import { endStreamsOfCancelled, resumed, type Streams } from './streams.js'
import { INVALID_PARAMS } from './rpc-error.js'
import { narrowed, readToolsets, toolsetProblem } from './toolsets.js'
import type { ServerContext } from './types.js'

/** Path of the endpoint, without a prefix. */
export const MCP_PATH = '/mcp'

export interface HttpOptions extends SessionLimits {
  /** Store messages, so that a client can request them again after its connection broke. */
  readonly resume: boolean
}

/** Only the `owner` may use a session: its id is visible in logs, so it is not a secret. */
type HttpSession = Session & Streams & { readonly owner: string }

/** The caller's identity, if callers are authenticated. */
function ownerOf ({ identified }: FastifyRequest): string {
  const rights = rightsOf(identified)
  return rights === undefined ? identified as string | undefined ?? '' : `of ${rights.name}`
}

const SESSION_HEADER = 'mcp-session-id'
const SWEEP_EVERY_MS = 30_000
/** How long clients wait before they reconnect for the rest of a stream. */
const RETRY_MS = 300
/** The limit of the protocol's library. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

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

/** Serves the protocol over streamable HTTP: sessions with a server object each, and requests without a session. */
export function serveHttp (app: FastifyInstance, serverContext: ServerContext, options: HttpOptions,
  log: FastifyBaseLogger) {
  const { now } = serverContext.kernel
  const sessions = createSessionTable<HttpSession>(options, now,
    error => log.debug({ err: error }, 'ending a session failed'))
  const stateless = serveStateless(serverContext, options.maxSessions, log)
  let protocol: Promise<Protocol> | undefined

  async function open ({ StreamableHTTPServerTransport, createServer }: Protocol, request: FastifyRequest,
    toolsets: readonly string[]): Promise<HttpSession> {
    const { ip: address } = request
    const server = createServer(narrowed(serverContext, toolsets), senderOf)
    const events = options.resume ? createEventStore() : undefined
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => sessions.add(id, session),
      ...(events && { eventStore: events, retryInterval: RETRY_MS })
    })
    const use = { usedAt: now(), calls: 0, listeners: 0 }
    const owner = ownerOf(request)
    const session: HttpSession = {
      ...use, transport, events, address, owner, batches: false, close: () => transport.close()
    }
    transport.onclose = () => { if (transport.sessionId !== undefined) sessions.end(transport.sessionId) }
    await server.connect(transport as Parameters<typeof server.connect>[0])
    endStreamsOfCancelled(session)
    return session
  }

  /** Sessions do not survive a restart: a client that initializes again gets a new one, others get "not found". */
  async function sessionFor (request: FastifyRequest, library: Protocol): Promise<HttpSession | Refusal> {
    const id = request.headers[SESSION_HEADER] as string | undefined
    const known = id === undefined ? undefined : sessions.get(id)
    if (known?.owner === ownerOf(request)) return known
    const begins = request.method === 'POST' && [request.body].flat().some(message => library.isInitializeRequest(message))
    const busy = begins ? sessions.busy(request.ip) : undefined
    if (busy) return refuseMore(busy, 'sessions')
    if (begins) {
      const toolsets = readToolsets(request.query as Record<string, unknown>)
      const problem = toolsetProblem(toolsets, serverContext.kernel)
      return problem === undefined
        ? await open(library, request, toolsets)
        : refuse(400, INVALID_PARAMS, `toolsets: ${problem}`)
    }
    return id === undefined
      ? refuse(400, -32_000, 'Bad Request: a session id is required; begin with initialize')
      : refuse(404, -32_001, 'Session not found')
  }

  async function handle (request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (isStateless(request)) return await stateless.serve(request, reply)
    protocol ??= loadProtocol()
    const session = await sessionFor(request, await protocol)
    if ('status' in session) return reply.code(session.status).send(session.body)
    countAsUsed(session, request, reply)
    if (resumed(request, reply, session)) return reply
    if (Array.isArray(request.body) && request.body.length > 1) session.batches = true
    if (reply.hasHeader('access-control-allow-origin')) reply.header('access-control-expose-headers', SESSION_HEADER)
    return await sendRaw(request, reply, serverContext,
      (raw, to) => session.transport.handleRequest(raw, to, request.body))
  }

  function countAsUsed (session: HttpSession, { method }: FastifyRequest, { raw }: FastifyReply): void {
    const kind = method === 'GET' ? 'listeners' : 'calls'
    session.usedAt = now()
    session[kind]++
    raw.once('close', () => {
      session[kind]--
      session.usedAt = now()
    })
  }

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    schema: { hide: true },
    bodyLimit: BODY_LIMIT_BYTES,
    errorHandler: rpcErrorSender(serverContext.kernel.redact),
    handler: handle
  })
  const sweepMs = Math.min(SWEEP_EVERY_MS, options.idleMinutes * MS_PER_MINUTE / 2)
  const timer = setInterval(() => sessions.endIdle(), sweepMs).unref()
  app.addHook('preClose', async () => {
    clearInterval(timer)
    sessions.endAll()
    stateless.endAll()
  })
  return { get sessions () { return sessions.size } }
}

/** Errors before the protocol's handler runs are sent as JSON-RPC errors too. */
const rpcErrorSender = (redact: (text: string) => string) =>
  (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void => {
    const { statusCode: status = 500 } = error
    const code = status === 400 ? -32_700 : status < 500 ? -32_000 : -32_603
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    reply.code(status).send(rpcError(code, status < 500 ? redact(errorText(error)) : 'Internal error'))
  }
