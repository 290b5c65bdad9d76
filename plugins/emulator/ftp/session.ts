import type { Socket } from 'node:net'
import type { InsertedCard } from './card.js'
import type { Passive } from './data.js'
import type { FtpFault } from './fault.js'
import type { Profile } from './profile.js'
import type { FtpTls } from './tls.js'

/** What all connections to one card server share. */
export interface Shop {
  readonly host: string
  readonly card: InsertedCard
  readonly profile: Profile
  readonly now: () => number
  readonly secure: FtpTls['secure']
  readonly admits: (user: string, password: string) => boolean
  /** Only one transfer at a time: a second one finds no data connection. */
  isBusy: boolean
}

/** One client on its control connection. */
export interface FtpSession {
  readonly shop: Shop
  readonly socket: Socket
  /** Address of the client. */
  readonly peer: string | undefined
  user: string
  isIn: boolean
  cwd: string
  /** From where the next file is sent. */
  restart: number
  renaming: string | undefined
  isProtected: boolean
  passive: Passive | undefined
  readonly reply: (line: string) => void
}

/** Does one command. @param fault what goes wrong with it */
export type Verb = (session: FtpSession, argument: string, fault: FtpFault | undefined) => Promise<void> | void
