import type { Configuration } from 'openid-client'
import type { ConnectionReport } from '../../../core/index.js'
import { isComplete, type Claims } from './claims.js'
import { boundedFetch } from './fetch.js'
import type { OpenIdOptions } from './options.js'
import { LoginRefused } from './refusals.js'
import { refusalOfFailure } from './failure-refusal.js'

/** State of a login until the browser returns. */
export interface BegunLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** The authenticated user: `subject` is the provider's id, which is never reused. */
export interface Identity { readonly subject: string, readonly claims: Claims }

export interface ProviderDeps {
  readonly options: OpenIdOptions
  readonly secret: string | undefined
  /** Monotonic clock, ms. */
  readonly monotonic: () => number
  /** Receives the result of discovery. */
  readonly report?: ConnectionReport
}

/** The provider's metadata is read again after this time. */
const METADATA_MS = 3_600_000
/** After a failed discovery there is no new attempt for this long. */
const PAUSE_MS = 3_000

/** Loaded with the first login. */
const library = () => import('openid-client')

/** The provider; discovery runs with the first login, not at the start. */
export function createProvider ({ options, secret, monotonic, report }: ProviderDeps) {
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

  /** Concurrent logins share one discovery; old metadata stays in use while the provider is unavailable. */
  async function configuration (): Promise<Configuration> {
    if (known !== undefined && known.until > monotonic()) return known.configuration
    if (failed !== undefined && failed.until > monotonic()) {
      if (known !== undefined) return known.configuration
      throw failed.refusal
    }
    asking ??= discover().finally(() => { asking = undefined })
    try {
      const found = await asking
      known = { configuration: found, until: monotonic() + METADATA_MS }
      report?.connected()
      return found
    } catch (error) {
      const refusal = refusalOfFailure(error)
      failed = { refusal, until: monotonic() + PAUSE_MS }
      report?.failed(refusal)
      if (known !== undefined) return known.configuration
      throw refusal
    }
  }

  return {
    /** Runs discovery, unless its result is less than an hour old. @throws LoginRefused */
    check: configuration,
    /** @throws LoginRefused */
    async begin (redirectUri: string): Promise<BegunLogin & { readonly url: string }> {
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
     * Exchanges the code for the user's identity, checking signature, issuer, audience, time and nonce.
     * @param query of the URL to which the browser returned
     * @throws LoginRefused
     */
    async finish (query: string, { state, nonce, verifier, redirectUri }: BegunLogin): Promise<Identity> {
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
        throw refusalOfFailure(error)
      }
    }
  }
}

export type Provider = ReturnType<typeof createProvider>
