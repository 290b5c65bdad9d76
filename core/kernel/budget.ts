import { defineError } from '../errors.js'

/** What a budget limits. */
export const BUDGET_KINDS = ['prints', 'grams', 'hours'] as const
export type BudgetKind = (typeof BUDGET_KINDS)[number]

/** Since the budget was set, or within the last 24 hours or 7 days. */
export const BUDGET_PERIODS = ['life', 'day', 'week'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

/** One limit of a budget with what is left of it. */
export interface BudgetShare {
  readonly most: number
  readonly per: BudgetPeriod
  readonly used: number
  readonly left: number
}
export type BudgetLeft = { readonly [Kind in BudgetKind]?: BudgetShare }

/** What a call would use by the slicer's estimate; undefined is unknown. */
export type Cost = { readonly [Kind in BudgetKind]: number | undefined }

/** A cost that is booked before anything is sent. */
export interface Booking {
  /** Unique: booking it again counts once. */
  readonly id: string
  /** Print or job that it pays for, as in the event `budget:used`. */
  readonly pays: string
  readonly cost: Cost
}

/** Limits what a caller may print; part of the caller's rights. */
export interface Budget {
  left (): Promise<BudgetLeft>
  /** Changes nothing. @throws PRN_ERR_OVER_BUDGET */
  check (cost: Cost): Promise<void>
  /** @throws PRN_ERR_OVER_BUDGET */
  book (booking: Booking): Promise<void>
  /** Nothing was printed. */
  giveBack (id: string): Promise<void>
  /** The print or job that it pays for became known. */
  rename (id: string, pays: string): Promise<void>
}

/** What an operation would use of its caller's budget. */
export interface Spending<Input, Output> extends Booking {
  /** Runs in place of the given input, such as with the id that is booked. */
  readonly input: Input
  /** Whether nothing was printed after this error. */
  readonly isUnspent: (error: unknown) => boolean
  /** The print or job that it pays for, if it is known only afterwards. */
  readonly paysFor?: (output: Output) => string
}

export const OverBudget = defineError<[what: string]>('PRN_ERR_OVER_BUDGET',
  '%s. Nothing was sent. Administrators can raise the budget on the page People, or with prnd keys budget.', 403)

export const Uncounted = defineError<[what: string, who: string]>('PRN_ERR_UNCOUNTED',
  "'%s' is not available to '%s', which has a budget: it could print, or raise the budget, without being counted.", 403)

const UNITS: Readonly<Record<BudgetKind, string>> = { prints: 'prints', grams: 'g', hours: 'hours' }
const PERIODS: Readonly<Record<BudgetPeriod, string>> = { life: '', day: ' in 24 hours', week: ' in 7 days' }
const rounded = (value: number): number => Math.round(value * 100) / 100

/** `1 of 3 prints in 24 hours, 20 of 500 g`. */
export const leftInWords = (left: BudgetLeft): string => BUDGET_KINDS.flatMap(kind => {
  const share = left[kind]
  return share ? [`${rounded(share.left)} of ${share.most} ${UNITS[kind]}${PERIODS[share.per]}`] : []
}).join(', ')

/** @throws PRN_ERR_OVER_BUDGET if a cost exceeds what is left, or is unknown where it is limited */
export function checkLeft (who: string, left: BudgetLeft, cost: Cost): void {
  for (const kind of BUDGET_KINDS) {
    const share = left[kind]
    const needed = cost[kind]
    if (share === undefined || (needed !== undefined && needed <= share.left + 1e-9)) continue
    const problem = needed === undefined
      ? `It is not known how many ${kind} the file takes, and the budget of '${who}' limits them`
      : `It takes ${rounded(needed)} ${UNITS[kind]}, more than is left in the budget of '${who}'`
    throw new OverBudget(`${problem}: left are ${leftInWords(left)}`).with({ left, cost })
  }
}

/**
 * Books what an operation would print before it runs, and gives it back if nothing was printed. If the latter fails,
 * the booking stays: a budget may be used up too early, never too late.
 */
export async function runBooked<Input, Output> (budget: Budget, spending: Spending<Input, Output>,
  run: (input: Input) => Output | Promise<Output>): Promise<Output> {
  const { id, input, isUnspent, paysFor } = spending
  await budget.book(spending)
  try {
    const output = await run(input)
    if (paysFor) await budget.rename(id, paysFor(output)).catch(() => {})
    return output
  } catch (error) {
    if (isUnspent(error)) await budget.giveBack(id).catch(() => {})
    throw error
  }
}
