import type { Socket } from 'node:net'
import type { Client } from './options.js'

/** A connection of a client that has logged in. */
export interface Connection {
  readonly client: Client
  readonly protocol: string
}

export type ConnectionLimit = ReturnType<typeof createConnectionLimit>

/** Limits the connections of each client to one printer, by protocol, and ends those of a client that is removed. */
export function createConnectionLimit (most: number) {
  const taken = new Set<Connection>()
  return {
    get all (): readonly Connection[] { return [...taken] },
    /**
     * Counts a connection until its socket closes.
     * @returns a function that uncounts it earlier; undefined if the limit is reached, or the client or socket is gone
     */
    take (client: Client, protocol: string, socket: Socket): (() => void) | undefined {
      if (client.signal.aborted || socket.destroyed) return undefined
      if ([...taken].filter(one => one.client === client && one.protocol === protocol).length >= most) return undefined
      const connection = { client, protocol }
      const end = (): void => { socket.destroy() }
      const leave = (): void => {
        taken.delete(connection)
        client.signal.removeEventListener('abort', end)
        socket.off('close', leave)
      }
      taken.add(connection)
      client.signal.addEventListener('abort', end, { once: true })
      socket.once('close', leave)
      return leave
    }
  }
}
