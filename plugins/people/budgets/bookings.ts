import type { FastifyBaseLogger } from 'fastify'
import {
  BUDGET_KINDS, checkLeft, type Booking, type Budget, type BudgetKind, type BudgetLeft, type BudgetPeriod, type Dispose,
  type Kernel
} from '../../../core/index.js'
import type { Database } from '../../database/index.js'
import { accountOfKey } from '../snapshot.js'
import type { Db, KeyRow, Tables } from '../tables.js'
import { budgetIn, type StoredBudget } from './limits.js'

const DAY_MS = 86_400_000
const WINDOW_MS: Readonly<Record<BudgetPeriod, number>> = { life: Infinity, day: DAY_MS, week: 7 * DAY_MS }

export interface BookingsDeps {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly now: () => number
}

/** Whose budget it is. */
export interface Account {
  /** Unique and never reused, such as the id of a key. */
  readonly id: string
  /** For messages. */
  readonly name: string
  /** The limits as they are now; undefined if they were lifted meanwhile. */
  readonly budget: () => StoredBudget | undefined
}

type Used = { readonly [Kind in BudgetKind]?: number }

const rowId = (account: string, id: string): string => `${account} ${id}`

async function usedOf (db: Db, account: string, after: number): Promise<Required<Used>> {
  const row = await db.selectFrom('people_bookings').where('account', '=', account).where('booked_at', '>', after)
    .select(({ fn }) => BUDGET_KINDS.map(kind => fn.sum<number | null>(kind).as(kind))).executeTakeFirstOrThrow()
  return { prints: Number(row.prints ?? 0), grams: Number(row.grams ?? 0), hours: Number(row.hours ?? 0) }
}

async function leftOf (db: Db, account: string, { limits, since }: StoredBudget, now: number): Promise<BudgetLeft> {
  const left: { -readonly [Kind in BudgetKind]?: BudgetLeft[Kind] } = {}
  for (const kind of BUDGET_KINDS) {
    const limit = limits[kind]
    if (limit === undefined) continue
    const { [kind]: used } = await usedOf(db, account, Math.max(since - 1, now - WINDOW_MS[limit.per]))
    left[kind] = { ...limit, used, left: Math.max(0, limit.most - used) }
  }
  return left
}

/**
 * Sets what a booking has used in the end, never above what was booked. Of copies that were booked together, the first
 * bookings are used first.
 */
async function settle (db: Db, pays: string, used: Used): Promise<void> {
  const rows = await db.selectFrom('people_bookings').selectAll().where('pays', '=', pays).orderBy('booked_at').execute()
  const remaining = new Map<string, number>()
  for (const row of rows) {
    const prints = Math.min(row.prints, remaining.get(row.account) ?? used.prints ?? row.prints)
    if (used.prints !== undefined) remaining.set(row.account, (remaining.get(row.account) ?? used.prints) - prints)
    const part = row.prints === 0 ? 1 : prints / row.prints
    const grams = Math.min(row.grams * part, used.grams ?? Infinity)
    const hours = Math.min(row.hours * part, used.hours ?? Infinity)
    await db.updateTable('people_bookings').set({ prints, grams, hours }).where('id', '=', row.id).execute()
  }
}

/**
 * What callers with a budget have printed: one row for each print or job, so that nothing counts twice. A booking is
 * one serializable transaction, so two prints at the same moment cannot share what is left.
 */
export class Bookings {
  readonly #deps: BookingsDeps

  constructor (deps: BookingsDeps) { this.#deps = deps }

  /** A budget for the rights of a caller. */
  budgetOf (account: Account): Budget {
    const { database } = this.#deps
    return {
      left: () => this.left(account),
      check: async cost => { checkLeft(account.name, await this.left(account), cost) },
      book: booking => database.change<Tables, void>(db => this.#book(db, account, booking)),
      giveBack: id => database.change<Tables, void>(async db => {
        await db.deleteFrom('people_bookings').where('id', '=', rowId(account.id, id)).execute()
      }),
      rename: (id, pays) => database.change<Tables, void>(async db => {
        await db.updateTable('people_bookings').set({ pays }).where('id', '=', rowId(account.id, id)).execute()
      })
    }
  }

  async left ({ id, budget }: Account): Promise<BudgetLeft> {
    const stored = budget()
    const { database, now } = this.#deps
    return stored === undefined ? {} : await database.query<Tables, BudgetLeft>(db => leftOf(db, id, stored, now()))
  }

  /** @param used what is not mentioned stays as booked */
  settle (pays: string, used: Used): Promise<void> {
    return this.#deps.database.change<Tables, void>(db => settle(db, pays, used))
  }

  async #book (db: Db, { id: account, name, budget }: Account, { id, pays, cost }: Booking): Promise<void> {
    const stored = budget()
    const now = this.#deps.now()
    if (stored) checkLeft(name, await leftOf(db, account, stored, now), cost)
    const { prints = 1, grams = 0, hours = 0 } = cost
    if (prints === 0) return
    await db.insertInto('people_bookings')
      .values({ id: rowId(account, id), account, pays, prints, grams, hours, booked_at: now })
      .onConflict(conflict => conflict.column('id').doNothing()).execute()
  }
}

/** Budgets of keys, by the limits that are set now: a connection may last for hours. */
export const keyBudgets = (bookings: Bookings, keys: () => readonly KeyRow[]) =>
  (key: KeyRow): Budget | undefined => {
    if (key.budget === null) return undefined
    const now = () => keys().find(({ id }) => id === key.id) ?? key
    return bookings.budgetOf({ id: accountOfKey(key.id), name: `key ${key.name}`, budget: () => budgetIn(now().budget) })
  }

/** Gives back what prints did not use. While the database is away, it stays booked. */
export const settleBookings = ({ events }: Pick<Kernel, 'events'>, bookings: Bookings, log: FastifyBaseLogger): Dispose =>
  events.on('budget:used', (pays, used) => {
    bookings.settle(pays, used).catch((error: Error) => log.warn({ err: error, pays }, 'a budget got nothing back'))
  })
