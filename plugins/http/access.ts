import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../../core/index.js'
import type { EndedLogins } from './ended-logins.js'
import { createLoginThrottle, type LoginThrottle } from './login-throttle.js'
import { cookieIn, localPassOf, type PeopleDirectory } from './people.js'

/** What of a request proves that it may come in. */
export type AccessHeaders = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>

/**
 * Who may come in: programs with the token or a key in a header, browsers with the cookie of the login page, and the
 * command line with a proof that it may read the data folder.
 */
export interface Access {
  /** False when everybody may come in. */
  readonly locked: boolean
  /** Takes the same time whatever it finds. */
  checkAccess (headers: AccessHeaders): boolean
  /** Who shows these credentials; undefined for nobody. */
  identify (headers: AccessHeaders): Caller | undefined
  /** Those who know people, once there is a plugin for that. */
  readonly people: PeopleDirectory | undefined
  /** From now on this plugin's people may come in, and nobody else may where it says so. */
  knowPeople (directory: PeopleDirectory): void
  /** There is a token, apart from people. */
  readonly hasToken: boolean
  isToken (text: string): boolean
  /** Name and value of the cookie for somebody who has shown the token: one login. */
  pass (): { readonly name: string, readonly value: string, readonly seconds: number }
  /** Ends the login of a cookie, wherever a copy of it is kept. */
  endPass (headers: AccessHeaders): void
  readonly cookieName: string
  /** Wrong tokens by address: typed in the login page, and sent by programs. */
  readonly typed: LoginThrottle
  readonly sent: LoginThrottle
}

const PASS_S = 180 * 24 * 3600
const MINUTE_MS = 60_000
/** A person mistypes a few times; a program that was given the wrong token asks every second or so. */
const MOST_TYPED = 10
const MOST_SENT = 300

const digest = (text: string) => createHash('sha256').update(text).digest()
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const derived = (token: string, what: string) => createHmac('sha256', token).update(what).digest('hex')

export interface AccessOptions {
  /** ms since the epoch. */
  readonly now: () => number
  /** ms of a clock that nobody sets. @default that of the process */
  readonly steady?: () => number
  readonly ended?: Pick<EndedLogins, 'isEnded' | 'end'>
  /** What only those know who may read the data folder. */
  readonly folderKey?: () => string | undefined
}

const NEVER_ENDED: Pick<EndedLogins, 'isEnded' | 'end'> = { isEnded: () => false, end: () => {} }
const ID_BYTES = 12

/**
 * The cookie holds what follows from the token, a date and a number, never the token. Browsers keep cookies by host and
 * not by port: the name follows from the token too, so that two services of one host do not log each other's people
 * out, and one login serves the streams on their own ports.
 */
export function createAccess (token: string | undefined, options: AccessOptions): Access {
  const { now, steady = () => performance.now(), ended = NEVER_ENDED, folderKey = () => undefined } = options
  const secret = token ?? ''
  const cookieName = `prnd_${derived(secret, 'name').slice(0, 8)}`
  const sign = (until: string, id: string) => derived(secret, `pass ${until} ${id}`)

  let people: PeopleDirectory | undefined

  /** Without a token nothing is the token, and nothing follows from it. */
  const isToken = (text: string) => same(text, secret) && token !== undefined

  /** Where only the token is known, the token is asked of everybody. */
  function isLocalPass (text: string): boolean {
    const key = folderKey()
    return key !== undefined && same(text, localPassOf(key)) && people?.isLocked === true
  }

  function identify ({ authorization, cookie = '' }: AccessHeaders): Caller | undefined {
    if (authorization === undefined) return passIn(cookie) === undefined ? people?.identifySession(cookie) : 'token'
    const shown = authorization.replace(/^Bearer\s+/i, '')
    return isToken(shown) ? 'token' : isLocalPass(shown) ? 'local' : people?.identifyKey(shown)
  }

  /** @returns the login of a cookie that may come in */
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
    identify,
    cookieName,
    isToken,
    checkAccess (headers) { return !this.locked || identify(headers) !== undefined },
    pass () {
      const until = String(Math.floor(now() / 1000) + PASS_S)
      const id = randomBytes(ID_BYTES).toString('hex')
      return { name: cookieName, value: `${until}.${id}.${sign(until, id)}`, seconds: PASS_S }
    },
    endPass ({ cookie = '' }) {
      const login = passIn(cookie)
      if (login) ended.end(login.id, login.until)
    },
    typed: createLoginThrottle({ most: MOST_TYPED, windowMs: MINUTE_MS, now: steady }),
    sent: createLoginThrottle({ most: MOST_SENT, windowMs: MINUTE_MS, now: steady })
  }
}
