import { Type } from 'typebox'
import type { BudgetLeft } from '../../core/index.js'
import { BudgetView, budgetView } from '../people/index.js'
import { SCOPES } from './authorization-request.js'
import type { GrantRow } from './tables.js'

/** How long a grant lasts, in ms; undefined until it is revoked. */
export const DURATIONS = {
  hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000, revoked: undefined
} as const
export type Duration = keyof typeof DURATIONS

const Text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))

/** As a program wrote them into the address of the consent page. */
export const AuthorizationParams = {
  origin: Type.String({ maxLength: 300, description: 'Address of this service in the browser: `https://HOST:PORT`' }),
  client_id: Type.String({ minLength: 1, maxLength: 300 }),
  redirect_uri: Text(500, 'Where the code is sent'),
  response_type: Text(40, '`code`'),
  code_challenge: Text(128, 'PKCE, SHA-256'),
  code_challenge_method: Text(10, '`S256`'),
  state: Text(2_048, 'Returned to the program'),
  scope: Text(500, '`view`, `operate`, or both'),
  resource: Text(500, 'The address of `/mcp`')
}

export const GrantRole = Type.Enum(SCOPES, { description: '`view` reads, `operate` also prints' })
export const Lasts = Type.Enum(Object.keys(DURATIONS) as Duration[], { description: '`revoked`: until it is revoked' })
export const PrinterNames = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 1_000 })

const Time = Type.Integer({ description: 'ms since the epoch' })
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description })

export const Grant = Type.Object({
  name: Type.String({ description: 'As in the audit log' }),
  user: Type.String(),
  program: Type.String({ description: 'As it calls itself' }),
  sent_to: Type.String({ description: 'Where the browser was sent back' }),
  vouched_by: OrNull(Type.String(), 'Host that vouches for the program; null for none'),
  role: GrantRole,
  printers: OrNull(Type.Array(Type.String()), 'Names; null for all that the user may use'),
  created_at: Time,
  used_at: OrNull(Time, 'Last use; null for never'),
  expires_at: OrNull(Time, 'null: until it is revoked'),
  budget: BudgetView,
  own: Type.Boolean({ description: 'Of the caller' })
})

export interface GrantFacts {
  /** Name of its person. */
  readonly user: string
  readonly usedAt: number | null
  /** What is left of its budget; undefined without one. */
  readonly left: BudgetLeft | undefined
  readonly own: boolean
}

export const grantView = (row: GrantRow, { user, usedAt, left, own }: GrantFacts) => ({
  name: row.name,
  user,
  program: row.client_name,
  sent_to: row.sent_to,
  vouched_by: row.client.startsWith('https://') ? new URL(row.client).host : null,
  role: row.role === 'operate' ? 'operate' as const : 'view' as const,
  printers: row.printers === null ? null : JSON.parse(row.printers) as string[],
  created_at: row.created_at,
  used_at: usedAt,
  expires_at: row.expires_at,
  budget: budgetView(left),
  own
})
