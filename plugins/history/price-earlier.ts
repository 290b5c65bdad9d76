import { setImmediate } from 'node:timers/promises'
import { costOf, type Prices } from './filament.js'
import type { Db } from './queries.js'

/** Filaments per transaction, so that others can write in between. */
const AT_ONCE = 200

/** Prints whose filaments all have a cost now cost as much as those. */
async function sumUp (db: Db, ids: readonly string[]): Promise<string[]> {
  const filaments = await db.selectFrom('history_filaments').innerJoin('history_prints', 'history_prints.id', 'history_filaments.print')
    .where('history_prints.id', 'in', ids).where('history_prints.cost', 'is', null)
    .select(['history_prints.id', 'history_filaments.cost']).execute()
  const costs = new Map<string, number | null>()
  for (const { id, cost } of filaments) {
    const sum = costs.has(id) ? costs.get(id) ?? null : 0
    costs.set(id, sum === null || cost === null ? null : sum + cost)
  }
  const known = [...costs].flatMap(([id, cost]) => cost === null ? [] : [{ id, cost }])
  for (const { id, cost } of known) await db.updateTable('history_prints').set({ cost }).where('id', '=', id).execute()
  return known.map(({ id }) => id)
}

const priceSome = (db: Db, prices: Prices, after: string) => db.transaction().execute(async change => {
  const rows = await change.selectFrom('history_filaments').innerJoin('history_prints', 'history_prints.id', 'history_filaments.print')
    .where('history_prints.result', '<>', 'running').where('history_filaments.cost', 'is', null)
    .where('history_filaments.grams', 'is not', null).where('history_filaments.material', 'in', Object.keys(prices))
    .where('history_filaments.id', '>', after).orderBy('history_filaments.id').limit(AT_ONCE)
    .select(['history_filaments.id', 'history_filaments.print', 'history_filaments.material', 'history_filaments.grams']).execute()
  for (const { id, material, grams } of rows) {
    await change.updateTable('history_filaments').set({ cost: costOf(prices, material, grams) }).where('id', '=', id).execute()
  }
  const prints = [...new Set(rows.map(({ print }) => print))]
  return { last: rows.at(-1)?.id, priced: prints.length === 0 ? [] : await sumUp(change, prints) }
})

/**
 * Gives prints of the record that have no cost the one of these prices; what has a cost keeps it. Running prints get
 * theirs by being recorded.
 * @param query runs one step on the database @returns how many prints have a cost now
 */
export async function priceEarlier (
  query: <R>(work: (db: Db) => Promise<R>) => Promise<R>, prices: Prices, signal: AbortSignal
): Promise<number> {
  let count = 0
  if (Object.keys(prices).length === 0) return count
  for (let last: string | undefined = ''; last !== undefined && !signal.aborted;) {
    const after: string = last
    const done = await query(db => priceSome(db, prices, after))
    count += done.priced.length
    last = done.last
    await setImmediate()
  }
  return count
}
