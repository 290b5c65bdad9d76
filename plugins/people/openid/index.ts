import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { baseUrlFor, readSecret, type Kernel, type Services } from '../../../core/index.js'
import { FOREIGN_LOGIN, type ForeignLogin } from '../../http/index.js'
import type { LoginEvent } from '../directory.js'
import { NameTaken, PeopleFull } from '../errors.js'
import type { PeopleStore } from '../store.js'
import { nameIn, roleIn } from './claims.js'
import { checkOptions, SECRET_KEY, type OpenIdOptions } from './options.js'
import { createProvider, type Identity } from './provider.js'
import { LoginRefused } from './refusals.js'
import { serveOpenId } from './routes.js'
import { createSeal } from './seal.js'
import { openIdTexts } from './texts/index.js'

export { OpenIdOptions } from './options.js'

export interface OpenIdContext {
  readonly app: FastifyInstance
  readonly kernel: Kernel
  readonly http: Services['http']
  readonly store: PeopleStore
  readonly loginCookieName: string
  readonly onLogin: (login: LoginEvent) => void
}

/** The button on the login page. A stream's port is not registered with the provider, so the API's port is used. */
export const foreignLogin = ({ button }: OpenIdOptions, kernel: Kernel): ForeignLogin => ({
  label: language => button ?? openIdTexts[language].button,
  address ({ socket: { localPort }, protocol, hostname }, next) {
    const isStream = localPort !== undefined && kernel.apiPort !== 0 && localPort !== kernel.apiPort
    if (isStream) return `${protocol}://${hostname}:${kernel.apiPort}${FOREIGN_LOGIN}`
    return next === '' ? FOREIGN_LOGIN : `${FOREIGN_LOGIN}?next=${encodeURIComponent(next)}`
  }
})

/** Adds the name, so that the audit log shows who was refused. */
function refusalOf (error: unknown, who?: string): unknown {
  const refusal = error instanceof NameTaken
    ? new LoginRefused('nameTaken', error.message)
    : error instanceof PeopleFull ? new LoginRefused('full', error.message) : error
  if (refusal instanceof LoginRefused) refusal.who ??= who
  return refusal
}

/**
 * Logins with an OpenID Connect provider, which is not contacted before the first login.
 * @throws PRN_ERR_CONFIG
 */
export async function openOpenId (options: OpenIdOptions, context: OpenIdContext): Promise<void> {
  const { app, kernel, http, store, loginCookieName, onLogin } = context
  checkOptions(options)
  const { clientSecret, issuer, clientId, roleClaim } = options
  const secret = clientSecret === undefined ? undefined : await readSecret(clientSecret, SECRET_KEY)
  if (secret !== undefined) kernel.maskSecret(secret)
  const { api } = kernel.config
  const mark = createHash('sha256').update(`${loginCookieName} ${issuer} ${clientId}`).digest('hex').slice(0, 8)

  async function logIn ({ subject, claims }: Identity) {
    const foreignId = `${issuer} ${subject}`
    let name: string | undefined
    try {
      name = nameIn(claims, options)
      const role = roleIn(claims, options)
      const user = await store.provision({ foreignId, name, role, setsRole: roleClaim !== undefined })
      return { name: user.name, login: await store.begin(user.id) }
    } catch (error) {
      const refusal = refusalOf(error, name)
      if (refusal instanceof LoginRefused) {
        // Without a name it is the provider's settings that are wrong, not the user.
        await (refusal.reason === 'noRole' ? store.refuseForeign : store.endForeignLogins)(foreignId)
      }
      throw refusal
    }
  }

  const monotonic = kernel.now === Date.now ? () => performance.now() : kernel.now
  const report = kernel.connections.add({
    name: 'openid', plugin: 'people', what: 'the OpenID provider', address: issuer, check: async () => await provider.check()
  })
  const provider = createProvider({ options, secret, monotonic, report })
  serveOpenId(app, {
    http,
    provider,
    seal: createSeal(secret),
    cookieNames: { login: loginCookieName, begun: `prnd_o_${mark}` },
    baseUrl: (request: FastifyRequest) => api.publicUrl === undefined
      ? `${request.protocol}://${request.host}`
      : baseUrlFor(kernel),
    now: kernel.now,
    logIn,
    onLogin
  })
}
