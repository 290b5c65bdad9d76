import type { Role } from '../../core/index.js'
import { budgetIn, storedBudget, type BudgetLimits } from './budgets/limits.js'
import { checkName } from './check-name.js'
import { BudgetRole, NoSuchKey, PeopleFull } from './errors.js'
import { newSecret } from './secret.js'
import { accountOfKey, digestOf } from './snapshot.js'
import { listed, type KeyRow, type Writer } from './tables.js'

export interface NewKey {
  readonly name: string
  readonly role: Role
  readonly printers: readonly string[] | undefined
  readonly expiresAt: number | undefined
  readonly owner: string | undefined
  readonly budget?: BudgetLimits | undefined
}

export interface KeyChange {
  /** null: without limits. */
  readonly budget: BudgetLimits | null
  /** Counts from now on; otherwise what was used counts on. */
  readonly reset: boolean
}

const stored = (limits: BudgetLimits | null | undefined, since: number): string | null => {
  const budget = storedBudget(limits, since)
  return budget ? JSON.stringify(budget) : null
}

const MOST_KEYS = 1_000

/** Keys in the database. */
export const createKeys = ({ change, now }: Writer) => ({
  /** @returns the key, which is not stored */
  addKey: ({ name, role, printers, expiresAt, owner, budget }: NewKey) => change(async db => {
    const all = await db.selectFrom('people_keys').select('name').execute()
    checkName('key', name, all)
    if (all.length >= MOST_KEYS) throw new PeopleFull('keys', MOST_KEYS)
    const key = `prnd_${newSecret()}`
    const row: KeyRow = {
      id: digestOf(key),
      name,
      role,
      printers: listed(printers),
      owner: owner ?? null,
      created_at: now(),
      expires_at: expiresAt ?? null,
      budget: stored(budget, now())
    }
    await db.insertInto('people_keys').values(row).execute()
    return key
  }),
  /** @throws PRN_ERR_NO_KEY, PRN_ERR_BUDGET_ROLE */
  changeKey: (name: string, { budget, reset }: KeyChange) => change(async db => {
    const key = await db.selectFrom('people_keys').selectAll().where('name', '=', name).executeTakeFirst()
    if (key === undefined) throw new NoSuchKey(name)
    if (budget !== null && key.role === 'administrate') throw new BudgetRole()
    const since = reset ? now() : budgetIn(key.budget)?.since ?? now()
    await db.updateTable('people_keys').set({ budget: stored(budget, since) }).where('id', '=', key.id).execute()
  }),
  revokeKey: (name: string) => change(async db => {
    const key = await db.selectFrom('people_keys').select('id').where('name', '=', name).executeTakeFirst()
    if (key) await db.deleteFrom('people_bookings').where('account', '=', accountOfKey(key.id)).execute()
    const { numDeletedRows } = await db.deleteFrom('people_keys').where('name', '=', name).executeTakeFirst()
    if (numDeletedRows === 0n) throw new NoSuchKey(name)
  })
})
