import websocket, { type WebSocket } from '@fastify/websocket'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BadInput, definePlugin, type Kernel } from '../../core/index.js'
import { createHub, type Hub } from './hub.js'
import { deliverTo } from './outlet.js'
import { connection, state, type LiveTopic } from './topics.js'

export { defineLiveTopic } from './topics.js'
export type { LiveTopic, Send } from './topics.js'

declare module 'prn' {
  interface Contributions { liveTopics: LiveTopic }
}

const PATH = '/api/live'
/** Proxies and clients take a silent connection for dead. */
const HEARTBEAT_MS = 15_000
const BAD_REQUEST = 1008
const COME_BACK_LATER = 1013
const TELLS_EVERYTHING = new Set(['connection', 'alerts'])

interface Wanted {
  readonly topics: ReadonlySet<string>
  readonly printer: string | undefined
  readonly after: number | undefined
}

/** `?printer=…&topics=alerts,state`, and where the client was when it lost the connection. */
function wanted (request: FastifyRequest, hub: Hub, kernel: Kernel): Wanted {
  const { topics: list, printer, last_event_id: queryId } = request.query as Record<string, string | undefined>
  const names = hub.topics.map(({ name }) => name)
  const topics = list === undefined ? names.filter(name => TELLS_EVERYTHING.has(name)) : list.split(',').map(name => name.trim())
  const unknown = topics.find(name => !names.includes(name))
  if (unknown !== undefined) throw new BadInput(`topics must be of ${names.join(', ')}, got '${unknown}'`)
  if (printer !== undefined && !kernel.printers.names.includes(printer)) throw new BadInput(`There is no printer '${printer}'`)
  const id = Number(request.headers['last-event-id'] ?? queryId)
  return { topics: new Set(topics), printer, after: Number.isInteger(id) ? id : undefined }
}

/** Server-Sent Events, for programs that want no library. */
function streamEvents (request: FastifyRequest, reply: FastifyReply, hub: Hub, kernel: Kernel): FastifyReply {
  const { after, ...filter } = wanted(request, hub, kernel)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  raw.write('retry: 2000\n\n')
  const deliver = deliverTo({
    backlog: () => raw.writableLength,
    write: ({ id, topic, text }) => { raw.write(`${id > 0 ? `id: ${id}\n` : ''}event: ${topic}\ndata: ${text}\n\n`) },
    giveUp: () => { raw.destroy() }
  })
  const off = hub.listen({ ...filter, deliver }, after)
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS)
  raw.once('close', () => { off(); clearInterval(heartbeat) })
  return reply
}

/** The same over a WebSocket. What a client sends is not listened to. */
function streamSocket (socket: WebSocket, request: FastifyRequest, hub: Hub, kernel: Kernel): void {
  socket.on('error', () => {}) // followed by close
  let choice: Wanted
  try {
    choice = wanted(request, hub, kernel)
  } catch (error) {
    return socket.close(BAD_REQUEST, (error as Error).message.slice(0, 120))
  }
  const { after, ...filter } = choice
  const deliver = deliverTo({
    backlog: () => socket.bufferedAmount,
    write: ({ text }) => socket.send(text),
    giveUp: () => socket.close(COME_BACK_LATER, 'too slow')
  })
  const off = hub.listen({ ...filter, deliver }, after)
  const heartbeat = setInterval(() => socket.ping(), HEARTBEAT_MS)
  socket.once('close', () => { off(); clearInterval(heartbeat) })
}

/** Pushes alerts, connections and states to programs that do not poll. */
export default definePlugin({
  name: 'live',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'News as they happen: WebSocket and Server-Sent Events at /api/live',
  needs: ['state'],
  uses: ['network'],
  contributes: { liveTopics: [connection, state] },
  async setup ({ app, kernel, contributed, onReady, onClose }) {
    const hub = createHub(kernel, contributed('liveTopics'))
    onReady(hub.open)
    onClose(hub.close)
    await app.register(websocket, { options: { maxPayload: 1024 } })
    app.route({
      method: 'GET',
      url: PATH,
      schema: { hide: true },
      handler: (request, reply) => streamEvents(request, reply, hub, kernel),
      wsHandler: (socket, request) => streamSocket(socket, request, hub, kernel)
    })
  }
})
