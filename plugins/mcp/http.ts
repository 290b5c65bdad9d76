import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kernel } from '../../core/index.js'
import { challengeOf } from '../http/index.js'
import { errorText } from './error-text.js'
import { HttpSessions, SESSION_HEADER, type HttpOptions } from './http-sessions.js'
import { sendRaw } from './raw-reply.js'
import { rpcError } from './refusals.js'
import { MS_PER_MINUTE } from './session-table.js'
import { isStateless, serveStateless } from './stateless-http.js'
import { resumed } from './streams.js'
import type { ServerContext } from './types.js'

/** Path of the endpoint, without a prefix. */
export const MCP_PATH = '/mcp'

const SWEEP_EVERY_MS = 30_000
/** The limit of the protocol's library. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/** Serves the protocol over streamable HTTP: sessions with a server object each, and requests without a session. */
export function serveHttp (app: FastifyInstance, serverContext: ServerContext, options: HttpOptions,
  log: FastifyBaseLogger) {
  const sessions = new HttpSessions(serverContext, options, log)
  const stateless = serveStateless(serverContext, options.maxSessions, log)

  async function handle (request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (isStateless(request)) return await stateless.serve(request, reply)
    const session = await sessions.find(request)
    if ('status' in session) return reply.code(session.status).send(session.body)
    sessions.use(session, request, reply)
    if (resumed(request, reply, session)) return reply
    if (Array.isArray(request.body) && request.body.length > 1) session.batches = true
    if (reply.hasHeader('access-control-allow-origin')) reply.header('access-control-expose-headers', SESSION_HEADER)
    return await sendRaw(request, reply, serverContext,
      (raw, to) => session.transport.handleRequest(raw, to, request.body))
  }

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    schema: { hide: true },
    bodyLimit: BODY_LIMIT_BYTES,
    errorHandler: rpcErrorSender(serverContext.kernel),
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
const rpcErrorSender = ({ redact, services: { http } }: Kernel) =>
  (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void => {
    const { statusCode: status = 500 } = error
    const code = status === 400 ? -32_700 : status < 500 ? -32_000 : -32_603
    if (status === 401) reply.header('www-authenticate', challengeOf(http.access, request))
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    reply.code(status).send(rpcError(code, status < 500 ? redact(errorText(error)) : 'Internal error'))
  }
