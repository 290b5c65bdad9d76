import type { Server, Socket } from 'socket.io'

/** Sends one event to all clients, to each no faster than it can receive. */
export interface Feed {
  /** Call when something has changed. */
  touch (): void
  /** Adds a new client. */
  follow (socket: Socket): void
  close (): void
}

/** Messages for a client that have not left this process. */
export function waitingFor ({ conn }: Socket): number {
  const { writeBuffer } = conn as unknown as { readonly writeBuffer: readonly unknown[] } // not in its types
  return writeBuffer.length + (conn.transport.writable ? 0 : 1)
}

const isReady = (socket: Socket): boolean => socket.conn.readyState === 'open' && waitingFor(socket) === 0

/**
 * A client that is ready gets every update; one that is not gets the newest as soon as it is. At most one update
 * is in flight to a client at any time.
 * @param payload called once for all clients that are ready; undefined: nothing to send
 */
export function createFeed (io: Server, event: string, payload: () => object | undefined): Feed {
  /** Clients without the newest update. */
  const behind = new Set<Socket>()
  let timer: NodeJS.Immediate | undefined

  function send (): void {
    timer = undefined
    const ready = [...behind].filter(isReady)
    if (ready.length === 0) return
    for (const socket of ready) behind.delete(socket)
    const data = payload()
    if (data !== undefined) io.to(ready.map(({ id }) => id)).emit(event, data)
  }

  /** Changes in the same tick become one update. */
  function schedule (): void {
    if (behind.size > 0) timer ??= setImmediate(send)
  }

  return {
    touch () {
      for (const socket of io.sockets.sockets.values()) behind.add(socket)
      schedule()
    },
    follow (socket) {
      const listen = ({ transport } = socket.conn) => transport.on('ready', schedule)
      listen()
      socket.conn.on('upgrade', () => listen())
      socket.once('disconnect', () => { behind.delete(socket) })
    },
    close () {
      clearImmediate(timer)
      behind.clear()
    }
  }
}
