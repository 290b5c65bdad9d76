import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Rights } from '../../core/index.js'
import { cookieIn, type ForeignLogin, type PeopleDirectory } from '../http/index.js'
import { isPassword } from './passwords.js'
import { createIndex, digestOf, type BudgetOfKey, type Person, type Snapshot } from './snapshot.js'
import type { PeopleStore } from './store.js'

/** A login, successful or not. */
export interface LoginEvent {
  readonly name: string
  readonly address: string
  readonly ok: boolean
  /** Undefined for a password. */
  readonly way?: 'openid' | 'passkey'
  /** Why it failed, unless the password was wrong. */
  readonly detail?: string
}

declare module 'prnd' {
  interface Events {
    /** A login on the login page, successful or not. */
    'people:login': [login: LoginEvent]
  }
}

export interface DirectoryDeps {
  readonly store: () => PeopleStore
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Credentials are required even without users. */
  readonly required: boolean
  /** Distinguishes the cookies of services on the same host. */
  readonly realm: string
  readonly foreignLogin: ForeignLogin | undefined
  readonly onLogin: (login: LoginEvent) => void
  readonly budgetOf: BudgetOfKey
}

/** Only valid logins count, so that nobody else can fill it. */
const MOST_ENDED = 1_000
const EMPTY: Snapshot = { users: [], keys: [], sessions: [] }
const MOST_NAME = 64
const MOST_PASSWORD = 256

/** Authenticates by the latest snapshot of the database. */
export function createDirectory ({ store, now, log, required, realm, foreignLogin, onLogin, budgetOf }: DirectoryDeps) {
  let snapshot = EMPTY
  let index = createIndex(EMPTY)
  let isExpected = required
  let refusesPassword: (user: string) => Promise<boolean> = async () => false
  const cookieName = `prnd_p_${createHash('sha256').update(realm).digest('hex').slice(0, 8)}`
  /** Digests of logins that ended and could not be removed from the database. */
  const ended = new Set<string>()
  const sessionIn = (cookies: string) => cookieIn(cookies, cookieName)

  const directory: PeopleDirectory = {
    get isLocked () { return isExpected || snapshot.users.length > 0 || snapshot.keys.length > 0 },
    get hasPasswords () { return snapshot.users.some(({ password }) => password !== null) },
    foreignLogin,
    cookieName,
    identifyKey: key => index.key(key, now()),
    rightsOf: id => index.person(id),
    identifySession (cookies) {
      const value = sessionIn(cookies)
      return ended.size > 0 && ended.has(digestOf(value)) ? undefined : index.session(value, now())
    },
    async logIn (name, password, address) {
      const isPossible = name.length <= MOST_NAME && password.length <= MOST_PASSWORD
      const user = snapshot.users.find(({ known_as: known }) => known === name.toLowerCase())
      const ok = await isPassword(user?.password, isPossible ? password : '')
      // Asked in every case, so that neither an error nor the time taken tells that the password is right.
      const isRefused = snapshot.users.length > 0 && await refusesPassword(user?.id ?? '') && ok
      const shown = isPossible ? name : `${name.slice(0, MOST_NAME)}…`
      const login = ok && user && !isRefused ? await store().beginByPassword(user.id, user.password ?? '') : undefined
      onLogin({ name: shown, address, ok: login !== undefined, ...(isRefused && { detail: 'a passkey is required' }) })
      return login
    },
    async logOut (cookies) {
      const value = sessionIn(cookies)
      if (value === '') return
      try {
        await store().end(value)
      } catch (error) {
        if (index.session(value, now()) !== undefined && ended.size < MOST_ENDED) ended.add(digestOf(value))
        log.error({ err: error }, 'a login cannot be ended')
        throw error
      }
    }
  }

  return {
    directory,
    get snapshot () { return snapshot },
    userOf: (rights: Rights | undefined): string | undefined => (rights as Partial<Person> | undefined)?.user,
    refusePasswords (check: (user: string) => Promise<boolean>): void { refusesPassword = check },
    put (next: Snapshot): void {
      snapshot = next
      for (const id of ended) if (!next.sessions.some(session => session.id === id)) ended.delete(id)
      index = createIndex(next, budgetOf)
    },
    /** Users exist but could not be read yet: without them no one can log in. */
    expect (expected: boolean): void { isExpected = required || expected }
  }
}

export type Directory = ReturnType<typeof createDirectory>
