import type { Socket } from 'node:net'
import { networkOf } from './network.js'

export interface ConnectionLimits {
  /** Connections to one port, authenticated or not. */
  readonly connections: number
  /** Of these, from one network: a single neighbour must not take all. */
  readonly connectionsPerAddress: number
  /** Unauthenticated connections; the remaining places are reserved for authenticated ones. */
  readonly strangers: number
  /** Of these, from one network. */
  readonly strangersPerAddress: number
  /** Time limit for authentication, starting with the connection, ms. */
  readonly strangerMs: number
}

/** The connections of one port. */
export interface ConnectionLimit {
  /** Registers a new connection, which is reset if there is no place for it. @returns whether it may stay */
  add (socket: Socket): boolean
  /** Marks it as authenticated. @param socket itself, or its TLS wrapper */
  admit (socket: Ends): void
  /** Closes all connections. */
  drop (): void
}

export interface ConnectionLimitOptions {
  /** Whether the per-network limits do not apply: a proxy there represents many clients. @default never */
  readonly isExempt?: (address: string) => boolean
  /** Whether it counts as authenticated without `admit`. @default false */
  readonly isKnown?: (socket: Socket) => boolean
}

interface Connection {
  readonly socket: Socket
  readonly network: string
  readonly isFree: boolean
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
 * Counts connections, and closes unauthenticated ones: after a time, or as soon as a new connection needs the place.
 * The oldest of the busiest network is closed first, so that one network cannot lock others out; nor can a few that
 * take all places with authenticated ones.
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
    // Programs on this machine, and networks with few connections, get the place of one of the busiest network.
    const isModest = isFree || 2 * same(all()).length < busiest(all()).length
    return makeRoom(strangers(), limits.strangers, strangers()) &&
      makeRoom(all(), limits.connections, isModest ? all().filter(one => !one.isFree) : strangers())
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
      const connection: Connection = { socket, network, isFree, isAdmitted: false }
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
