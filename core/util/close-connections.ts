import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection may take to say goodbye. */
const GOODBYE_MS = 500

/**
 * Ends connections that outlive the wish to close: those that became something else than HTTP, or wanted to, are not
 * among the server's own, and a peer that takes nothing would hold each of them for half a minute.
 * @returns to be called when the server begins to close
 */
export function trackConnections (server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => { open.delete(socket) })
  })
  return () => { setTimeout(() => { for (const socket of open) socket.destroy() }, GOODBYE_MS).unref() }
}
