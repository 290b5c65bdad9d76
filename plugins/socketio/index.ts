import type { FastifyInstance } from 'fastify'
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server, type Socket } from 'socket.io'
import { defineError, definePlugin, type Dispose, type Kernel } from '../../core/index.js'
import { checkRoom } from '../http/index.js'
import { createGate } from './gate.js'
import { createFeed, waitingFor } from './feed.js'

declare module 'prnd' {
  interface Contributions { socketTopics: SocketTopic }
  interface Services {
    /** Number of messages that wait in this process for each client, including pings. */
    socketio: { waiting (): readonly number[] }
  }
}

const TooManyClients = defineError('PRN_ERR_TOO_MANY_CLIENTS', 'Too many clients are connected already; try again later', 503)

/** A Socket.IO connection, which may change its transport. */
interface Client {
  readonly request: IncomingMessage
  close (discard: boolean): void
}

const PATH = '/socket.io/'
/** Messages of clients are ignored. */
const MOST_RECEIVED_BYTES = 4_096
/** Each client may have one update in memory. */
const MOST_CLIENTS = 256
/** Time for a client to receive the close at shutdown; the library would wait 30 s for one that does not read. */
const GOODBYE_MS = 300
/** The payload of a topic with every secret masked, as in the API. */
function payloadOf ({ current }: SocketTopic, kernel: Kernel): object {
  const text = JSON.stringify(current(kernel))
  return JSON.parse(kernel.redact(text)) as object
}

/** Connects a topic to its feed; errors in the topic do not affect other topics. */
function createTopicFeed (io: Server, topic: SocketTopic, kernel: Kernel) {
  const guard = kernel.pluginFaults.guard(kernel.originOf(topic), 'socket topic', topic.event)
  const feed = createFeed(io, topic.event, () => guard.run(() => payloadOf(topic, kernel)))
  return { feed, watch: () => guard.run(() => topic.watch(kernel, feed.touch)) ?? (() => {}) }
}

interface Served {
  readonly io: Server
  readonly separate: () => void
  /** Disconnects clients whose credentials are no longer valid: a connection may last for weeks. */
  readonly review: () => Promise<void>
}

function serve (app: FastifyInstance, { corsOrigins }: Kernel['config']['api']): Served {
  const clients = new Set<Client>()
  const { gate, addressOf, isStillAdmitted } = createGate(app, address => {
    const present = [...clients].map(({ request }) => ({ address: addressOf(request) }))
    checkRoom(address, present, MOST_CLIENTS, () => new TooManyClients())
  })
  const io = new Server({
    ...(corsOrigins.length > 0 && { cors: { origin: [...corsOrigins] } }),
    destroyUpgrade: false,
    httpCompression: false,
    maxHttpBufferSize: MOST_RECEIVED_BYTES
  })
  const ours = addedBy(app.server, () => io.attach(app.server))
  io.engine.use(gate)
  io.engine.on('connection', client => {
    clients.add(client)
    client.once('close', () => { clients.delete(client) })
  })
  async function review (): Promise<void> {
    for (const client of clients) {
      if (await isStillAdmitted(client.request)) continue
      for (const socket of io.sockets.sockets.values()) if (socket.conn as unknown === client) socket.disconnect(true)
      client.close(true)
    }
  }
  return { io, review, separate: () => keepApart(app.server, ours, url => url.startsWith(PATH)) }
}

/** Disconnects all clients; one between two polls notices it with its next poll. */
function dismiss (io: Server): void {
  const transports = [...io.sockets.sockets.values()].map(({ conn }) => conn.transport)
  for (const transport of transports) Object.assign(transport, { closeTimeout: GOODBYE_MS }) // not in its types
  io.disconnectSockets(true)
  io.engine.close()
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const upgradesOf = (server: HttpServer) => server.listeners('upgrade') as Upgrade[]

/** Runs work that adds listeners for upgrades. @returns those it added */
function addedBy (server: HttpServer, work: () => void): ReadonlySet<Upgrade> {
  const before = new Set(upgradesOf(server))
  work()
  return new Set(upgradesOf(server).filter(listener => !before.has(listener)))
}

/**
 * Hides our upgrades from other listeners: they answer every path they do not know with an error on the same socket.
 */
function keepApart (server: HttpServer, ours: ReadonlySet<Upgrade>, isOurs: (url: string) => boolean): void {
  for (const listener of upgradesOf(server).filter(listener => !ours.has(listener))) {
    server.removeListener('upgrade', listener)
    server.on('upgrade', (request, socket, head) => {
      if (!isOurs(request.url ?? '')) listener.call(server, request, socket, head)
    })
  }
}

/** An event for Socket.IO clients. Each message contains everything, so only the newest matters. */
export interface SocketTopic {
  /** Name of the event. */
  readonly event: string
  /** The current payload; called once for all clients that are ready. */
  readonly current: (kernel: Kernel) => object
  /** Calls `touch` whenever something has changed. */
  readonly watch: (kernel: Kernel, touch: () => void) => Dispose
}

/** Adds an event for Socket.IO clients. */
export const defineSocketTopic = (topic: SocketTopic): SocketTopic => Object.freeze(topic)

/** Pushes events to Socket.IO clients and ignores what they send. */
export default definePlugin({
  name: 'socketio',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Events over Socket.IO at /socket.io',
  needs: ['http'],
  provides: ['socketio'],
  uses: ['network'],
  setup ({ app, kernel, log, events, contributed, provide, onReady, onClose }) {
    const { io, separate, review } = serve(app, kernel.config.api)
    provide('socketio', { waiting: () => [...io.sockets.sockets.values()].map(waitingFor) })
    const feeds = contributed('socketTopics').map(topic => createTopicFeed(io, topic, kernel))
    io.on('connection', (socket: Socket) => {
      socket.on('error', error => log.debug({ err: error }, 'socket'))
      for (const { feed } of feeds) feed.follow(socket)
    })
    const checkClients = () => { review().catch((error: Error) => log.error({ err: error }, 'clients cannot be checked')) }
    const forget = events.on('people:changed', checkClients)
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
    onClose(() => { for (const off of [forget, ...undo]) off() })
  }
})
