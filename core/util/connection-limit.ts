import type { Socket } from 'node:net'
import { networkOf } from './network.js'

export interface ConnectionLimits {
  /** Connections to one port, logged in or not. */
  readonly connections: number
  /** Of these from one network: a single neighbour cannot take all. */
  readonly connectionsPerAddress: number
  /** Connections that have not logged in; the other places are a reserve for those that have. */
  readonly strangers: number
  /** Of these from one network. */
  readonly strangersPerAddress: number
  /** For everything up to the login, from the first packet on, ms. */
  readonly strangerMs: number
}

/** The connections of one port. */
export interface ConnectionLimit {
  /** Keeps count of a new connection; one for which there is no place is reset. @returns whether it may stay */
  add (socket: Socket): boolean
  /** It logged in. @param socket itself, or what encrypts it */
  admit (socket: Ends): void
  /** Ends all. */
  drop (): void
}

export interface ConnectionLimitOptions {
  /** Has no share of its own: a proxy there stands for many. @default nobody */
  readonly isExempt?: (address: string) => boolean
  /** Has shown itself, though nobody said so. @default false */
  readonly isKnown?: (socket: Socket) => boolean
}

interface Connection {
  readonly socket: Socket
  readonly network: string
  isAdmitted: boolean
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort'>
const keyOf = ({ remoteAddress, remotePort }: Ends): string => `${remoteAddress} ${remotePort}`

/** The network with most of these connections. */
function busiest (connections: readonly Connection[]): readonly Connection[] {
  const groups = new Map<string, Connection[]>()
  for (const one of connections) groups.set(one.network, [...groups.get(one.network) ?? [], one])
  return [...groups.values()]
    .reduce<readonly Connection[]>((most, group) => group.length > most.length ? group : most, [])
}

/**
 * Counts connections, and gives up those that do not log in: after a time, or as soon as another one needs the place.
 * The oldest of the busiest network goes first, so that one that fills the port does not keep others out.
 */
export function createConnectionLimit (limits: ConnectionLimits,
  options: ConnectionLimitOptions = {}): ConnectionLimit {
  const { isExempt = () => false, isKnown = () => false } = options
  const open = new Map<string, Connection>()

  const isStranger = (one: Connection): boolean => !one.isAdmitted && !isKnown(one.socket)

  /** @returns whether there is room now for one more among `present` */
  function makeRoom (present: readonly Connection[], most: number, mayGo: readonly Connection[]): boolean {
    if (present.length < most) return true
    const [oldest] = busiest(mayGo)
    oldest?.socket.resetAndDestroy()
    if (oldest) open.delete(keyOf(oldest.socket))
    return oldest !== undefined
  }

  function hasRoom (network: string, isFree: boolean): boolean {
    const all = () => [...open.values()]
    const strangers = () => all().filter(isStranger)
    const same = (list: readonly Connection[]) => list.filter(one => one.network === network)
    if (!isFree) {
      if (!makeRoom(same(strangers()), limits.strangersPerAddress, same(strangers()))) return false
      if (!makeRoom(same(all()), limits.connectionsPerAddress, same(strangers()))) return false
    }
    return makeRoom(strangers(), limits.strangers, strangers()) && makeRoom(all(), limits.connections, strangers())
  }

  return {
    add (socket) {
      socket.on('error', () => {})
      const network = networkOf(socket.remoteAddress ?? '')
      const isFree = isExempt(socket.remoteAddress ?? '')
      if (!hasRoom(network, isFree)) {
        socket.resetAndDestroy()
        return false
      }
      const key = keyOf(socket)
      const connection: Connection = { socket, network, isAdmitted: false }
      open.set(key, connection)
      const timer = setTimeout(() => { if (isStranger(connection)) socket.destroy() }, limits.strangerMs).unref()
      socket.once('close', () => {
        clearTimeout(timer)
        if (open.get(key) === connection) open.delete(key)
      })
      return true
    },
    admit (socket) {
      const connection = open.get(keyOf(socket))
      if (connection) connection.isAdmitted = true
    },
    drop () { for (const { socket } of open.values()) socket.destroy() }
  }
}
