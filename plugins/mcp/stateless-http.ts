import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { connectionLimitReached } from '../http/index.js'
import { sendRaw } from './raw-reply.js'
import { refuseMore } from './refusals.js'
import type { CallerOf, ServerContext } from './types.js'

/** Source: revision 2026-07-28, "Versioning": what every request says of the revision it speaks. */
const VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion'
const FIRST_REVISION = '2026-07-28'
const REVISION = /^\d{4}-\d\d-\d\d$/

function namesRevision (message: unknown): boolean {
  const meta = (message as { params?: { _meta?: unknown } | null } | null | undefined)?.params?._meta
  return typeof meta === 'object' && meta !== null && VERSION_META_KEY in meta
}

/** Whether a request speaks revision 2026-07-28 or a later one. What else it says of itself the library checks. */
export function isStateless ({ method, headers, body }: FastifyRequest): boolean {
  const { 'mcp-protocol-version': named } = headers
  if (method !== 'POST') return false
  const isNamed = typeof named === 'string' && REVISION.test(named) && named >= FIRST_REVISION
  return isNamed || [body].flat().some(namesRevision)
}

const isListen = ({ body }: FastifyRequest) =>
  (body as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen'

/** The library of this revision is loaded at the first request that speaks it. */
async function loadProtocol (serverContext: ServerContext, callerOf: CallerOf) {
  const [{ createMcpHandler }, { toNodeHandler }, { createStatelessServers }, { createListener }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/node'),
    import('./stateless-server.js'),
    import('./listener.js')
  ])
  const createServer = createStatelessServers(serverContext, callerOf)
  return { createMcpHandler, toNodeHandler, createListener, createServer }
}

export interface StatelessOptions {
  readonly callerOf: CallerOf
  /** Of open streams. */
  readonly maxSessions: number
  readonly log: FastifyBaseLogger
}

/** Serves requests that stand for themselves: whatever a client is, wants or was asked comes along with each. */
export function serveStateless (serverContext: ServerContext, { callerOf, maxSessions, log }: StatelessOptions) {
  const open = new Map<McpHttpHandler, { readonly address: string, readonly listens: boolean }>()
  let protocol: ReturnType<typeof loadProtocol> | undefined
  const onerror = (error: Error) => { log.debug({ err: error }, 'request failed') }

  return {
    async serve (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      protocol ??= loadProtocol(serverContext, callerOf)
      const { createMcpHandler, toNodeHandler, createListener, createServer } = await protocol
      const listens = isListen(request)
      const streams = [...open.values()].filter(({ listens }) => listens)
      const limit = listens ? connectionLimitReached(request.ip, streams, maxSessions) : undefined
      if (limit) {
        const { status, body } = refuseMore(limit.of === 'address' ? 'address' : 'all', 'subscriptions')
        return reply.code(status).send(body)
      }
      const listener = listens ? createListener(serverContext) : undefined
      const handler = createMcpHandler(createServer, { legacy: 'reject', onerror, ...(listener && { bus: listener.bus }) })
      open.set(handler, { address: request.ip, listens })
      const body = listener?.narrowed(request.body) ?? request.body
      const answer = toNodeHandler(handler, { onerror })
      try {
        return await sendRaw(request, reply, serverContext, (raw, to) => answer(raw, to, body))
      } finally {
        open.delete(handler)
        listener?.close()
      }
    },
    endAll () { for (const handler of open.keys()) handler.close().catch(onerror) }
  }
}
