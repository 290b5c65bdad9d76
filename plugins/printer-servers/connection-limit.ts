import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** Connections to one port, logged in or not. */
  readonly connections: number
  /** Of these from one address: a single neighbour cannot take all. */
  readonly connectionsPerAddress: number
}

/** The connections of one port. */
export interface ConnectionLimit {
  /** Keeps count of a new connection; one too many is reset at once. @returns whether it may stay */
  add (socket: Socket): boolean
  /** Ends all. */
  drop (): void
}

/** @param limits @default none */
export function createConnectionLimit (limits?: ConnectionLimits): ConnectionLimit {
  const open = new Set<Socket>()
  const counts = new Map<string, number>()

  const change = (address: string, by: number): void => {
    const count = (counts.get(address) ?? 0) + by
    if (count > 0) counts.set(address, count)
    else counts.delete(address)
  }

  return {
    add (socket) {
      socket.on('error', () => {})
      const address = socket.remoteAddress ?? ''
      const isOver = limits !== undefined &&
        (open.size >= limits.connections || (counts.get(address) ?? 0) >= limits.connectionsPerAddress)
      if (isOver) {
        socket.resetAndDestroy()
        return false
      }
      open.add(socket)
      change(address, 1)
      socket.once('close', () => { open.delete(socket); change(address, -1) })
      return true
    },
    drop () { for (const socket of open) socket.destroy() }
  }
}
