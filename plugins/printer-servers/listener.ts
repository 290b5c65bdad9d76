import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { createConnectionLimit, type ConnectionLimit, type ConnectionLimits } from '../../core/index.js'
import { DEFAULT_LIMITS } from './default-limits.js'
import { secureOptions, type Identity } from './identity.js'

/** A port without encryption. */
export interface PlainListener {
  readonly port: number
  /** Ends every connection; the port stays open. */
  drop (): void
  /** Closes or opens the port; connections stay. */
  listening (open: boolean): Promise<void>
  close (): Promise<void>
}

/** A TLS port like that of a printer's camera. */
export interface Listener extends PlainListener {
  /** Uses another certificate for new connections. */
  present (identity: Identity): void
}

export interface PlainListenerOptions {
  readonly host: string
  /** 0 for any. */
  readonly port: number
  /** Whether to accept a connection, before TLS. @default all are accepted */
  readonly admits?: () => boolean
  /** @default {@link DEFAULT_LIMITS} */
  readonly limits?: ConnectionLimits
}

export interface ListenerOptions extends PlainListenerOptions {
  readonly identity: Identity
}

/** Serves a connection and calls `admitted` when its client has logged in. */
export type Welcome = (socket: TLSSocket, admitted: () => void) => void

/** Printers send small records. */
const LARGEST_RECORD = 4096
const HANDSHAKE_MS = 15_000

const secure = (identity: Identity) => ({ ...secureOptions(identity), maxVersion: 'TLSv1.2' as const })

/** Limits the connections of a server, and opens its port. @throws if the port is in use */
async function openServer (server: Server, raw: ConnectionLimit,
  options: PlainListenerOptions): Promise<PlainListener> {
  const { host, admits = () => true } = options
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {})
    if (!admits()) return socket.resetAndDestroy()
    raw.add(socket)
  })

  const open = async (port: number): Promise<number> => {
    server.listen(port, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await open(options.port)

  return {
    port,
    drop: raw.drop,
    async listening (wanted) {
      if (wanted === server.listening) return
      if (wanted) await open(port)
      else server.close()
    },
    async close () {
      raw.drop()
      if (!server.listening) return
      await new Promise<void>(resolve => server.close(() => resolve()))
    }
  }
}

/**
 * Opens the port; `welcome` is called for every connection after the handshake. Clients that do not log in in time are
 * disconnected.
 *
 * @throws if the port is in use
 */
export async function openListener (options: ListenerOptions, welcome: Welcome): Promise<Listener> {
  const raw = createConnectionLimit(options.limits ?? DEFAULT_LIMITS)
  const server = createTlsServer({ ...secure(options.identity), handshakeTimeout: HANDSHAKE_MS }, socket => {
    socket.setNoDelay(true)
    socket.setMaxSendFragment(LARGEST_RECORD)
    socket.on('error', () => {})
    welcome(socket, () => raw.admit(socket))
  })
  server.on('tlsClientError', (_error, socket) => { socket.destroy() }) // would stay open otherwise
  const listener = await openServer(server, raw, options)
  return { ...listener, present: next => server.setSecureContext(secure(next)) }
}

/** The same without encryption, for clients that never log in. @throws if the port is in use */
export async function openPlainListener (options: PlainListenerOptions,
  welcome: (socket: Socket) => void): Promise<PlainListener> {
  const raw = createConnectionLimit(options.limits ?? DEFAULT_LIMITS)
  const server = createServer()
  const opening = openServer(server, raw, options)
  server.on('connection', socket => { if (!socket.destroyed) welcome(socket) }) // after the limit has judged it
  return await opening
}
