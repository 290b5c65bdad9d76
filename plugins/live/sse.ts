import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kernel } from '../../core/index.js'
import type { Hub } from './hub.js'
import type { Message } from './message.js'
import { deliverTo } from './backpressure.js'
import { wanted } from './parse-subscription.js'

/** Proxies and clients close silent connections. */
const HEARTBEAT_MS = 15_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no' // some proxies would buffer the stream
}

const frameOf = ({ id, topic, text }: Message) => `${id === '' ? '' : `id: ${id}\n`}event: ${topic}\ndata: ${text}\n\n`

/** Server-Sent Events, for clients without a WebSocket library. */
export function streamEvents (request: FastifyRequest, reply: FastifyReply, hub: Hub, kernel: Kernel): FastifyReply {
  const { since, ...filter } = wanted(request, hub, kernel)
  hub.checkRoom(request.ip)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { ...reply.getHeaders() as Record<string, string>, ...HEADERS })
  raw.on('error', () => {}) // a write after the client has gone; followed by close
  raw.write('retry: 2000\n\n')
  const deliver = deliverTo({
    backlog: () => raw.writableLength,
    write: (message, taken) => { raw.write(frameOf(message), taken) },
    giveUp: () => { raw.destroy() }
  })
  const off = hub.listen({ ...filter, address: request.ip, deliver, end: () => { raw.end() } }, since)
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS).unref()
  raw.once('close', () => { off(); clearInterval(heartbeat) })
  return reply
}
