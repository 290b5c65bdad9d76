import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket, type SecureContext } from 'node:tls'

/** The first byte of a TLS connection, which is none of any HTTP method. */
const HANDSHAKE = 0x16
const HANDSHAKE_MS = 10_000

export interface AcceptTlsOptions {
  /** @param address of this machine that the client connected to */
  readonly contextFor: (address: string) => Promise<SecureContext>
  readonly onError: (error: Error) => void
}

/**
 * Lets a server take encrypted connections on the port of its plain ones: the first byte tells which it is. A client
 * that sends none is left to the server's limits on connections.
 */
export function acceptTls (server: Server, { contextFor, onError }: AcceptTlsOptions): void {
  const [serve] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  if (serve === undefined) throw new Error('this server takes no connections')
  const failed = (socket: Socket, error: Error) => {
    socket.destroy()
    onError(error)
  }

  async function encrypt (socket: Socket): Promise<void> {
    const secureContext = await contextFor(socket.localAddress ?? '')
    if (socket.destroyed) return
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
    const deadline = setTimeout(() => { secure.destroy() }, HANDSHAKE_MS)
    const end = () => { secure.destroy() } // a client that does not trust the certificate ends the handshake
    secure.once('error', end).once('close', () => { clearTimeout(deadline) })
    secure.once('secure', () => {
      clearTimeout(deadline)
      serve!.call(server, secure)
      secure.off('error', end)
    })
  }

  function sort (socket: Socket): void {
    const ignore = () => {}
    socket.on('error', ignore)
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null
      if (first === null) return socket.destroy()
      socket.unshift(first)
      if (first[0] === HANDSHAKE) {
        encrypt(socket).catch((error: Error) => { failed(socket, error) })
        return
      }
      serve!.call(server, socket)
      socket.off('error', ignore)
    })
  }

  server.off('connection', serve)
  server.prependListener('connection', sort)
}
