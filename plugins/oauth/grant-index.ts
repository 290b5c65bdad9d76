import { lesserRole, type Budget, type Rights } from '../../core/index.js'
import { digestOf } from '../people/index.js'
import type { GrantRow, TokenRow } from './tables.js'

/** All grants and access tokens at one time; in memory, because every request of a program needs them. */
export interface GrantSnapshot {
  readonly grants: readonly GrantRow[]
  readonly tokens: readonly TokenRow[]
}

/** The budget of a grant; undefined without one. */
export type BudgetOf = (grant: GrantRow) => Budget | undefined

/** Current rights of a person by their id; undefined if there is no such person. */
export type RightsOf = (person: string) => Rights | undefined

const namesIn = (list: string | null): ReadonlySet<string> | undefined =>
  list === null ? undefined : new Set(JSON.parse(list) as string[])

/** The intersection; undefined stands for all. */
const both = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined) =>
  a === undefined || b === undefined ? a ?? b : new Set([...a].filter(name => b.has(name)))

/** A grant never has more rights than its person currently has, and never administrates. */
export function rightsOfGrant (grant: GrantRow, rightsOf: RightsOf, budgetOf: BudgetOf): Rights | undefined {
  const { name, person, role, printers } = grant
  const owner = rightsOf(person)
  if (owner === undefined) return undefined
  const own = role === 'operate' ? 'operate' : 'view'
  const budget = budgetOf(grant)
  return {
    name,
    id: person,
    role: lesserRole(own, owner.role),
    printers: both(namesIn(printers), owner.printers),
    ...budget && { budget }
  }
}

export const isOpenGrant = ({ expires_at: until }: GrantRow, now: number): boolean => until === null || until > now

/** Looks up access tokens by digest, so that the time reveals nothing about them. */
export function createGrantIndex ({ grants, tokens }: GrantSnapshot) {
  const byId = new Map(grants.map(grant => [grant.id, grant]))
  const byToken = new Map(tokens.map(token => [token.id, token]))
  const known = new Set([...byToken.keys(), ...grants.flatMap(({ code, family }) => [code, family])])

  return {
    /** Of a refresh token, the part that stays is known also when the other one was used before. */
    isKnown: (credential: string): boolean => known.has(digestOf(credential)) || known.has(digestOf(credential.split('.')[0] ?? '')),
    /** @returns the grant of a token that is valid at an address */
    find (token: string, resource: string, now: number): GrantRow | undefined {
      const row = byToken.get(digestOf(token))
      if (row === undefined || row.expires_at <= now) return undefined
      const grant = byId.get(row.grant_id)
      return grant !== undefined && isOpenGrant(grant, now) && grant.resource === resource ? grant : undefined
    }
  }
}
