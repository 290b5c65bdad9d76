import type { Configuration } from 'openid-client'
import type { ConnectionReport } from '../../../core/index.js'
import { isComplete, type Claims } from './claims.js'
import { boundedFetch } from './fetch.js'
import type { OpenIdOptions } from './options.js'
import { LoginRefused } from './refusals.js'
import { refusalFor } from './wording.js'

/** What a login needs when the browser comes back. */
export interface Begun {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Who came back: the provider's own number for the user, never used again for another. */
export interface Identity { readonly subject: string, readonly claims: Claims }

export interface ProviderDeps {
  readonly options: OpenIdOptions
  readonly secret: string | undefined
  /** ms of a clock that nobody sets. */
  readonly steady: () => number
  /** Told whether the provider says who it is. */
  readonly report?: ConnectionReport
}

/** What the provider says of itself is read again after this time. */
const KEEP_MS = 3_600_000
/** After a failure it is left alone so long, however often somebody asks. */
const PAUSE_MS = 3_000

/** Loaded with the first login. */
const library = () => import('openid-client')

/** The provider: it is asked for its addresses with the first login, not at the start. */
export function createProvider ({ options, secret, steady, report }: ProviderDeps) {
  let known: { readonly configuration: Configuration, readonly until: number } | undefined
  let failed: { readonly refusal: LoginRefused, readonly until: number } | undefined
  let asking: Promise<Configuration> | undefined

  async function discover (): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks, ...auth } = await library()
    const basic = auth.ClientSecretBasic(secret)
    const post = auth.ClientSecretPost(secret)
    const takesBasic = (methods: readonly string[] = ['client_secret_basic']) => methods.includes('client_secret_basic')
    return await discovery(new URL(options.issuer), options.clientId, {}, secret === undefined
      ? auth.None()
      : (as, ...rest) => (takesBasic(as.token_endpoint_auth_methods_supported) ? basic : post)(as, ...rest), {
      timeout: options.timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(options.issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
      [customFetch]: boundedFetch
    })
  }

  /** One question for all who log in at the time; what was known stays good while the provider is away. */
  async function configuration (): Promise<Configuration> {
    if (known !== undefined && known.until > steady()) return known.configuration
    if (failed !== undefined && failed.until > steady()) {
      if (known !== undefined) return known.configuration
      throw failed.refusal
    }
    asking ??= discover().finally(() => { asking = undefined })
    try {
      const found = await asking
      known = { configuration: found, until: steady() + KEEP_MS }
      report?.connected()
      return found
    } catch (error) {
      const refusal = refusalFor(error)
      failed = { refusal, until: steady() + PAUSE_MS }
      report?.failed(refusal)
      if (known !== undefined) return known.configuration
      throw refusal
    }
  }

  return {
    /** Asks it who it is, unless it said so within the hour. @throws LoginRefused */
    check: configuration,
    /** @throws LoginRefused */
    async begin (redirectUri: string): Promise<Begun & { readonly url: string }> {
      const {
        buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState
      } = await library()
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: options.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256'
      })
      return { url: url.href, state, nonce, verifier, redirectUri }
    },

    /**
     * Turns the code that a browser brought into who it is: signature, issuer, audience, time and nonce are checked.
     * @param query what the browser came back with
     * @throws LoginRefused
     */
    async finish (query: string, { state, nonce, verifier, redirectUri }: Begun): Promise<Identity> {
      const { authorizationCodeGrant, fetchUserInfo } = await library()
      const server = await configuration()
      try {
        const tokens = await authorizationCodeGrant(server, new URL(`${redirectUri}?${query}`), {
          expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new LoginRefused('unusable', 'the provider gave no ID token')
        const { sub: subject } = claims
        const hasMore = server.serverMetadata().userinfo_endpoint !== undefined
        if (isComplete(claims, options) || !hasMore) return { subject, claims }
        return { subject, claims: { ...await fetchUserInfo(server, tokens.access_token, subject), ...claims } }
      } catch (error) {
        throw refusalFor(error)
      }
    }
  }
}

export type Provider = ReturnType<typeof createProvider>
