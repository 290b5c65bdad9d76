import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const upgradesOf = (server: Server) => server.listeners('upgrade') as Upgrade[]

/** Runs work that adds listeners for upgrades. @returns those it added */
export function addedBy (server: Server, work: () => void): ReadonlySet<Upgrade> {
  const before = new Set(upgradesOf(server))
  work()
  return new Set(upgradesOf(server).filter(listener => !before.has(listener)))
}

/**
 * Keeps other listeners away from upgrades that are meant for us: they answer every path they do not know with
 * an error, on the same socket.
 */
export function keepApart (server: Server, ours: ReadonlySet<Upgrade>, isOurs: (url: string) => boolean): void {
  for (const listener of upgradesOf(server).filter(listener => !ours.has(listener))) {
    server.removeListener('upgrade', listener)
    server.on('upgrade', (request, socket, head) => {
      if (!isOurs(request.url ?? '')) listener.call(server, request, socket, head)
    })
  }
}
