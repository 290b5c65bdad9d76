import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What a link does: passes bytes on; ends what is open and refuses what is new; holds everything back while both ends
 * believe that they are connected; or takes 200 ms each way and holds one chunk in a hundred for a retransmission.
 */
export type LinkMode = 'open' | 'cut' | 'silent' | 'slow'

export interface Place { readonly host: string, readonly port: number }

/** Whoever wants to know of the connections over a link. */
export interface LinkObserver {
  opened (link: string, connection: number): void
  closed (link: string, connection: number): void
  /** Bytes from the side that connected. */
  sent (link: string, connection: number, bytes: number): void
}

const DELAY_MS = 200
const LOSS = 0.01
/** A sender repeats after its round trip and the variance, 400 and 200 ms here. */
const RETRANSMIT_MS = 600
const NOBODY: LinkObserver = { opened () {}, closed () {}, sent () {} }

interface Connection {
  readonly near: Socket
  readonly far: Socket
  hold (held: boolean): void
  end (): void
}

interface Link {
  readonly server: Server
  readonly connections: Set<Connection>
  mode: LinkMode
}

/** TCP connections that go through this process, where they can be counted, cut and slowed down. */
export function createLinks (observer: LinkObserver = NOBODY, random: () => number = Math.random) {
  const links = new Map<string, Link>()
  let count = 0

  /** Passes one direction on, in order, whatever each chunk had to wait. */
  function pass (from: Socket, to: Socket, link: Link, seen: (bytes: number) => void): void {
    let dueAt = 0
    from.on('data', chunk => {
      seen(chunk.length)
      const now = performance.now()
      const delay = link.mode === 'slow' ? DELAY_MS + (random() < LOSS ? RETRANSMIT_MS : 0) : 0
      dueAt = Math.max(dueAt, now + delay)
      if (dueAt <= now) to.write(chunk)
      else setTimeout(() => { if (!to.destroyed) to.write(chunk) }, dueAt - now)
    })
  }

  function join (id: string, link: Link, near: Socket, { host, port }: Place): void {
    if (link.mode === 'cut') {
      near.destroy()
      return
    }
    const number = ++count
    const far = connect(port, host)
    near.setNoDelay()
    far.setNoDelay()
    let ended = false
    const connection: Connection = {
      near,
      far,
      hold (held) {
        for (const socket of [near, far]) held ? socket.pause() : socket.resume()
      },
      end () {
        if (ended) return
        ended = true
        link.connections.delete(connection)
        observer.closed(id, number)
        near.destroy()
        far.destroy()
      }
    }
    link.connections.add(connection)
    observer.opened(id, number)
    for (const socket of [near, far]) socket.on('error', connection.end).on('close', connection.end)
    pass(near, far, link, bytes => observer.sent(id, number, bytes))
    pass(far, near, link, () => {})
    near.on('end', connection.end)
    far.on('end', connection.end)
    if (link.mode === 'silent') connection.hold(true)
  }

  return {
    async open (id: string, listen: Place, to: Place): Promise<number> {
      const link: Link = { server: createServer(near => join(id, link, near, to)), connections: new Set(), mode: 'open' }
      await new Promise<void>((resolve, reject) => {
        link.server.once('error', reject).listen(listen.port, listen.host, resolve)
      })
      links.set(id, link)
      return (link.server.address() as { port: number }).port
    },
    set (id: string, mode: LinkMode): void {
      const link = links.get(id)
      if (link === undefined) throw new Error(`There is no link ${id}`)
      link.mode = mode
      for (const connection of [...link.connections]) {
        if (mode === 'cut') connection.end()
        else connection.hold(mode === 'silent')
      }
    },
    close (): void {
      for (const { server, connections } of links.values()) {
        for (const connection of [...connections]) connection.end()
        server.close()
      }
    }
  }
}
export type Links = ReturnType<typeof createLinks>
