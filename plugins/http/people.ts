import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Language, Rights } from '../../core/index.js'

/** The cookie of a login. */
export interface LoggedIn { readonly value: string, readonly seconds: number }

/** A login with an external provider. */
export interface ForeignLogin {
  /** Text of the button. */
  label (language: Language): string
  /** @param next path on this server to go to afterwards; may be empty */
  address (request: FastifyRequest, next: string): string
}

/** Passkeys, as the login page offers them. */
export interface PasskeyLogin {
  /** Browsers have passkeys at the address of this request. */
  isOffered (request: FastifyRequest): boolean
  /** Of the login page, which loads no files. */
  readonly script: string
}

/** Users and their keys, provided by the plugin that stores them. Identification runs for every request. */
export interface PeopleDirectory {
  /** Users are configured, or may be: credentials are required. */
  readonly isLocked: boolean
  /** Users with passwords exist: the login page asks for a name. */
  readonly hasPasswords: boolean
  /** Users may also log in with an external provider, for which the login page has a button. */
  readonly foreignLogin?: ForeignLogin | undefined
  readonly cookieName: string
  identifyKey (key: string): Rights | undefined
  identifySession (cookies: string): Rights | undefined
  /** Current rights of a user by the `id` of earlier rights; undefined if there is no such user. */
  rightsOf (id: string): Rights | undefined
  /**
   * @param address of the client, for the audit log
   * @returns undefined for a wrong name or password, and the time taken does not reveal which; also for the right one
   * of a user who needs a passkey, so that nobody learns a password here
   * @throws PRN_ERR_TOO_MANY_LOGINS
   */
  logIn (name: string, password: string, address: string): Promise<LoggedIn | undefined>
  /** The login is over in this process in any case. Rejects if that could not be stored: it would come back. */
  logOut (cookies: string): Promise<void>
}

/** The value of one cookie; empty if it is missing. */
export const cookieIn = (cookies: string, wanted: string): string =>
  cookies.split(';').map(text => text.trim().split('=')).find(([name]) => name === wanted)?.[1] ?? ''

/** Sent by the command line instead of a token, to a service whose data folder it can read. */
export const localPassOf = (folderKey: string): string =>
  `prnd_local_${createHmac('sha256', folderKey).update('prnd command line').digest('hex')}`
