import type { Aedes, AuthenticateError, Client } from 'aedes'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { createConnectionLimit, type ConnectionLimits } from '../../core/index.js'
import { DEFAULT_LIMITS } from './default-limits.js'
import { secureOptions, type Identity } from './identity.js'

// Aedes has no hooks for these two, so both access its parser.

interface Parser extends NodeJS.EventEmitter {
  /** The packet being parsed. */
  readonly packet: { readonly length?: number }
  parse (bytes: Buffer): number
}

const parserOf = (client: Client): Parser => (client as unknown as { _parser: Parser })._parser

/**
 * Printers grant QoS 1 at most. Aedes stores the granted QoS before its hook could lower it, so this runs ahead of the
 * parser's own listener.
 */
function capQos (client: Client, highest: number): void {
  parserOf(client).prependListener('packet', (packet: { cmd: string, subscriptions?: { qos: number }[] }) => {
    if (packet.cmd !== 'subscribe') return
    for (const requested of packet.subscriptions ?? []) requested.qos = Math.min(requested.qos, highest)
  })
}

/** Ends a connection when a packet announces more than the limit; MQTT permits 256 MB, which would be buffered. */
function limitPackets (client: Client, mostBytes: number): void {
  const parser = parserOf(client)
  const parse = parser.parse.bind(parser)
  parser.parse = bytes => {
    const left = parse(bytes)
    const { length = 0 } = parser.packet
    if (length > mostBytes) client.conn.destroy()
    return left
  }
}

/** A logged-in client. */
export interface Peer<Who> {
  readonly who: Who
  /** Address of this machine that the client has connected to. */
  readonly localAddress: string
  /** Whether it is subscribed to the report topic. */
  readonly isSubscribed: boolean
  /** Sends a message on the report topic, QoS 0, to this client only. A client with too much unsent is dropped. */
  publish (payload: Uint8Array): void
  drop (): void
}

export interface Login {
  readonly username: string | undefined
  readonly password: string | undefined
  /** Address of the client. */
  readonly address: string
  /** Its connection. */
  readonly socket: Socket
}

/** Callbacks of a broker's owner. */
export interface BrokerHandler<Who> {
  /** Identifies the client; undefined rejects it. */
  admit (login: Login): Who | undefined | Promise<Who | undefined>
  /** A client subscribed to the report topic. */
  subscribed (peer: Peer<Who>): void
  /** A message on the request topic. */
  requested (payload: Buffer, peer: Peer<Who>): void
}

/** A printer's MQTT 3.1.1 broker over TLS. */
export interface Broker<Who = unknown> {
  readonly port: number
  /** Number of logged-in connections. */
  readonly clients: number
  readonly peers: Iterable<Peer<Who>>
  /** Sends a message on the report topic, QoS 0, to all subscribers. */
  publish (payload: Uint8Array): void
  /** Ends every connection; the port stays open. */
  drop (): void
  /** Closes or opens the port; connections stay. */
  listening (open: boolean): Promise<void>
  /** While frozen, nothing is read from any connection, old or new. Unfreezing ends those connections. */
  freeze (frozen: boolean): void
  /** Uses another certificate for new connections. */
  present (identity: Identity): void
  close (): Promise<void>
}

/** Limits for clients that do not trust each other. */
export interface BrokerLimits extends ConnectionLimits {
  /** Maximum packet size; longer packets end the connection. */
  readonly packetBytes: number
  /** Time limit for the handshake and for the login, each. */
  readonly loginMs: number
  /** A client with more unsent bytes is dropped. */
  readonly unsentBytes: number
}

export interface BrokerOptions {
  readonly serial: string
  readonly host: string
  readonly port: number
  readonly identity: Identity
  /**
   * With limits, clients are isolated: none sees another's requests, takes over its client id, leaves a will or a
   * session, or stays connected without pings. @default none, like printers
   */
  readonly limits?: BrokerLimits
}

const USERNAME = 'bblp'
const NOT_AUTHORISED = 5
const HIGHEST_QOS = 1
/** A client that receives nothing for this long is dropped. */
const STUCK_CLIENT_MS = 20_000
const MOST_FILTERS = 16

export const isUser = (username: string | undefined): boolean => username === USERNAME

/** MQTT topic filter, with `+` and `#`. */
export function matches (filter: string, topic: string): boolean {
  const levels = topic.split('/')
  const wanted = filter.split('/')
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true
    if (level !== '+' && level !== levels[at]) return false
    if (at >= levels.length) return false
  }
  return wanted.length === levels.length
}

const refusal = (): AuthenticateError =>
  Object.assign(new Error('access code rejected'), { returnCode: NOT_AUTHORISED })

const filtersOf = (client: Client): string[] =>
  Object.keys((client as unknown as { subscriptions: Record<string, unknown> }).subscriptions)

const socketOf = ({ conn }: Client): TLSSocket => conn as TLSSocket

interface Parts<Who> {
  readonly aedes: Aedes
  readonly peers: Map<Client, Peer<Who>>
}

