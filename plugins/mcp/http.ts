import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyBaseLogger } from 'fastify'
import type { Offer } from './server.js'

/** Path of the endpoint, below no prefix. */
export const MCP_PATH = '/mcp'

export interface SessionLimits {
  /** Sessions that said nothing for this long are closed. */
  readonly idleMinutes: number
  /** With more, the one idle longest is closed. */
  readonly maxSessions: number
}

interface HttpTransport {
  handleRequest (request: FastifyRequest['raw'], response: FastifyReply['raw'], body?: unknown): Promise<void>
  close (): Promise<void>
}
type Refusal = { readonly status: number, readonly body: object }
interface Session { readonly transport: HttpTransport, readonly server: object, usedAt: number, open: number }

const SWEEP_EVERY_MS = 30_000
const MS_PER_MINUTE = 60_000

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null })

/** A hijacked reply does not send what hooks have set on it. */
function copyHeaders (reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
}

/** The protocol's library is large, and many a daemon never meets an agent: it is loaded at the first request. */
const loadProtocol = async () => {
  const [{ StreamableHTTPServerTransport }, { isInitializeRequest }, { createServer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('./server.js')
  ])
  return { StreamableHTTPServerTransport, isInitializeRequest, createServer }
}
type Protocol = Awaited<ReturnType<typeof loadProtocol>>

/** Serves the protocol over streamable HTTP, one server object a session. */
export function serveHttp (app: FastifyInstance, offer: Offer, limits: SessionLimits, log: FastifyBaseLogger) {
  const sessions = new Map<string, Session>()
  let protocol: Promise<Protocol> | undefined

  function drop (id: string): void {
    const session = sessions.get(id)
    if (!session) return
    sessions.delete(id)
    offer.resources.drop(session.server)
    session.transport.close().catch((error: Error) => log.debug({ err: error }, 'closing a session failed'))
  }

  function sweep (): void {
    const before = Date.now() - limits.idleMinutes * MS_PER_MINUTE
    for (const [id, { usedAt, open }] of sessions) if (usedAt < before && open === 0) drop(id)
  }

  function makeRoom (): void {
    if (sessions.size < limits.maxSessions) return
    const [oldest] = [...sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    if (oldest) drop(oldest[0])
  }

  async function open ({ StreamableHTTPServerTransport, createServer }: Protocol): Promise<Session> {
    makeRoom()
    const server = createServer(offer)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => { sessions.set(id, session) }
    })
    const session: Session = { transport, server, usedAt: Date.now(), open: 0 }
    transport.onclose = () => { if (transport.sessionId !== undefined) drop(transport.sessionId) }
    await server.connect(transport as Parameters<typeof server.connect>[0])
    return session
  }

  /** A restart forgets sessions: clients that begin anew with an old id get a new one, others are told. */
  async function sessionFor (request: FastifyRequest, library: Protocol): Promise<Session | Refusal> {
    const id = request.headers['mcp-session-id'] as string | undefined
    const known = id === undefined ? undefined : sessions.get(id)
    if (known) return known
    const begins = request.method === 'POST' && [request.body].flat().some(message => library.isInitializeRequest(message))
    if (begins) {
      delete request.raw.headers['mcp-session-id']
      return await open(library)
    }
    return id === undefined
      ? { status: 400, body: rpcError(-32_000, 'Bad Request: a session id is required; begin with initialize') }
      : { status: 404, body: rpcError(-32_001, 'Session not found') }
  }

  async function handle (request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    protocol ??= loadProtocol()
    const session = await sessionFor(request, await protocol)
    if ('status' in session) return reply.code(session.status).send(session.body)
    session.usedAt = Date.now()
    session.open++
    reply.raw.once('close', () => { session.open--; session.usedAt = Date.now() })
    reply.hijack()
    copyHeaders(reply)
    try {
      await session.transport.handleRequest(request.raw, reply.raw, request.body)
    } catch (error) {
      log.error({ err: error }, 'request failed')
      if (reply.raw.headersSent) reply.raw.destroy()
      else reply.raw.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(rpcError(-32_603, 'Internal error')))
    }
    return reply
  }

  app.route({ method: ['GET', 'POST', 'DELETE'], url: MCP_PATH, schema: { hide: true }, handler: handle })
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref()
  app.addHook('preClose', async () => {
    clearInterval(timer)
    for (const id of [...sessions.keys()]) drop(id)
  })
  return { get sessions () { return sessions.size }, sweep }
}
