import { Type } from 'typebox'
import type { BudgetLeft } from '../../core/index.js'
import { BudgetView, budgetView } from './budgets/limits.js'
import { lookAlikeProblem, skeletonOf } from './look-alikes.js'
import type { KeyRow, UserRow } from './tables.js'

export const ROLES = ['view', 'operate', 'administrate'] as const

const NAME = '^[^\\s/\\\\:?#\\u0000-\\u001f\\u007f][^/\\\\:?#\\u0000-\\u001f\\u007f]*$'
const MOST_NAME = 64
/** The audit log uses these for callers without a name. */
const RESERVED = /^(token|local|network|service|key .*|grant of .*)$/i

export const PersonName = Type.String({ minLength: 1, maxLength: MOST_NAME, pattern: NAME })

/** Whether a user may have this name, without being confused with another in the audit log. */
export const isUsableName = (name: string): boolean =>
  name.length <= MOST_NAME && new RegExp(NAME).test(name) && !RESERVED.test(skeletonOf(name)) &&
  lookAlikeProblem(name) === undefined

export const RoleSchema = Type.Enum(ROLES, {
  description: 'What it allows: `view` reads, `operate` also prints, `administrate` everything'
})
export const Password = Type.String({ minLength: 10, maxLength: 256 })
export const Printers = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 1_000 })
export const Done = Type.Object({ name: Type.String() })
const AllOrSome = Type.Union([Printers, Type.Null()], { description: 'Names of printers; null for all' })
const Time = Type.String({ description: 'ISO 8601, UTC' })

export const User = Type.Object({
  name: Type.String(),
  role: RoleSchema,
  printers: AllOrSome,
  has_password: Type.Boolean({ description: 'False for a user who logs in with a provider' }),
  foreign: Type.Boolean({ description: 'Logs in at the provider of `plugins.people.openid`' }),
  created_at: Time
})

export const Key = Type.Object({
  name: Type.String(),
  role: RoleSchema,
  printers: AllOrSome,
  owner: Type.Union([Type.String(), Type.Null()], { description: 'The user to whom it belongs; null for none' }),
  created_at: Time,
  expires_at: Type.Union([Time, Type.Null()]),
  budget: BudgetView
})

const iso = (ms: number) => new Date(ms).toISOString()
const listOf = (printers: string | null) => printers === null ? null : JSON.parse(printers) as string[]

export const userView = ({ name, role, printers, password, foreign_id: foreign, created_at: at }: UserRow) => ({
  name,
  role: role as typeof ROLES[number],
  printers: listOf(printers),
  has_password: password !== null,
  foreign: foreign !== null,
  created_at: iso(at)
})

export const keyView = (row: KeyRow, users: readonly UserRow[], left: BudgetLeft | undefined) => ({
  name: row.name,
  role: row.role as typeof ROLES[number],
  printers: listOf(row.printers),
  owner: users.find(({ id }) => id === row.owner)?.name ?? null,
  created_at: iso(row.created_at),
  expires_at: row.expires_at === null ? null : iso(row.expires_at),
  budget: budgetView(left)
})