async function createAedes<Who> (serial: string, handler: BrokerHandler<Who>, limits: BrokerLimits | undefined,
  admitted: (socket: TLSSocket) => void): Promise<Parts<Who>> {
  const { Aedes } = await import('aedes')
  const report = `device/${serial}/report`
  const request = `device/${serial}/request`
  const peers = new Map<Client, Peer<Who>>()
  let lastId = 0

  const peerOf = (client: Client, who: Who): Peer<Who> => ({
    who,
    localAddress: socketOf(client).localAddress ?? '',
    get isSubscribed () { return filtersOf(client).some(filter => matches(filter, report)) },
    publish (payload) {
      const socket = socketOf(client)
      if (limits !== undefined && socket.writableLength > limits.unsentBytes) return socket.destroy() as unknown as void
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
      client.publish({ cmd: 'publish', topic: report, payload: bytes, qos: 0, dup: false, retain: false }, () => {})
    },
    drop: () => { socketOf(client).destroy() }
  })

  async function admit (client: Client, username: string | undefined, password: Buffer | undefined): Promise<boolean> {
    const socket = socketOf(client)
    const address = socket.remoteAddress ?? ''
    const who = await handler.admit({ username, password: password?.toString(), address, socket })
    if (who === undefined || client.closed || socket.destroyed) return false // or disconnected during the login
    admitted(socket)
    peers.set(client, peerOf(client, who))
    socket.once('close', () => peers.delete(client))
    return true
  }

  const aedes = await Aedes.createBroker({
    concurrency: 0,
    drainTimeout: STUCK_CLIENT_MS,
    ...(limits && { connectTimeout: limits.loginMs }),
    preConnect (_client, packet, done) {
      if (limits === undefined) packet.keepalive = 0 // firmware answers pings but does not require them
      else {
        packet.clientId = `client-${++lastId}` // a duplicate id would end the other's connection
        packet.clean = true
        delete packet.will
      }
      done(null, true)
    },
    authenticate (client, username, password, done) {
      admit(client, username, password)
        .then(isIn => isIn ? done(null, true) : done(refusal(), false), () => done(refusal(), false))
    },
    authorizeSubscribe (client, subscription, done) {
      const isFine = limits === undefined || (filtersOf(client).length < MOST_FILTERS &&
        [report, request].some(topic => matches(subscription.topic, topic)))
      done(null, isFine ? subscription : null)
    },
    authorizePublish (_client, packet, done) {
      packet.retain = false
      done(null)
    },
    // Clients receive only the printer's reports, and other clients' requests if subscribed.
    authorizeForward: (_client, packet) =>
      (limits === undefined && packet.topic === request) || (packet.topic === report && !('clientId' in packet))
        ? packet
        : null
  })
  aedes.on('subscribe', (filters, client) => {
    const peer = peers.get(client)
    if (peer !== undefined && filters.some(({ topic }) => matches(topic, report))) handler.subscribed(peer)
  })
  aedes.on('publish', (packet, client) => {
    const peer = client === null ? undefined : peers.get(client)
    if (peer !== undefined && packet.topic === request) handler.requested(Buffer.from(packet.payload), peer)
  })
  return { aedes, peers }
}

async function open (server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a broker; its owner interprets the messages. */
export async function createBroker<Who> (options: BrokerOptions, handler: BrokerHandler<Who>): Promise<Broker<Who>> {
  const { limits } = options
  const topic = `device/${options.serial}/report`
  const sockets = new Set<TLSSocket>()
  /** All connections, including those still in the handshake. */
  const raw = createConnectionLimit(limits ?? DEFAULT_LIMITS)
  const { aedes, peers } = await createAedes(options.serial, handler, limits, socket => raw.admit(socket))
  let frozen = false

  const tls = { ...secureOptions(options.identity), ...(limits && { handshakeTimeout: limits.loginMs }) }
  const server = createServer(tls, socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    if (frozen) return
    const client = aedes.handle(socket)
    capQos(client, HIGHEST_QOS)
    if (limits !== undefined) limitPackets(client, limits.packetBytes)
  })
  server.on('tlsClientError', (_error, socket) => { socket.destroy() }) // would stay open otherwise
  server.on('connection', (socket: Socket) => { raw.add(socket) })
  const port = await open(server, options.port, options.host)
    .catch(async error => { await new Promise<void>(resolve => aedes.close(resolve)); throw error })

  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
    raw.drop()
  }
  return {
    port,
    get clients () { return aedes.connectedClients },
    peers: { [Symbol.iterator]: () => peers.values() },
    publish (payload) {
      if (limits !== undefined) {
        for (const peer of peers.values()) if (peer.isSubscribed) peer.publish(payload)
        return
      }
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
      aedes.publish({ cmd: 'publish', topic, payload: bytes, qos: 0, dup: false, retain: false }, () => {})
    },
    drop,
    async listening (wanted) {
      if (wanted === server.listening) return
      if (wanted) await open(server, port, options.host)
      else server.close()
    },
    freeze (wanted) {
      if (frozen === wanted) return
      frozen = wanted
      if (frozen) for (const socket of sockets) socket.removeAllListeners('readable')
      else drop()
    },
    present: identity => server.setSecureContext(secureOptions(identity)),
    async close () {
      drop()
      if (server.listening) server.close()
      await new Promise<void>(resolve => aedes.close(resolve))
    }
  }
}
