import type { Aedes, AuthenticateError, Client } from 'aedes'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { createConnectionLimit, type ConnectionLimits } from '../../core/index.js'
import { DEFAULT_LIMITS } from './default-limits.js'
import { secureOptions, type Identity } from './identity.js'

// The broker has no hooks for these two: both reach its parser.

interface Parser extends NodeJS.EventEmitter {
  /** The packet that is being read. */
  readonly packet: { readonly length?: number }
  parse (bytes: Buffer): number
}

const parserOf = (client: Client): Parser => (client as unknown as { _parser: Parser })._parser

/**
 * Printers grant QoS 1 at most. The broker notes what it grants before its own hook could lower it,
 * hence the step in front of its parser.
 */
function capQos (client: Client, highest: number): void {
  parserOf(client).prependListener('packet', (packet: { cmd: string, subscriptions?: { qos: number }[] }) => {
    if (packet.cmd !== 'subscribe') return
    for (const wish of packet.subscriptions ?? []) wish.qos = Math.min(wish.qos, highest)
  })
}

/** A packet may announce 256 MB, which would be waited for: the connection ends when a longer one begins. */
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

/** One client that is logged in. */
export interface Peer<Who> {
  readonly who: Who
  /** Listens to the report topic. */
  readonly isSubscribed: boolean
  /** One message on the report topic, QoS 0, for it alone. One that takes nothing is dropped. */
  publish (payload: Uint8Array): void
  drop (): void
}

export interface Login {
  readonly username: string | undefined
  readonly password: string | undefined
  /** Of the client. */
  readonly address: string
}

/** What the owner of a broker decides. */
export interface BrokerHandler<Who> {
  /** Who logs in; undefined turns the client away. */
  admit (login: Login): Who | undefined | Promise<Who | undefined>
  /** Somebody subscribed to the report topic. */
  subscribed (peer: Peer<Who>): void
  /** A message on the request topic. */
  requested (payload: Buffer, peer: Peer<Who>): void
  /** A client that was admitted is gone. */
  left? (who: Who): void
}

/** A printer's MQTT 3.1.1 broker over TLS. */
export interface Broker<Who = unknown> {
  readonly port: number
  /** Connections that are logged in. */
  readonly clients: number
  readonly peers: Iterable<Peer<Who>>
  /** One message on the report topic, QoS 0, for everybody who listens. */
  publish (payload: Uint8Array): void
  /** Ends every connection; the listener stays. */
  drop (): void
  /** Closes or opens the listener; connections stay. */
  listening (open: boolean): Promise<void>
  /** Frozen: bytes are no longer read from any connection, old or new. Thawing ends those connections. */
  freeze (frozen: boolean): void
  /** Shows another certificate to connections made from now on. */
  present (identity: Identity): void
  close (): Promise<void>
}

/** For clients that are strangers to each other. */
export interface BrokerLimits extends ConnectionLimits {
  /** Longer packets end the connection. */
  readonly packetBytes: number
  /** For the handshake and the login, each. */
  readonly loginMs: number
  /** Unsent bytes of one client after which it is dropped. */
  readonly unsentBytes: number
}

export interface BrokerOptions {
  readonly serial: string
  readonly host: string
  readonly port: number
  readonly identity: Identity
  /**
   * With limits clients are kept apart: none sees another's requests, takes its client id, leaves a will or a session
   * behind, or stays when it no longer pings. @default as printers do it: none of this
   */
  readonly limits?: BrokerLimits
}

const USERNAME = 'bblp'
const NOT_AUTHORISED = 5
const HIGHEST_QOS = 1
/** A client that takes nothing for this long is dropped. */
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
    const address = socketOf(client).remoteAddress ?? ''
    const who = await handler.admit({ username, password: password?.toString(), address })
    if (who === undefined) return false
    // gone while it was asked about
    if (client.closed || socketOf(client).destroyed) { handler.left?.(who); return false }
    admitted(socketOf(client))
    peers.set(client, peerOf(client, who))
    socketOf(client).once('close', () => { if (peers.delete(client)) handler.left?.(who) })
    return true
  }

  const aedes = await Aedes.createBroker({
    concurrency: 0,
    drainTimeout: STUCK_CLIENT_MS,
    ...(limits && { connectTimeout: limits.loginMs }),
    preConnect (_client, packet, done) {
      if (limits === undefined) packet.keepalive = 0 // firmware answers pings but does not miss them
      else {
        packet.clientId = `client-${++lastId}` // with the id of another it would end that one's connection
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
    // A client hears the printer, and other clients' requests when it asked for them; nothing else.
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

/** Starts a broker that listens and knows nothing of printing. */
export async function createBroker<Who> (options: BrokerOptions, handler: BrokerHandler<Who>): Promise<Broker<Who>> {
  const { limits } = options
  const topic = `device/${options.serial}/report`
  const sockets = new Set<TLSSocket>()
  /** With those whose handshake is not done. */
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
  server.on('tlsClientError', (_error, socket) => { socket.destroy() }) // it would stay open
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
