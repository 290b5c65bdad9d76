import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { TLSSocket, type SecureContext } from 'node:tls'

/** A port that waits for one data connection. */
export interface Passive {
  readonly port: number
  /** The data connection, once its handshake is done. @throws NotResumed, Error when none comes */
  socket (protectedBy: SecureContext | undefined, mustResume: boolean): Promise<Socket>
  close (): void
}

/** The data connection did not resume the session of the control connection. */
export class NotResumed extends Error {}

const CONNECT_MS = 10_000

/** Opens a port for a client at `peer`; others are turned away. */
export async function openPassive (host: string, peer: string | undefined): Promise<Passive> {
  const server: Server = createServer()
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
  accepted.catch(() => {}) // whoever asks for the socket is told
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async socket (secureContext, mustResume) {
      const socket = await accepted
      if (secureContext === undefined) return socket
      return await handshake(socket, secureContext, mustResume)
    },
    close () {
      server.close()
      raw?.destroy()
    }
  }
}

async function handshake (raw: Socket, secureContext: SecureContext, mustResume: boolean): Promise<TLSSocket> {
  const socket = new TLSSocket(raw, { isServer: true, secureContext })
  socket.on('error', () => {})
  await once(socket, 'secure', { signal: AbortSignal.timeout(CONNECT_MS) })
  if (!mustResume || socket.isSessionReused()) return socket
  socket.destroy()
  throw new NotResumed()
}
