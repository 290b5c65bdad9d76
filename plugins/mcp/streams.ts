import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CANCELLED_CODE, type SessionEvents } from './event-store.js'

/** The streams of one session. */
export interface Streams {
  readonly transport: StreamableHTTPServerTransport
  readonly events: SessionEvents | undefined
  /** The client sends batches, whose answers share a stream. */
  batches: boolean
}

/** An answer ends the stream of its request; a cancelled request gets none, so its stream is ended here. */
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
      .catch(() => {}) // already answered, or events are not stored
  }
}

/**
 * Answers a client that resumes a completed stream: with the messages it missed, or with 204, after which it stops
 * reconnecting. The library would leave such a stream open.
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
