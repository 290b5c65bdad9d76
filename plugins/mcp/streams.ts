import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CANCELLED_CODE, type SessionEvents } from './event-store.js'

/** The streams of one session. */
export interface Streams {
  readonly transport: StreamableHTTPServerTransport
  readonly events: SessionEvents | undefined
  /** Several requests came in one body: their answers share a stream. */
  batches: boolean
}

/** A cancelled request gets no answer, which would have ended its stream: it is ended here. */
export function endStreamsOfCancelled (session: Streams): void {
  const { transport } = session
  const { onmessage } = transport
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    onmessage?.(message, extra)
    if (session.batches || !('method' in message) || message.method !== 'notifications/cancelled') return
    const id = message.params?.requestId
    if (typeof id !== 'string' && typeof id !== 'number') return
    transport.closeSSEStream(id)
    transport.send({ jsonrpc: '2.0', id, error: { code: CANCELLED_CODE, message: 'cancelled' } })
      .catch(() => {}) // it was answered already, or nothing is kept
  }
}

/**
 * Answers a client that comes back to a stream on which all was said: with what it missed, or with nothing, at
 * which it stops asking. The library would leave such a stream open.
 */
export function resumed ({ method, headers }: FastifyRequest, reply: FastifyReply, { events }: Streams): boolean {
  const id = headers['last-event-id']
  if (method !== 'GET' || typeof id !== 'string' || !events) return false
  if (events.isOver(id)) {
    reply.code(204).send()
    return true
  }
  const rest = events.rest(id)
  if (!rest) return false
  reply.type('text/event-stream').header('cache-control', 'no-cache, no-transform')
    .send(rest.map(({ id, message }) => `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`).join(''))
  return true
}
