import { Type, type Static, type TSchema } from 'typebox'
import { BUDGET_KINDS, BUDGET_PERIODS, type BudgetLeft } from '../../../core/index.js'

const PERIOD = 'life: since it was set; day, week: within the last 24 hours, 7 days'
const MOST = 1_000_000_000

const limit = <Most extends TSchema>(most: Most, description: string) => Type.Optional(Type.Object({
  most, per: Type.Enum([...BUDGET_PERIODS], { description: PERIOD })
}, { description }))

/** What a key may print, by the slicer's estimates; kinds that are left out are not limited. */
export const BudgetLimits = Type.Object({
  prints: limit(Type.Integer({ minimum: 0, maximum: MOST }), 'Prints, and copies of queued jobs'),
  grams: limit(Type.Number({ minimum: 0, maximum: MOST }), 'Filament, g'),
  hours: limit(Type.Number({ minimum: 0, maximum: MOST }), 'Planned print time')
})
export type BudgetLimits = Static<typeof BudgetLimits>

const share = Type.Optional(Type.Object({
  most: Type.Number(),
  per: Type.Enum([...BUDGET_PERIODS], { description: PERIOD }),
  used: Type.Number({ description: 'Counted when a print is started or queued' }),
  left: Type.Number()
}))
export const BudgetView = Type.Union([
  Type.Object({ prints: share, grams: share, hours: share }), Type.Null()
], { description: 'What it may print, and what is left; null without a limit' })

/** A budget as stored: since when it counts, in ms since the epoch. */
export interface StoredBudget { readonly limits: BudgetLimits, readonly since: number }

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

export const budgetView = (left: BudgetLeft | undefined): Static<typeof BudgetView> => left === undefined
  ? null
  : Object.fromEntries(BUDGET_KINDS.flatMap(kind => {
    const part = left[kind]
    return part ? [[kind, { ...part, used: rounded(part.used), left: rounded(part.left) }]] : []
  }))

/** @returns undefined for a budget that limits nothing */
export const storedBudget = (limits: BudgetLimits | null | undefined, since: number): StoredBudget | undefined =>
  limits && BUDGET_KINDS.some(kind => limits[kind] !== undefined) ? { limits, since } : undefined

export const budgetIn = (text: string | null): StoredBudget | undefined =>
  text === null ? undefined : JSON.parse(text) as StoredBudget
