import { createHash } from 'node:crypto'
import { lesserRole, type Budget, type Rights, type Role } from '../../core/index.js'
import type { KeyRow, SessionRow, UserRow } from './tables.js'

/** All users, keys and logins at one time; in memory, because every request needs it. */
export interface Snapshot {
  readonly users: readonly UserRow[]
  readonly keys: readonly KeyRow[]
  readonly sessions: readonly SessionRow[]
}

/** A user's rights, with the user's id. */
export interface Person extends Rights { readonly user: string, readonly id: string }

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const printersOf = (list: string | null): ReadonlySet<string> | undefined =>
  list === null ? undefined : new Set(JSON.parse(list) as string[])

/** The intersection; undefined stands for all. */
const both = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined) =>
  a === undefined || b === undefined ? a ?? b : new Set([...a].filter(name => b.has(name)))

const personOf = ({ id, name, role, printers }: UserRow): Person =>
  ({ user: id, id: `user ${id}`, name, role: role as Role, printers: printersOf(printers) })

/** Whose budget it is, in the bookings. */
export const accountOfKey = (id: string): string => `key ${id}`

export type BudgetOfKey = (key: KeyRow) => Budget | undefined

/** A key never has more rights than its owner currently has. */
function rightsOfKey (key: KeyRow, owner: Person | undefined, budgetOf: BudgetOfKey): Rights {
  const { id, name, role, printers } = key
  const own = {
    id: owner?.id ?? `key ${id}`,
    name: `key ${name}`,
    role: role as Role,
    printers: printersOf(printers),
    budget: budgetOf(key)
  }
  return owner ? { ...own, role: lesserRole(own.role, owner.role), printers: both(own.printers, owner.printers) } : own
}

/** Looks up credentials by digest, so that the time reveals nothing about them. */
export function createIndex ({ users, keys, sessions }: Snapshot, budgetOf: BudgetOfKey = () => undefined) {
  const isAuthorized = ({ refused_at: refusedAt }: UserRow) => refusedAt === null
  const people = new Map(users.filter(isAuthorized).map(row => [row.id, personOf(row)]))
  const byKey = new Map(keys.filter(({ owner }) => owner === null || people.has(owner)).map(row => [row.id, row]))
  const bySession = new Map(sessions.map(row => [row.id, row]))
  const isOpen = (until: number | null, now: number) => until === null || until > now

  const byRights = new Map([...people.values()].map(person => [person.id, person]))

  return {
    person: (id: string): Person | undefined => byRights.get(id),
    key (text: string, now: number): Rights | undefined {
      const row = byKey.get(digestOf(text))
      if (row === undefined || !isOpen(row.expires_at, now)) return undefined
      return rightsOfKey(row, row.owner === null ? undefined : people.get(row.owner), budgetOf)
    },
    session (value: string, now: number): Person | undefined {
      const row = bySession.get(digestOf(value))
      return row !== undefined && isOpen(row.expires_at, now) ? people.get(row.person) : undefined
    }
  }
}
