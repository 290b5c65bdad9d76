import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FtpTls } from './tls.js'

/** A port for one data connection. */
export interface Passive {
  readonly port: number
  /** The data connection, once the client has opened it. @throws Error on timeout */
  accept (): Promise<Socket>
  close (): void
}

/** The data connection did not resume the session of the control connection. */
export class NotResumed extends Error {}

const CONNECT_MS = 10_000

/** Opens a port for a client at `peer`; other addresses are rejected. */
export async function openPassive (host: string, peer: string | undefined): Promise<Passive> {
  const server: Server = createServer({ noDelay: true })
  const accepted = new Promise<Socket>((resolve, reject) => {
    const timer = setTimeout(() => { server.close(); reject(new Error('no data connection')) }, CONNECT_MS).unref()
    server.on('connection', socket => {
      if (socket.remoteAddress !== peer) return socket.destroy()
      clearTimeout(timer)
      socket.on('error', () => {})
      raw = socket
      server.close()
      resolve(socket)
    })
    server.once('close', () => { if (raw === undefined) { clearTimeout(timer); reject(new Error('closed')) } })
  })
  let raw: Socket | undefined
  accepted.catch(() => {}) // `accept` reports the error
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    accept: () => accepted,
    close () {
      server.close()
      raw?.destroy()
    }
  }
}

/**
 * Starts TLS on a data connection. A refused one is closed properly, after a complete handshake.
 * @throws NotResumed, or Error if the handshake fails
 */
export async function protect (raw: Socket, secure: FtpTls['secure'], mustResume: boolean): Promise<TLSSocket> {
  const socket = secure(raw)
  socket.on('error', () => {})
  await handshake(socket)
  if (!mustResume || socket.isSessionReused()) return socket
  socket.resume().end()
  setTimeout(() => socket.destroy(), CONNECT_MS).unref()
  throw new NotResumed()
}

function handshake (socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { socket.destroy() }, CONNECT_MS).unref()
    socket.once('secure', () => { clearTimeout(timer); resolve() })
    socket.once('close', () => { clearTimeout(timer); reject(new Error('no handshake')) })
  })
}
