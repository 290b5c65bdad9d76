import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieIn, FOREIGN_LOGIN, FOREIGN_RETURN, loginCookie, placeOf, refuseGuesser, sendLoginAgain, type LoggedIn } from '../../http/index.js'
import { preferencesOf, type Services } from '../../../core/index.js'
import type { LoginEvent } from '../directory.js'
import type { BegunLogin, Identity, Provider } from './provider.js'
import { LoginRefused } from './refusals.js'
import type { Seal } from './seal.js'
import { openIdTexts } from './texts/index.js'

export interface OpenIdDeps {
  readonly http: Services['http']
  readonly provider: Provider
  readonly seal: Seal
  /** For the login, and for the pending login while the user is at the provider. */
  readonly cookieNames: { readonly login: string, readonly begun: string }
  /** Base URL of the service as seen by this browser. */
  readonly baseUrl: (request: FastifyRequest) => string
  /** ms since the epoch. */
  readonly now: () => number
  /** @throws LoginRefused */
  readonly logIn: (identity: Identity) => Promise<{ readonly name: string, readonly login: LoggedIn }>
  readonly onLogin: (login: LoginEvent) => void
}

interface Pending extends BegunLogin { readonly next: string, readonly until: number }

/** Time limit of a login, long enough for a second factor. */
const MOST_S = 15 * 60

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
const queryOf = ({ url }: FastifyRequest): string => url.split('?')[1] ?? ''

/**
 * Authorization code with PKCE. The cookie of a pending login is `SameSite=Lax`: the redirect back starts on the
 * provider's site, so the browser would not send a strict one.
 */
export function serveOpenId (app: FastifyInstance, deps: OpenIdDeps): void {
  const { http: { access }, provider, seal, cookieNames, baseUrl, now, logIn, onLogin } = deps
  const hidden = { schema: { hide: true } as object, exposeHeadRoute: false }

  const pendingCookie = ({ protocol }: FastifyRequest, value: string, seconds: number) => `${cookieNames.begun}=${value}; ` +
    `Path=${FOREIGN_LOGIN}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${protocol === 'https' ? '; Secure' : ''}`

  /** Shows the reason, and counts the failure against guessing. */
  function refuse (request: FastifyRequest, reply: FastifyReply, next: string, error: unknown): FastifyReply {
    if (!(error instanceof LoginRefused)) throw error
    const { reason, message, status, who } = error
    const { ip: address, headers } = request
    if (status < 500) access.typed.count(address)
    request.log.warn({ address, reason }, `a login with OpenID Connect was refused: ${message}`)
    onLogin({ name: who ?? 'network', address, ok: false, way: 'openid', detail: message })
    const { language } = preferencesOf(headers)
    return sendLoginAgain(access, request, reply.code(status), next, openIdTexts[language][reason])
  }

  /** @throws LoginRefused if this browser did not start the login, or too long ago */
  function pendingOf (request: FastifyRequest): Pending {
    const pending = seal.open(cookieIn(request.headers.cookie ?? '', cookieNames.begun)) as Pending | undefined
    if (pending === undefined) throw new LoginRefused('stale', 'this browser did not start it')
    if (pending.until <= now()) throw new LoginRefused('stale', 'it took too long')
    const { state } = request.query as { state?: unknown }
    if (typeof state !== 'string' || !isSame(state, pending.state)) throw new LoginRefused('stale', 'another one was started')
    return pending
  }

  app.get(FOREIGN_LOGIN, hidden, async (request, reply) => {
    const next = placeOf((request.query as { next?: unknown }).next)
    if (refuseGuesser(access, request, reply)) return reply
    try {
      const { url, ...begun } = await provider.begin(`${baseUrl(request)}${FOREIGN_RETURN}`)
      const pending: Pending = { ...begun, next, until: now() + MOST_S * 1_000 }
      return reply.header('set-cookie', pendingCookie(request, seal.close(pending), MOST_S))
        .header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 303)
    } catch (error) {
      return refuse(request, reply, next, error)
    }
  })

  app.get(FOREIGN_RETURN, hidden, async (request, reply) => {
    if (refuseGuesser(access, request, reply)) return reply
    reply.header('set-cookie', pendingCookie(request, '', 0)).header('referrer-policy', 'no-referrer')
    let next = ''
    try {
      const pending = pendingOf(request)
      next = pending.next
      const { name, login } = await logIn(await provider.finish(queryOf(request), pending))
      onLogin({ name, address: request.ip, ok: true, way: 'openid' })
      // The login page reloads itself, because the strict cookie set here is not sent with this redirect.
      return reply.header('set-cookie', loginCookie(request, cookieNames.login, login.value, login.seconds))
        .header('cache-control', 'no-store').redirect(`/login?next=${encodeURIComponent(next === '' ? '/' : next)}`, 303)
    } catch (error) {
      return refuse(request, reply, next, error)
    }
  })
}
