import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Database } from '../database/index.js'
import { Challenges } from './challenges.js'
import { LastPasskey, NoPasskeyYet, NoSuchPasskey, PasskeyRefused, TooManyPasskeys } from './errors.js'
import type { Site } from './site.js'
import type { Db, PasskeyRow, Tables } from './tables.js'

export interface PasskeyServiceDeps {
  readonly database: Pick<Database, 'query' | 'change'>
  /** ms since the epoch. */
  readonly now: () => number
}

export interface NewPasskey {
  readonly site: Site
  /** Id of the user. */
  readonly person: string
  readonly name: string
  readonly response: RegistrationResponseJSON
}

const MOST = 20
const TIMEOUT_MS = 120_000
/** Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** The library is large and rarely used. */
const library = () => import('@simplewebauthn/server')

const transportsOf = (text: string) => JSON.parse(text) as NonNullable<RegistrationResponseJSON['response']['transports']>
const purposeOf = (what: 'add' | 'log in', { host }: Site, person = '') => `${what}\n${host}\n${person}`
const wordsOf = (error: unknown) => new PasskeyRefused(error instanceof Error ? error.message : String(error))

/** Passkeys in the database, and what is asked of browsers about them. */
export class PasskeyService {
  readonly #deps: PasskeyServiceDeps
  readonly #challenges: Challenges
  /** Undefined until it was read. */
  #strict: ReadonlySet<string> | undefined

  constructor (deps: PasskeyServiceDeps) {
    this.#deps = deps
    this.#challenges = new Challenges(deps.now)
  }

