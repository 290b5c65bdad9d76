import type { Configuration } from 'openid-client'
import type { ConnectionReport } from '../../../core/index.js'
import { refusalOfFailure } from './failure-refusal.js'
import { boundedFetch } from './fetch.js'
import type { OpenIdOptions } from './options.js'
import type { LoginRefused } from './refusals.js'

/** The provider's metadata is read again after this time. */
const METADATA_MS = 3_600_000
/** After a failed discovery there is no new attempt for this long. */
const PAUSE_MS = 3_000

export interface MetadataDeps {
  readonly options: OpenIdOptions
  readonly secret: string | undefined
  /** Monotonic clock, ms. */
  readonly monotonic: () => number
  /** Receives the result of discovery. */
  readonly report?: ConnectionReport
}

/** The provider's metadata, discovered with the first login and not at the start. */
export class Metadata {
  readonly #deps: MetadataDeps
  #known: { readonly configuration: Configuration, readonly until: number } | undefined
  #failed: { readonly refusal: LoginRefused, readonly until: number } | undefined
  #asking: Promise<Configuration> | undefined

  constructor (deps: MetadataDeps) {
    this.#deps = deps
  }

  /**
   * Concurrent logins share one discovery; old metadata stays in use while the provider is unavailable.
   * @throws LoginRefused
   */
  async configuration (): Promise<Configuration> {
    const now = this.#deps.monotonic()
    if (this.#known !== undefined && this.#known.until > now) return this.#known.configuration
    if (this.#failed !== undefined && this.#failed.until > now) return this.#knownOr(this.#failed.refusal)
    this.#asking ??= discover(this.#deps).finally(() => { this.#asking = undefined })
    try {
      return this.#found(await this.#asking)
    } catch (error) {
      return this.#knownOr(this.#refuse(error))
    }
  }

  #found (configuration: Configuration): Configuration {
    this.#known = { configuration, until: this.#deps.monotonic() + METADATA_MS }
    this.#deps.report?.connected()
    return configuration
  }

  #refuse (error: unknown): LoginRefused {
    const refusal = refusalOfFailure(error)
    this.#failed = { refusal, until: this.#deps.monotonic() + PAUSE_MS }
    this.#deps.report?.failed(refusal)
    return refusal
  }

  /** @throws LoginRefused when nothing was ever discovered */
  #knownOr (refusal: LoginRefused): Configuration {
    if (this.#known === undefined) throw refusal
    return this.#known.configuration
  }
}

async function discover ({ options, secret }: MetadataDeps): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks, ...auth } =
    await import('openid-client')
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
