import type { Aedes, AuthenticateError, Client } from 'aedes'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from 'node:tls'
import type { Identity } from './identity.js'

/** What the printer decides for its broker. */
export interface BrokerAuth {
  admits (username: string | undefined, password: string | undefined): boolean
  /** Somebody subscribed to the report topic. */
  subscribed (): void
  /** A message on the request topic. */
  requested (topic: string, payload: Buffer): void
}

/** The printer's MQTT 3.1.1 broker over TLS. */
export interface Broker {
  readonly port: number
  /** Connections that are logged in. */
  readonly clients: number
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

export interface BrokerOptions {
  readonly serial: string
  readonly host: string
  readonly port: number
  readonly identity: Identity
}

const USERNAME = 'bblp'
const NOT_AUTHORISED = 5
const HIGHEST_QOS = 1
/** A client that takes nothing for this long is dropped. */
const STUCK_CLIENT_MS = 20_000

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

/**
 * Printers grant QoS 1 at most. The broker notes what it grants before its own hook could lower it,
 * hence the step in front of its parser.
 */
function capQos (client: Client): void {
  const { _parser: parser } = client as unknown as { _parser: NodeJS.EventEmitter }
  parser.prependListener('packet', (packet: { cmd: string, subscriptions?: { qos: number }[] }) => {
    if (packet.cmd !== 'subscribe') return
    for (const wish of packet.subscriptions ?? []) wish.qos = Math.min(wish.qos, HIGHEST_QOS)
  })
}

async function createAedes (serial: string, auth: BrokerAuth): Promise<Aedes> {
  const { Aedes } = await import('aedes')
  const report = `device/${serial}/report`
  const request = `device/${serial}/request`
  const aedes = await Aedes.createBroker({
    concurrency: 0,
    drainTimeout: STUCK_CLIENT_MS,
    preConnect (_client, packet, done) {
      // Firmware answers pings but does not end a connection that stopped sending them.
      packet.keepalive = 0
      done(null, true)
    },
    authenticate (_client, username, password, done) {
      if (auth.admits(username, password?.toString())) done(null, true)
      else done(refusal(), false)
    },
    authorizePublish (_client, packet, done) {
      packet.retain = false
      done(null)
    },
    // A client hears the printer, and other clients' requests when it asked for them; nothing else.
    authorizeForward: (_client, packet) =>
      packet.topic === request || (packet.topic === report && !('clientId' in packet)) ? packet : null
  })
  aedes.on('subscribe', filters => {
    if (filters.some(({ topic }) => matches(topic, report))) auth.subscribed()
  })
  aedes.on('publish', (packet, client) => {
    if (client === null || packet.topic !== request) return
    auth.requested(packet.topic, Buffer.from(packet.payload))
  })
  return aedes
}

async function open (server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const secure = ({ key, certificate }: Identity): SecureContextOptions =>
  ({ key, cert: certificate, minVersion: 'TLSv1.2' })

/** Starts a broker that listens and knows nothing of printing. */
export async function createBroker (options: BrokerOptions, auth: BrokerAuth): Promise<Broker> {
  const aedes = await createAedes(options.serial, auth)
  const topic = `device/${options.serial}/report`
  const sockets = new Set<TLSSocket>()
  /** With those whose handshake is not done. */
  const raw = new Set<Socket>()
  let frozen = false

  const server = createServer(secure(options.identity), socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    if (!frozen) capQos(aedes.handle(socket))
  })
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Socket) => {
    raw.add(socket)
    socket.on('error', () => {}).once('close', () => raw.delete(socket))
  })
  const port = await open(server, options.port, options.host)
    .catch(async error => { await new Promise<void>(resolve => aedes.close(resolve)); throw error })

  const drop = (): void => { for (const socket of [...sockets, ...raw]) socket.destroy() }
  return {
    port,
    get clients () { return aedes.connectedClients },
    publish: payload => {
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
    present: identity => server.setSecureContext(secure(identity)),
    async close () {
      drop()
      if (server.listening) server.close()
      await new Promise<void>(resolve => aedes.close(resolve))
    }
  }
}
