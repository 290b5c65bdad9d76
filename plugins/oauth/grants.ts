import { randomUUID } from 'node:crypto'
import type { Role } from '../../core/index.js'
import type { Database } from '../database/index.js'
import { digestOf, newSecret, storedBudget, type BudgetLimits } from '../people/index.js'
import { pruneClients } from './clients.js'
import { GrantsFull, NoSuchGrant } from './errors.js'
import { isOpenGrant, type GrantSnapshot } from './grant-index.js'
import { createGrantTokens, endGrant, grantBy } from './grant-tokens.js'
import type { Db, GrantRow, Tables } from './tables.js'

export interface NewGrant {
  /** The person's name and id. */
  readonly who: string
  readonly person: string
  readonly client: string
  readonly clientName: string
  readonly sentTo: string
  readonly role: Role
  readonly printers: readonly string[] | undefined
  readonly resource: string
  readonly budget: BudgetLimits | undefined
  readonly expiresAt: number | undefined
  readonly challenge: string
  readonly redirect: string
}

const MOST_PER_PERSON = 50
const MOST_GRANTS = 1_000
const CODE_MS = 120_000
/** A service that shares the database may not know a new person yet. */
const NEW_MS = 60_000

/** Distinct, so that the audit log and sessions of agents tell two grants to programs of one name apart. */
function nameFor (who: string, client: string, taken: ReadonlySet<string>): string {
  const name = `grant of ${who} to ${client}`
  for (let number = 2; ; number++) {
    const next = number === 2 && !taken.has(name) ? name : `${name} (${number})`
    if (!taken.has(next)) return next
  }
}

export interface GrantDeps {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly now: () => number
  /** Whether a person still exists. */
  readonly isPerson: (person: string) => boolean
  /** Called with the new snapshot after each change. */
  readonly onChange: (snapshot: GrantSnapshot) => void
}

/** Grants in the database. A change takes effect before the call resolves. */
export function createGrants ({ database, now, isPerson, onChange }: GrantDeps) {
  let begun = 0
  let applied = 0

  async function read (): Promise<GrantSnapshot> {
    const number = ++begun
    const snapshot = await database.query<Tables, GrantSnapshot>(async db => ({
      grants: await db.selectFrom('oauth_grants').selectAll().orderBy('created_at').execute(),
      tokens: await db.selectFrom('oauth_tokens').selectAll().where('expires_at', '>', now()).execute()
    }))
    if (number > applied) { // an earlier one that took longer may not know of a revocation
      applied = number
      onChange(snapshot)
    }
    return snapshot
  }

  async function change<R> (work: (db: Db) => Promise<R>): Promise<R> {
    const result = await database.change<Tables, R>(work)
    await read()
    return result
  }

  return {
    read,
    ...createGrantTokens({ change, now, isPerson }),
    /** @returns the code, which is valid for two minutes @throws PRN_ERR_GRANTS_FULL */
    add: (grant: NewGrant) => change(async db => {
      await db.deleteFrom('oauth_grants').where('family', 'is', null).where('code_until', '<=', now()).execute()
      const all = await db.selectFrom('oauth_grants').select(['name', 'person']).execute()
      const own = all.filter(({ person }) => person === grant.person)
      if (own.length >= MOST_PER_PERSON) throw new GrantsFull(MOST_PER_PERSON)
      if (all.length >= MOST_GRANTS) throw new GrantsFull(MOST_GRANTS)
      const code = newSecret()
      const budget = storedBudget(grant.budget, now())
      await db.insertInto('oauth_grants').values({
        id: randomUUID(),
        name: nameFor(grant.who, grant.clientName, new Set(all.map(({ name }) => name))),
        person: grant.person,
        client: grant.client,
        client_name: grant.clientName,
        sent_to: grant.sentTo,
        role: grant.role,
        printers: grant.printers === undefined ? null : JSON.stringify(grant.printers),
        resource: grant.resource,
        budget: budget === undefined ? null : JSON.stringify(budget),
        created_at: now(),
        expires_at: grant.expiresAt ?? null,
        used_at: null,
        code: digestOf(code),
        code_until: now() + CODE_MS,
        challenge: grant.challenge,
        redirect: grant.redirect,
        family: null,
        refresh: null,
        refresh_until: null
      }).execute()
      return code
    }),
    /** @throws PRN_ERR_NO_GRANT */
    revoke: (name: string) => change(async db => {
      const grant = await grantBy(db, 'name', name)
      if (grant === undefined) throw new NoSuchGrant(name)
      await endGrant(db, grant.id)
    }),
    /** Stores when grants were last used, and removes what has ended. */
    tidy: (used: ReadonlyMap<string, number>) => change(async db => {
      for (const [id, at] of used) await db.updateTable('oauth_grants').where('id', '=', id).set({ used_at: at }).execute()
      const grants = await db.selectFrom('oauth_grants').selectAll().execute()
      const isOrphan = ({ person, created_at: at }: GrantRow) => !isPerson(person) && at + NEW_MS <= now()
      const ended = grants.filter(grant => !isOpenGrant(grant, now()) || isOrphan(grant) ||
        (grant.family === null ? grant.code_until : grant.refresh_until ?? 0) <= now())
      for (const { id } of ended) await endGrant(db, id)
      await db.deleteFrom('oauth_tokens').where('expires_at', '<=', now()).execute()
      await pruneClients(db, now())
    })
  }
}

export type Grants = ReturnType<typeof createGrants>
