import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { definePlugin, type Kernel } from '../../core/index.js'
import { API_PREFIX } from '../http/index.js'
import { createFeed, waitingFor } from './feed.js'
import { addedBy, keepApart } from './share.js'
import type { SocketTopic } from './topics.js'

export { defineSocketTopic } from './topics.js'
export type { SocketTopic } from './topics.js'

declare module 'prn' {
  interface Contributions { socketTopics: SocketTopic }
  interface Services {
    /** How many messages wait in this process for each client, its pings among them. */
    socketio: { waiting (): readonly number[] }
  }
}

const PATH = '/socket.io/'
/** What clients send is not listened to. */
const MOST_RECEIVED_BYTES = 4_096
/** So much news of one topic may come in a minute. */
const MOST_NEWS = 6_000
/** Each may hold one update. */
const MOST_CLIENTS = 256
/** How long a client has to take its goodbye; its library would wait half a minute for one that takes nothing. */
const GOODBYE_MS = 300
/** Answers nobody but us: whether a request would be let in. */
const ADMISSION = `${API_PREFIX}/socket_admission`

/** The rules on hosts and tokens hold here too; which site a page is from does not matter, as nothing can be done. */
async function admits (app: FastifyInstance, { headers: { host, authorization, cookie }, socket }: IncomingMessage):
Promise<boolean> {
  const given = Object.entries({ host, authorization, cookie }).filter(([, value]) => value !== undefined)
  const headers = Object.fromEntries(given) as Record<string, string>
  const from = socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }
  const { statusCode } = await app.inject({ url: ADMISSION, headers, ...from })
  return statusCode === 204
}

/** What a topic gives is sent as the API sends it: with every secret masked. */
function payloadOf ({ current }: SocketTopic, kernel: Kernel): object {
  const text = JSON.stringify(current(kernel))
  return JSON.parse(kernel.redact(text)) as object
}

/** A topic and its clients; what is wrong with it leaves the others alone. */
function bring (io: Server, topic: SocketTopic, kernel: Kernel) {
  const { isolation } = kernel
  const plugin = kernel.originOf(topic)
  const part = isolation.part(plugin, 'socket topic', topic.event, { most: MOST_NEWS })
  const feed = createFeed(io, topic.event, () => isolation.attempt(plugin, part, () => payloadOf(topic, kernel)))
  const touch = () => { if (part.allow()) feed.touch() }
  return { feed, watch: () => isolation.attempt(plugin, part, () => topic.watch(kernel, touch)) ?? (() => {}) }
}

function serve (app: FastifyInstance): { io: Server, separate: () => void } {
  const io = new Server({
    cors: { origin: '*' },
    destroyUpgrade: false,
    httpCompression: false,
    maxHttpBufferSize: MOST_RECEIVED_BYTES,
    allowRequest (request, decide) {
      if (io.engine.clientsCount >= MOST_CLIENTS) return decide('too many clients', false)
      admits(app, request).then(allowed => decide(allowed ? null : 'not allowed', allowed),
        () => decide('not allowed', false))
    }
  })
  const ours = addedBy(app.server, () => io.attach(app.server))
  return { io, separate: () => keepApart(app.server, ours, url => url.startsWith(PATH)) }
}

/** Says goodbye to all; a client between two polls is told only when it asks again. */
function dismiss (io: Server): void {
  const transports = [...io.sockets.sockets.values()].map(({ conn }) => conn.transport)
  for (const transport of transports) Object.assign(transport, { closeTimeout: GOODBYE_MS }) // not in its types
  io.disconnectSockets(true)
  io.engine.close()
}

/** Pushes events to Socket.IO clients; nothing that they send is acted on. */
export default definePlugin({
  name: 'socketio',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Events over Socket.IO at /socket.io',
  needs: ['http'],
  provides: ['socketio'],
  uses: ['network'],
  setup ({ app, kernel, log, contributed, provide, onReady, onClose }) {
    app.get(ADMISSION, { schema: { hide: true } }, async (_request, reply) => reply.code(204).send())
    const { io, separate } = serve(app)
    provide('socketio', { waiting: () => [...io.sockets.sockets.values()].map(waitingFor) })
    const feeds = contributed('socketTopics').map(topic => bring(io, topic, kernel))
    io.on('connection', (socket: Socket) => {
      socket.on('error', error => log.debug({ err: error }, 'socket'))
      for (const { feed } of feeds) feed.follow(socket)
    })
    let undo: (() => void)[] = []
    onReady(() => {
      separate()
      undo = feeds.map(({ watch }) => watch())
    })
    app.addHook('preClose', done => {
      for (const { feed } of feeds) feed.close()
      dismiss(io)
      done()
    })
    onClose(() => { for (const off of undo) off() })
  }
})
