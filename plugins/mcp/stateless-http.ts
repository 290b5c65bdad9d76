import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { onceUnlessFailed } from '../../core/index.js'
import { connectionLimitReached } from '../http/index.js'
import { isListen, loadExchanges, type Exchange } from './exchanges.js'
import { senderOf, sendRaw } from './raw-reply.js'
import { refuse, refuseMore } from './refusals.js'
import { namesRevision, REVISION_HEADER } from './revision.js'
import { INVALID_PARAMS } from './rpc-error.js'
import { readSelection, selectionProblem } from './selection.js'
import type { ServerContext } from './types.js'

const FIRST_REVISION = '2026-07-28'
const REVISION = /^\d{4}-\d\d-\d\d$/

/** Whether a request uses revision 2026-07-28 or later. The library validates the rest. */
export function isStateless ({ method, headers, body }: FastifyRequest): boolean {
  const named = headers[REVISION_HEADER]
  if (method !== 'POST') return false
  const isNamed = typeof named === 'string' && REVISION.test(named) && named >= FIRST_REVISION
  return isNamed || [body].flat().some(namesRevision)
}

/** Loaded with the first request of this revision. */
async function loadProtocol (serverContext: ServerContext, onerror: (error: Error) => void) {
  const [{ toNodeHandler }, begin] = await Promise.all([
    import('@modelcontextprotocol/node'),
    loadExchanges(serverContext, onerror, senderOf)
  ])
  return { toNodeHandler, begin }
}

/**
 * Serves stateless requests: each carries the client's identity, preferences and previous answers.
 * @param maxStreams limit of listening clients
 */
export function serveStateless (serverContext: ServerContext, maxStreams: number, log: FastifyBaseLogger) {
  const open = new Map<Exchange, string>()
  const onerror = (error: Error) => { log.debug({ err: error }, 'request failed') }
  const protocol = onceUnlessFailed(() => loadProtocol(serverContext, onerror))

  function limitReachedFor (address: string) {
    const streams = [...open].filter(([{ isListening }]) => isListening).map(([, address]) => ({ address }))
    return connectionLimitReached(address, streams, maxStreams)
  }

  return {
    async serve (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { toNodeHandler, begin } = await protocol()
      const limit = isListen(request.body) ? limitReachedFor(request.ip) : undefined
      if (limit) {
        const { status, body } = refuseMore(limit.of === 'address' ? 'address' : 'all', 'subscriptions')
        return reply.code(status).send(body)
      }
      const selection = readSelection(request.query as Record<string, unknown>)
      const problem = selectionProblem(selection, serverContext.kernel)
      if (problem !== undefined) {
        const { status, body } = refuse(400, INVALID_PARAMS, problem)
        return reply.code(status).send(body)
      }
      const exchange = begin(request.body, selection, serverContext.kernel.services.http.callerOf(request))
      const answer = toNodeHandler(exchange.handler, { onerror })
      open.set(exchange, request.ip)
      try {
        return await sendRaw(request, reply, serverContext, (raw, to) => answer(raw, to, exchange.message))
      } finally {
        open.delete(exchange)
        exchange.end()
      }
    },
    endAll () { for (const { handler } of open.keys()) handler.close().catch(onerror) }
  }
}
