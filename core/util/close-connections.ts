import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long connections may take to close by themselves. */
const GRACE_MS = 500

/**
 * Destroys connections that stay open while a server closes: `server.close` does not end upgraded ones (WebSocket), and
 * a peer that does not respond would keep each of them open for half a minute.
 * @returns the function to call when the server begins to close
 */
export function trackConnections (server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => { open.delete(socket) })
  })
  return () => { setTimeout(() => { for (const socket of open) socket.destroy() }, GRACE_MS).unref() }
}