  /** Whether a password alone does not let this user in, as last read. @throws Error if it cannot be read at all */
  async isStrict (person: string): Promise<boolean> { return (this.#strict ?? await this.readStrict()).has(person) }

  /** Reads whose password is not enough, for this and other services at the same database. */
  async readStrict (): Promise<ReadonlySet<string>> {
    const rows = await this.#query(db => db.selectFrom('passkey_strict_users').select('id').execute())
    return (this.#strict = new Set(rows.map(({ id }) => id)))
  }

  listOf (person: string): Promise<PasskeyRow[]> {
    return this.#query(db =>
      db.selectFrom('passkeys').selectAll().where('person', '=', person).orderBy('created_at').execute())
  }

  /** What the browser needs to make a passkey. @throws PRN_ERR_TOO_MANY_PASSKEYS */
  async beginAdding (site: Site, person: string, userName: string): Promise<object> {
    const known = await this.listOf(person)
    if (known.length >= MOST) throw new TooManyPasskeys(MOST)
    const { generateRegistrationOptions } = await library()
    const challenge = this.#challenges.make(purposeOf('add', site, person))
    const options = await generateRegistrationOptions({
      rpName: 'prnd',
      rpID: site.host,
      userName,
      userID: new TextEncoder().encode(person),
      challenge: Buffer.from(challenge, 'base64url'),
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      excludeCredentials: known.filter(({ host }) => host === site.host).map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS
    })
    return options
  }

  /** @throws PRN_ERR_PASSKEY_REFUSED, PRN_ERR_TOO_MANY_PASSKEYS */
  async add ({ site, person, name, response }: NewPasskey): Promise<PasskeyRow> {
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge => this.#challenges.take(challenge, purposeOf('add', site, person)),
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS
    }).catch((error: unknown) => { throw wordsOf(error) })
    if (!verified || registrationInfo === undefined) throw new PasskeyRefused('its signature is wrong')
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    const row: PasskeyRow = {
      id,
      person,
      name,
      host: site.host,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: JSON.stringify(transports),
      created_at: this.#deps.now(),
      used_at: null
    }
    await this.#change(async db => {
      const known = await db.selectFrom('passkeys').select(['id', 'person']).execute()
      if (known.some(other => other.id === id)) throw new PasskeyRefused('it is known already')
      if (known.filter(other => other.person === person).length >= MOST) throw new TooManyPasskeys(MOST)
      await db.insertInto('passkeys').values(row).execute()
    })
    return row
  }

  /** What the browser needs to let somebody choose a passkey; names nobody. */
  async beginLogin (site: Site): Promise<object> {
    const { generateAuthenticationOptions } = await library()
    const challenge = this.#challenges.make(purposeOf('log in', site))
    return await generateAuthenticationOptions({
      rpID: site.host, challenge: Buffer.from(challenge, 'base64url'), timeout: TIMEOUT_MS, userVerification: 'required'
    })
  }

  /** @returns the id of the user @throws PRN_ERR_PASSKEY_REFUSED */
  async logIn (site: Site, response: AuthenticationResponseJSON): Promise<string> {
    const row = await this.#query(db =>
      db.selectFrom('passkeys').selectAll().where('id', '=', response.id).executeTakeFirst())
    if (row?.host !== site.host) throw new PasskeyRefused('it is not known here')
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo: { newCounter } } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge => this.#challenges.take(challenge, purposeOf('log in', site)),
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      credential: {
        id: row.id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: Number(row.counter),
        transports: transportsOf(row.transports)
      }
    }).catch((error: unknown) => { throw wordsOf(error) })
    if (!verified) throw new PasskeyRefused('its signature is wrong')
    await this.#use(row, newCounter)
    return row.person
  }

  /** A copied device would count what the other one has counted. @throws PRN_ERR_PASSKEY_REFUSED */
  async #use ({ id, counter }: PasskeyRow, next: number): Promise<void> {
    const { numUpdatedRows } = await this.#change(db => db.updateTable('passkeys')
      .set({ counter: next, used_at: this.#deps.now() })
      .where('id', '=', id).where('counter', '=', counter).executeTakeFirst())
    if (numUpdatedRows === 0n) throw new PasskeyRefused('it was used twice at once')
  }

  /** @throws PRN_ERR_NO_PASSKEY, PRN_ERR_LAST_PASSKEY if nothing else lets the user in */
  async remove (person: string, id: string): Promise<void> {
    await this.#change(async db => {
      const { numDeletedRows } = await db.deleteFrom('passkeys').where('person', '=', person).where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw new NoSuchPasskey()
      const left = await db.selectFrom('passkeys').select('id').where('person', '=', person).limit(1).executeTakeFirst()
      const strict = await db.selectFrom('passkey_strict_users').select('id').where('id', '=', person).executeTakeFirst()
      if (left === undefined && strict !== undefined) throw new LastPasskey()
    })
  }

  /** For somebody who has lost them: the password is enough again. @returns how many there were */
  async removeAll (person: string): Promise<number> {
    const removed = await this.#change(async db => {
      const { numDeletedRows } = await db.deleteFrom('passkeys').where('person', '=', person).executeTakeFirst()
      await db.deleteFrom('passkey_strict_users').where('id', '=', person).execute()
      return Number(numDeletedRows)
    })
    await this.readStrict()
    return removed
  }

  /** @throws PRN_ERR_NO_PASSKEY_YET */
  async setStrict (person: string, isStrict: boolean): Promise<void> {
    await this.#change(async db => {
      await db.deleteFrom('passkey_strict_users').where('id', '=', person).execute()
      if (!isStrict) return
      const one = await db.selectFrom('passkeys').select('id').where('person', '=', person).limit(1).executeTakeFirst()
      if (one === undefined) throw new NoPasskeyYet()
      await db.insertInto('passkey_strict_users').values({ id: person, since: this.#deps.now() }).execute()
    })
    await this.readStrict()
  }

  /** Removes what belongs to users who are gone. */
  async tidy (): Promise<void> {
    await this.#deps.database.change<Tables & { people_users: { id: string } }, void>(async db => {
      const users = db.selectFrom('people_users').select('id')
      await db.deleteFrom('passkeys').where('person', 'not in', users).execute()
      await db.deleteFrom('passkey_strict_users').where('id', 'not in', users).execute()
    })
  }

  #query<R> (work: (db: Db) => Promise<R>): Promise<R> { return this.#deps.database.query<Tables, R>(work) }
  #change<R> (work: (db: Db) => Promise<R>): Promise<R> { return this.#deps.database.change<Tables, R>(work) }
}
