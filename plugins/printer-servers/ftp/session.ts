import type { Socket } from 'node:net'
import type { Passive } from './data.js'
import type { FaultSource, FtpFault } from './fault.js'
import type { FtpProfile } from './profile.js'
import type { ServedCard } from './store.js'
import type { Login } from '../broker.js'
import type { FtpTls } from './tls.js'

/** What all connections to one server share. */
export interface Shop {
  readonly host: string
  readonly faults: FaultSource
  readonly profile: FtpProfile
  readonly now: () => number
  readonly secure: FtpTls['secure']
  /** The card as this client sees it; undefined turns it away. */
  readonly admit: (login: Login) => ServedCard | undefined | Promise<ServedCard | undefined>
  /** A client ended its session, or lost its connection. */
  readonly left?: ((card: ServedCard) => void) | undefined
  /** At a time, of all clients; one more finds no data connection. */
  readonly mostTransfers: number
  /** How long a transfer may stand still. */
  readonly stallMs: number
  transfers: number
}

/** One client on its control connection. */
export interface FtpSession {
  readonly shop: Shop
  readonly socket: Socket
  /** Address of the client. */
  readonly peer: string | undefined
  user: string
  /** Of a client that has logged in. */
  card: ServedCard | undefined
  cwd: string
  /** From where the next file is sent. */
  restart: number
  renaming: string | undefined
  isProtected: boolean
  passive: Passive | undefined
  /** It has logged in. */
  readonly admitted: () => void
  readonly reply: (line: string) => void
  /** Says the last line, and ends the connection once it is sent. */
  readonly end: (line: string) => void
}

/** One that has logged in. */
export interface OpenSession extends FtpSession { readonly card: ServedCard }

/** Does one command. @param fault what goes wrong with it */
export type Verb = (session: OpenSession, argument: string, fault: FtpFault | undefined) => Promise<void> | void
