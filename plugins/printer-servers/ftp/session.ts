import type { Socket } from 'node:net'
import type { Passive } from './passive-port.js'
import type { FaultSource, FtpFault } from './fault.js'
import type { FtpProfile } from './profile.js'
import type { ServedCard } from './store.js'
import type { Login } from '../broker.js'
import type { FtpTls } from './tls.js'

/** Shared by all connections to one server. */
export interface FtpContext {
  readonly host: string
  readonly faults: FaultSource
  readonly profile: FtpProfile
  readonly now: () => number
  readonly secure: FtpTls['secure']
  /** The card as this client sees it; undefined rejects the client. */
  readonly admit: (login: Login) => ServedCard | undefined | Promise<ServedCard | undefined>
  /** An admitted client disconnected. */
  readonly left?: ((card: ServedCard) => void) | undefined
  /** Limit of concurrent transfers of all clients; above it, the data connection is refused. */
  readonly mostTransfers: number
  /** A transfer that stalls for this long is ended. */
  readonly stallMs: number
  transfers: number
}

/** The control connection of one client. */
export interface FtpSession {
  readonly context: FtpContext
  readonly socket: Socket
  /** Address of the client. */
  readonly peer: string | undefined
  user: string
  /** Set after the login. */
  card: ServedCard | undefined
  cwd: string
  /** Start position of the next transfer. */
  restart: number
  renaming: string | undefined
  isProtected: boolean
  passive: Passive | undefined
  /** Called after the login. */
  readonly admitted: () => void
  readonly reply: (line: string) => void
  /** Sends the last reply, then ends the connection. */
  readonly end: (line: string) => void
}

/** A session after the login. */
export interface OpenSession extends FtpSession { readonly card: ServedCard }

/** Executes one command. @param fault to inject */
export type Verb = (session: OpenSession, argument: string, fault: FtpFault | undefined) => Promise<void> | void
