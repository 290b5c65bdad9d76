import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createTries, type Tries } from './tries.js'

/** What of a request proves that it may come in. */
export type AccessHeaders = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>

/** Who may come in: programs with the token in a header, browsers with the cookie of the login page. */
export interface Access {
  /** False when everybody may come in. */
  readonly locked: boolean
  /** Takes the same time whatever it finds. */
  checkAccess (headers: AccessHeaders): boolean
  isToken (text: string): boolean
  /** Name and value of the cookie for somebody who has shown the token. */
  pass (): { readonly name: string, readonly value: string, readonly seconds: number }
  readonly cookieName: string
  /** Wrong tokens by address: typed in the login page, and sent by programs. */
  readonly typed: Tries
  readonly sent: Tries
}

const PASS_S = 180 * 24 * 3600
const MINUTE_MS = 60_000
/** A person mistypes a few times; a program that was given the wrong token asks every second or so. */
const MOST_TYPED = 10
const MOST_SENT = 300

const digest = (text: string) => createHash('sha256').update(text).digest()
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const derived = (token: string, what: string) => createHmac('sha256', token).update(what).digest('hex')

const cookieIn = (cookies: string, wanted: string): string =>
  cookies.split(';').map(text => text.trim().split('=')).find(([name]) => name === wanted)?.[1] ?? ''

/**
 * The cookie holds what follows from the token and a date, never the token. Browsers keep cookies by host and not by
 * port: the name follows from the token too, so that two services of one host do not log each other's people out,
 * and one login serves the streams on their own ports.
 * @param now ms since the epoch
 */
export function createAccess (token: string | undefined, now: () => number): Access {
  const secret = token ?? ''
  const cookieName = `prn_${derived(secret, 'name').slice(0, 8)}`
  const sign = (until: string) => derived(secret, `pass ${until}`)

  const isToken = (text: string) => same(text, secret)
  const isPass = (value: string): boolean => {
    const [until = '', signature = ''] = value.split('.')
    return same(signature, sign(until)) && Number(until) * 1000 > now()
  }

  return {
    locked: token !== undefined,
    cookieName,
    isToken,
    checkAccess ({ authorization, cookie = '' }) {
      if (token === undefined) return true
      if (authorization !== undefined) return isToken(authorization.replace(/^Bearer\s+/i, ''))
      return isPass(cookieIn(cookie, cookieName))
    },
    pass () {
      const until = String(Math.floor(now() / 1000) + PASS_S)
      return { name: cookieName, value: `${until}.${sign(until)}`, seconds: PASS_S }
    },
    typed: createTries({ most: MOST_TYPED, windowMs: MINUTE_MS, now }),
    sent: createTries({ most: MOST_SENT, windowMs: MINUTE_MS, now })
  }
}
