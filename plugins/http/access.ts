import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../../core/index.js'
import type { EndedLogins } from './ended-logins.js'
import type { GrantDirectory } from './grant-directory.js'
import { createLoginThrottle, type LoginThrottle } from './login-throttle.js'
import { cookieIn, localPassOf, type PasskeyLogin, type PeopleDirectory } from './people.js'

/** Headers with credentials. */
export type AccessHeaders = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>

/**
 * Authentication: programs send the token or a key in a header, browsers the cookie of the login page, and the command
 * line a proof that it can read the data folder.
 */
export interface Access {
  /** False if no credentials are required. */
  readonly locked: boolean
  /** Runs in constant time. */
  checkAccess (headers: AccessHeaders): boolean
  /** @returns undefined without valid credentials */
  identify (headers: AccessHeaders): Caller | undefined
  /** Set by the plugin that manages users. */
  readonly people: PeopleDirectory | undefined
  /** Adds the users of a plugin, which also decides whether credentials are required. */
  knowPeople (directory: PeopleDirectory): void
  /** Set by the plugin of passkeys. */
  readonly passkeys: PasskeyLogin | undefined
  knowPasskeys (passkeys: PasskeyLogin): void
  /** Set by the plugin that lets users connect programs. */
  readonly grants: GrantDirectory | undefined
  knowGrants (directory: GrantDirectory): void
  /** A token is configured, independently of users. */
  readonly hasToken: boolean
  isToken (text: string): boolean
  /** A new login with the token: its cookie. */
  pass (): { readonly name: string, readonly value: string, readonly seconds: number }
  /** Ends the login of a cookie, including all copies of the cookie. Rejects if that could not be stored. */
  endPass (headers: AccessHeaders): Promise<void>
  readonly cookieName: string
  /** Counts wrong tokens by address: typed on the login page, and sent by programs. */
  readonly typed: LoginThrottle
  readonly sent: LoginThrottle
}

const PASS_S = 180 * 24 * 3600
const MINUTE_MS = 60_000
/** People mistype a few times; a program with a wrong token retries about every second. */
const MOST_TYPED = 10
const MOST_SENT = 300

const digest = (text: string) => createHash('sha256').update(text).digest()
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const derived = (token: string, what: string) => createHmac('sha256', token).update(what).digest('hex')

export interface AccessOptions {
  /** ms since the epoch. */
  readonly now: () => number
  /** Monotonic clock, ms. @default that of the process */
  readonly steady?: () => number
  readonly ended?: Pick<EndedLogins, 'isEnded' | 'end'>
  /** Known only to those who can read the data folder. */
  readonly folderKey?: () => string | undefined
}

const NEVER_ENDED: Pick<EndedLogins, 'isEnded' | 'end'> = { isEnded: () => false, end: async () => {} }
const ID_BYTES = 12

/**
 * The cookie holds a date, an id and a signature derived from the token, never the token itself. Browsers store cookies
 * by host, not by port, so its name is derived from the token as well: two services on one host do not overwrite each
 * other's logins, and one login also covers the streams on other ports.
 */
export function createAccess (token: string | undefined, options: AccessOptions): Access {
  const { now, steady = () => performance.now(), ended = NEVER_ENDED, folderKey = () => undefined } = options
  const secret = token ?? ''
  const cookieName = `prnd_${derived(secret, 'name').slice(0, 8)}`
  const sign = (until: string, id: string) => derived(secret, `pass ${until} ${id}`)

  let people: PeopleDirectory | undefined
  let grants: GrantDirectory | undefined
  let passkeys: PasskeyLogin | undefined

  /** Never true without a configured token. */
  const isToken = (text: string) => same(text, secret) && token !== undefined

  /** Accepted only if users exist; without them the token is required even locally. */
  function isLocalPass (text: string): boolean {
    const key = folderKey()
    return key !== undefined && same(text, localPassOf(key)) && people?.isLocked === true
  }

  function identify ({ authorization, cookie = '' }: AccessHeaders): Caller | undefined {
    if (authorization === undefined) return passIn(cookie) === undefined ? people?.identifySession(cookie) : 'token'
    const shown = authorization.replace(/^Bearer\s+/i, '')
    return isToken(shown) ? 'token' : isLocalPass(shown) ? 'local' : people?.identifyKey(shown)
  }

  /** @returns the valid login of a cookie */
  function passIn (cookies: string): { id: string, until: number } | undefined {
    const [until = '', id = '', signature = ''] = cookieIn(cookies, cookieName).split('.')
    const fits = token !== undefined && same(signature, sign(until, id)) && Number(until) * 1000 > now()
    return fits && !ended.isEnded(id, Number(until) - PASS_S) ? { id, until: Number(until) } : undefined
  }

  return {
    get locked () { return token !== undefined || people?.isLocked === true },
    hasToken: token !== undefined,
    get people () { return people },
    knowPeople (directory) { people = directory },
    get passkeys () { return passkeys },
    knowPasskeys (login) { passkeys = login },
    get grants () { return grants },
    knowGrants (directory) { grants = directory },
    identify,
    cookieName,
    isToken,
    checkAccess (headers) { return !this.locked || identify(headers) !== undefined },
    pass () {
      const until = String(Math.floor(now() / 1000) + PASS_S)
      const id = randomBytes(ID_BYTES).toString('hex')
      return { name: cookieName, value: `${until}.${id}.${sign(until, id)}`, seconds: PASS_S }
    },
    async endPass ({ cookie = '' }) {
      const login = passIn(cookie)
      if (login) await ended.end(login.id, login.until)
    },
    typed: createLoginThrottle({ most: MOST_TYPED, windowMs: MINUTE_MS, now: steady }),
    sent: createLoginThrottle({ most: MOST_SENT, windowMs: MINUTE_MS, now: steady })
  }
}
