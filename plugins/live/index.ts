import { Type } from 'typebox'
import { API_PREFIX, definePlugin, type Kernel, type LiveTopic, type Services } from '../../core/index.js'
import { TooManyFromAddress } from '../http/index.js'
import { streamSocket } from './socket.js'
import { sessionTopic, stateTopic } from './topics.js'
import { BadTopic, TooManyListeners } from './errors.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Hub } from './hub.js'
import type { Message } from './message.js'
import { withBackpressure } from './backpressure.js'
import { parseSubscription } from './parse-subscription.js'

/** Proxies and clients close silent connections. */
const HEARTBEAT_MS = 15_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no' // some proxies would buffer the stream
}

const frameOf = ({ id, topic, text }: Message) => `${id === '' ? '' : `id: ${id}\n`}event: ${topic}\ndata: ${text}\n\n`

/** Server-Sent Events, for clients without a WebSocket library. */
function streamEvents (request: FastifyRequest, reply: FastifyReply, hub: Hub, kernel: Kernel): FastifyReply {
  const { since, wantsHeartbeat: _, ...filter } = parseSubscription(request, hub, kernel)
  hub.checkRoom(request.ip)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { ...reply.getHeaders() as Record<string, string>, ...HEADERS })
  raw.on('error', () => {}) // a write after the client disconnected; followed by close
  raw.write('retry: 2000\n\n')
  const deliver = withBackpressure({
    backlog: () => raw.writableLength,
    write: (message, taken) => { raw.write(frameOf(message), taken) },
    giveUp: () => { raw.destroy() }
  })
  const off = hub.listen({ ...filter, address: request.ip, deliver, end: () => { raw.end() } }, since)
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS).unref()
  raw.once('close', () => { off(); clearInterval(heartbeat) })
  return reply
}

const NAME = 'live'

/** Used in URLs and in the event stream. */
const TOPIC_NAME = /^[a-z][a-z0-9-]{0,39}$/

function problemOf (topic: LiveTopic): string | undefined {
  const { name, watch, every, current } = topic
  if (typeof name !== 'string' || !TOPIC_NAME.test(name)) {
    return 'the name must be lower-case letters, digits and hyphens, 40 at most'
  }
  if (typeof watch !== 'function') return 'watch must be a function'
  if ('isSame' in topic && typeof topic.isSame !== 'function') return 'isSame must be a function'
  return every === true || typeof current === 'function' ? undefined : 'it needs every or current'
}

/** @throws PRN_ERR_LIVE_TOPIC naming the topic and its plugin */
function checkTopics (topics: readonly LiveTopic[], originOf: (topic: LiveTopic) => string): void {
  const seen = new Map<string, LiveTopic>()
  for (const topic of topics) {
    const first = seen.get(topic.name)
    const problem = first ? `plugin '${originOf(first)}' has one of the same name` : problemOf(topic)
    const plugin = originOf(topic)
    if (problem !== undefined) throw new BadTopic(String(topic.name), plugin, problem).with({ plugins: [plugin] })
    seen.set(topic.name, topic)
  }
}

const summaryOf = ({ name, description }: LiveTopic) => `\`${name}\`: ${description}`

/** The API description of the stream. */
const streamSchema = (topics: readonly LiveTopic[], failures: Services['http']['failures']) => ({
  operationId: 'getLive',
  summary: 'News of the printers as they happen',
  description: 'Server-Sent Events; the same messages come over a WebSocket to callers that ask for an upgrade. Each is ' +
    `JSON: \`{ id, topic, printer, at, data }\`. Topics: ${topics.map(summaryOf).join('; ')}.`,
  tags: ['System'],
  querystring: Type.Object({
    printer: Type.Optional(Type.String({
      description: 'Only messages about this printer. Default: all printers, not the default printer'
    })),
    topics: Type.Optional(Type.String({ description: 'Comma-separated names. Default: all' })),
    last_event_id: Type.Optional(Type.String({
      description: 'Id of the last message received, for callers that cannot send the header Last-Event-ID'
    })),
    heartbeat: Type.Optional(Type.Boolean({
      description: 'true: `{ "topic": "heartbeat" }` every 15 s, for WebSockets of pages, which see no pings'
    }))
  }),
  response: {
    ...failures({ method: 'GET', errors: [TooManyFromAddress, TooManyListeners] }, `${API_PREFIX}/live`),
    200: { description: 'The stream', content: { 'text/event-stream': { schema: Type.String() } } }
  }
})

/** Pushes alerts, sessions and states to programs that do not poll. */
export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'News as they happen: WebSocket and Server-Sent Events at /api/live',
  needs: ['http', 'state'],
  uses: ['network'],
  contributes: { liveTopics: [sessionTopic, stateTopic] },
  async setup ({ app, kernel, services, contributed, onReady, onClose }) {
    const topics = contributed('liveTopics')
    checkTopics(topics, topic => kernel.originOf(topic) ?? NAME)
    const hub = new Hub(kernel, topics)
    onReady(() => hub.open())
    onClose(() => hub.close())
    app.route({
      method: 'GET',
      url: `${API_PREFIX}/live`,
      exposeHeadRoute: false,
      config: { openapi: streamSchema(topics, services.http.failures) },
      handler: (request, reply) => streamEvents(request, reply, hub, kernel),
      wsHandler: (socket, request) => streamSocket(socket, request, hub, kernel)
    })
  }
})
