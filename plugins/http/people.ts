import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Language, Rights } from '../../core/index.js'

/** What a login gave: the cookie for the browser. */
export interface LoggedIn { readonly value: string, readonly seconds: number }

/** A login at another place than this service. */
export interface ForeignLogin {
  /** The text of its button. */
  label (language: Language): string
  /** @param next where on this server to go afterwards; may be empty */
  address (request: FastifyRequest, next: string): string
}

/** People and their keys, as the plugin knows them that keeps them. Identifying is asked for with every request. */
export interface PeopleDirectory {
  /** Somebody is configured, or may be: nobody comes in without showing who they are. */
  readonly isLocked: boolean
  /** There are people with passwords: the login page asks for a name. */
  readonly hasPasswords: boolean
  /** People may also log in elsewhere: the login page has a button for it. */
  readonly foreignLogin?: ForeignLogin | undefined
  readonly cookieName: string
  identifyKey (key: string): Rights | undefined
  identifySession (cookies: string): Rights | undefined
  /**
   * @param address where from, for the records
   * @returns undefined for a wrong name or password; the time taken does not tell which
   * @throws PRN_ERR_TOO_MANY_LOGINS
   */
  logIn (name: string, password: string, address: string): Promise<LoggedIn | undefined>
  logOut (cookies: string): void
}

/** The value of one cookie; empty when there is none. */
export const cookieIn = (cookies: string, wanted: string): string =>
  cookies.split(';').map(text => text.trim().split('=')).find(([name]) => name === wanted)?.[1] ?? ''

/** What the command line shows a service whose data folder it may read, in place of a token. */
export const localPassOf = (folderKey: string): string =>
  `prnd_local_${createHmac('sha256', folderKey).update('prnd command line').digest('hex')}`
