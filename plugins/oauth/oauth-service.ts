import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { recorded, rightsOf, type Budget, type Caller, type Kernel, type Rights } from '../../core/index.js'
import { budgetIn } from '../people/index.js'
import { addressOf, addressOfPage, isSecureAddress, PROTECTED_PATH, resourceAt } from './address.js'
import { createClients, type ClientDeps } from './clients.js'
import { createGrantIndex, rightsOfGrant, type GrantSnapshot } from './grant-index.js'
import { createGrants } from './grants.js'
import { OAuthNotOffered, OnlyUsersGrant, TokenReused } from './errors.js'
import { METADATA_PATHS } from './metadata.js'
import { SCOPES } from './authorization-request.js'
import type { GrantRow } from './tables.js'

const PREFIX = 'prnd_at_'
const EMPTY: GrantSnapshot = { grants: [], tokens: [] }

export interface OAuthDeps {
  readonly kernel: Kernel
  readonly log: FastifyBaseLogger
  readonly database: ClientDeps['database']
  /** Whether agents are served at all. */
  readonly isServed: () => boolean
  readonly fetch?: ClientDeps['fetch']
}

/** Lets programs connect to the protected endpoint with a grant of a user. */
export class OAuthService {
  readonly #deps: OAuthDeps
  readonly clients
  readonly grants
  #snapshot = EMPTY
  #index = createGrantIndex(EMPTY)
  /** When grants were used since the last time that was stored. */
  #used = new Map<string, number>()
  #isLoaded = false

  constructor (deps: OAuthDeps) {
    const { database, kernel: { now } } = deps
    this.#deps = deps
    this.clients = createClients({ database, now, ...(deps.fetch && { fetch: deps.fetch }) })
    this.grants = createGrants({
      database,
      now,
      isPerson: person => this.#rightsOf(person) !== undefined,
      onChange: snapshot => {
        this.#snapshot = snapshot
        this.#index = createGrantIndex(snapshot)
        this.#isLoaded = true
      }
    })
  }

  get snapshot (): GrantSnapshot { return this.#snapshot }

  /** What a grant may print; undefined without a limit. */
  budgetOf ({ id, name, budget }: GrantRow): Budget | undefined {
    const { bookings } = this.#deps.kernel.services.people
    return budget === null ? undefined : bookings.budgetOf({ id: `grant ${id}`, name, budget: () => budgetIn(budget) })
  }

  get #access () { return this.#deps.kernel.services.http.access }

  #rightsOf (person: string): Rights | undefined { return this.#access.people?.rightsOf(person) }

  /** The user who logged in; a key of a user cannot connect programs. @throws PRN_ERR_ONLY_USERS_GRANT */
  personOf (caller: Caller | undefined): Rights & { readonly id: string } {
    const rights = rightsOf(caller)
    const person = rights?.id === undefined ? undefined : this.#rightsOf(rights.id)
    if (rights?.id === undefined || person?.name !== rights.name) throw new OnlyUsersGrant()
    return { ...rights, id: rights.id }
  }

  /** Without users there is nobody to consent. */
  get #hasUsers (): boolean {
    const { people } = this.#access
    return people !== undefined && (people.hasPasswords || people.foreignLogin !== undefined)
  }

  /** @returns the address of this service for a request; undefined where programs cannot be connected */
  offeredAt (request: FastifyRequest): string | undefined {
    const address = addressOf(request, this.#deps.kernel.config.api.publicUrl)
    return this.#hasUsers && this.#deps.isServed() && isSecureAddress(address) ? address : undefined
  }

  /** The address of this service for a page in a browser. @throws PRN_ERR_OAUTH_NOT_OFFERED */
  addressFor (origin: string): string {
    const address = addressOfPage(origin, this.#deps.kernel.config.api.publicUrl)
    if (!this.#hasUsers) throw new OAuthNotOffered('there are no users who could log in')
    if (!this.#deps.isServed()) throw new OAuthNotOffered('agents are not served')
    if (!isSecureAddress(address)) throw new OAuthNotOffered('the connection is not encrypted. Use the address with https://')
    return address
  }

  /** How an access token is judged, if a request has one and goes where they are valid. */
  identifier (request: FastifyRequest): (() => Rights | undefined) | undefined {
    const { headers: { authorization = '' }, routeOptions: { url } } = request
    const token = authorization.replace(/^Bearer\s+/i, '')
    if (url !== PROTECTED_PATH || !token.startsWith(PREFIX)) return undefined
    const resource = resourceAt(addressOf(request, this.#deps.kernel.config.api.publicUrl))
    return () => this.#identify(token, resource)
  }

  #identify (token: string, resource: string): Rights | undefined {
    const now = this.#deps.kernel.now()
    const grant = this.#index.find(token, resource, now)
    if (grant === undefined) return undefined
    this.#used.set(grant.id, now)
    return rightsOfGrant(grant, person => this.#rightsOf(person), row => this.budgetOf(row))
  }

  /** RFC 9728: where a program learns how it gets a token. */
  challenge (request: FastifyRequest): string | undefined {
    if (request.routeOptions.url !== PROTECTED_PATH) return undefined
    const address = this.offeredAt(request)
    if (address === undefined) return undefined
    const fault = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
    return `Bearer resource_metadata="${address}${METADATA_PATHS.resource}", scope="${SCOPES.join(' ')}"${fault}`
  }

  /** Whether a code, or a token of either kind, is one that was given out. */
  isKnown (credential: string): boolean { return this.#index.isKnown(credential) }

  lastUse ({ id, used_at: at }: GrantRow): number | null { return this.#used.get(id) ?? at }

  /** Ends the connections of grants that have ended; they were checked only when they began. */
  reviewConnections (): void { this.#deps.kernel.events.emit('people:changed') }

  /** Somebody else may have a code or a token: said to administrators. */
  async reportReuse (grant: GrantRow, what: string, address: string): Promise<void> {
    const { kernel, log } = this.#deps
    log.warn({ address, grant: grant.name }, `a ${what} was used twice: the grant was ended`)
    const caller: Rights = { name: grant.name, id: grant.person, role: 'view', printers: undefined }
    await recorded(kernel, 'oauth.endGrant', { surface: 'oauth', caller, note: `from ${address}` }, () => { throw new TokenReused(what) })
      .catch(() => {})
    this.reviewConnections()
  }

  /** Stores uses, and ends what has ended; every minute. @param isDue also without a reason */
  async tidy (isDue: boolean): Promise<void> {
    const { now } = this.#deps.kernel
    if (!this.#isLoaded) return
    const hasEnded = this.#snapshot.grants.some(({ expires_at: until, person }) =>
      (until !== null && until <= now()) || this.#rightsOf(person) === undefined)
    if (!isDue && !hasEnded && this.#used.size === 0) return
    const used = this.#used
    this.#used = new Map()
    await this.grants.tidy(used)
    if (hasEnded) this.reviewConnections()
  }
}
