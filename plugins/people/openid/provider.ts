import { isComplete, type Claims } from './claims.js'
import { refusalOfFailure } from './failure-refusal.js'
import { Metadata, type MetadataDeps } from './metadata.js'
import { LoginRefused } from './refusals.js'

/** State of a login until the browser returns. */
export interface BegunLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** The authenticated user: `subject` is the provider's id, which is never reused. */
export interface Identity { readonly subject: string, readonly claims: Claims }

/** Loaded with the first login. */
const library = () => import('openid-client')

/** The provider; discovery runs with the first login, not at the start. */
export function createProvider (deps: MetadataDeps) {
  const { options } = deps
  const metadata = new Metadata(deps)

  return {
    /** Runs discovery, unless its result is less than an hour old. @throws LoginRefused */
    async check (): Promise<void> { await metadata.configuration() },
    /** @throws LoginRefused */
    async begin (redirectUri: string): Promise<BegunLogin & { readonly url: string }> {
      const {
        buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState
      } = await library()
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const url = buildAuthorizationUrl(await metadata.configuration(), {
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
      const server = await metadata.configuration()
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
