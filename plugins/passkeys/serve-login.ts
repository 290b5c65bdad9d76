import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput, readPageFile, validationError, type Services } from '../../core/index.js'
import { loginCookie, PASSKEY_LOGIN, PASSKEY_OPTIONS, TooManyTries } from '../http/index.js'
import type { LoginEvent } from '../people/index.js'
import { NoPasskeysHere, PasskeyRefused } from './errors.js'
import { ShownCredential } from './schemas.js'
import { siteOf } from './site.js'

export interface LoginDeps {
  readonly services: Pick<Services, 'http' | 'people' | 'passkeys'>
  /** The base URL of the service as this browser sees it. */
  readonly baseUrl: (request: FastifyRequest) => string
  readonly onLogin: (login: LoginEvent) => void
}

const LONGEST_BYTES = 40_000

/** What the login page shows, and the two requests behind its button. */
export function serveLogin (app: FastifyInstance, { services, baseUrl, onLogin }: LoginDeps): void {
  const { http: { access }, people, passkeys } = services
  const hidden = { schema: { hide: true } as object, bodyLimit: LONGEST_BYTES }
  let script: string | undefined

  access.knowPasskeys({
    isOffered: request => siteOf(baseUrl(request)) !== undefined,
    get script () { return (script ??= readPageFile('passkeys', 'log-in.js')) }
  })

  /** @throws PRN_ERR_NO_PASSKEYS_HERE, PRN_ERR_TOO_MANY_TRIES */
  function siteFor (request: FastifyRequest) {
    const address = baseUrl(request)
    const site = siteOf(address)
    if (site === undefined) throw new NoPasskeysHere(new URL(address).host)
    const waitS = access.typed.waitS(request.ip)
    if (waitS > 0) throw new TooManyTries(waitS).with({ retry_after: waitS })
    return site
  }

  app.post(PASSKEY_OPTIONS, hidden, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return await passkeys.beginLogin(siteFor(request))
  })

  app.post(PASSKEY_LOGIN, hidden, async (request, reply) => {
    const site = siteFor(request)
    const { ip: address } = request
    const problem = validationError(ShownCredential, request.body)
    if (problem !== undefined) throw new BadInput(problem)
    try {
      const person = await passkeys.logIn(site, request.body as AuthenticationResponseJSON)
      const rights = access.people?.rightsOf(`user ${person}`)
      if (rights === undefined) throw new PasskeyRefused('its user is gone')
      const { value, seconds } = await people.store.begin(person)
      onLogin({ name: rights.name, address, ok: true, way: 'passkey' })
      return await reply.header('set-cookie', loginCookie(request, access.people?.cookieName ?? '', value, seconds))
        .header('cache-control', 'no-store').code(204).send()
    } catch (error) {
      if (!(error instanceof PasskeyRefused)) throw error
      access.typed.count(address)
      request.log.warn({ address }, `a login with a passkey was refused: ${error.message}`)
      onLogin({ name: 'network', address, ok: false, way: 'passkey', detail: error.message })
      throw error
    }
  })
}
