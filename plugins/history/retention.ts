import { setImmediate } from 'node:timers/promises'
import { removeDetails } from './details/queries.js'
import type { Db } from './queries.js'
import type { Bounds } from './keeping.js'
import { SUMMED } from './refresh.js'
import { dayOf, DAY_MS, sumsOf } from './sums.js'

/** Per transaction, so that others can write in between. */
const AT_ONCE = 100
const MIB = 1024 * 1024

const isOver = (bytes: number, { keepTelemetryMiB: most }: Bounds): boolean => most > 0 && bytes > most * MIB

async function removeTelemetry (db: Db, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length > 0) await db.deleteFrom('history_telemetry').where('id', 'in', ids).execute()
  return ids
}

const oldestTelemetry = (db: Db) => db.selectFrom('history_telemetry').select(['id', 'bytes'])
  .orderBy('at').orderBy('id').limit(AT_ONCE)

async function telemetryBefore (db: Db, at: number): Promise<readonly string[]> {
  const old = await oldestTelemetry(db).where('at', '<', at).execute()
  return await removeTelemetry(db, old.map(({ id }) => id))
}

async function telemetryAbove (db: Db, bounds: Bounds): Promise<readonly string[]> {
  const { total } = await db.selectFrom('history_telemetry').select(({ fn }) => fn.sum<number>('bytes').as('total'))
    .executeTakeFirstOrThrow()
  let left = Number(total ?? 0)
  const ids: string[] = []
  for (const { id, bytes } of isOver(left, bounds) ? await oldestTelemetry(db).execute() : []) {
    if (!isOver(left, bounds)) break
    ids.push(id)
    left -= bytes
  }
  return await removeTelemetry(db, ids)
}

/** Deletes prints but preserves their sums. If two services do this at once, each print goes to one of them. */
const recordsBefore = (db: Db, at: number): Promise<readonly string[]> => db.transaction().execute(async change => {
  const old = await change.selectFrom('history_prints').select('id').where('started_at', '<', at)
    .where('result', '<>', 'running').orderBy('started_at').orderBy('id').limit(AT_ONCE).execute()
  if (old.length === 0) return []
  const prints = await change.deleteFrom('history_prints').where('id', 'in', old.map(({ id }) => id))
    .returning(SUMMED).execute()
  const ids = prints.map(({ id }) => id)
  if (ids.length === 0) return []
  const filaments = await change.selectFrom('history_filaments').where('print', 'in', ids)
    .select(['print', 'material', 'grams', 'metres', 'cost']).execute()
  await change.deleteFrom('history_filaments').where('print', 'in', ids).execute()
  await removeDetails(change, ids)
  for (const sum of sumsOf(prints, filaments)) {
    const { last } = await change.selectFrom('history_sums').select(({ fn }) => fn.max('expired').as('last'))
      .where('unit', '=', 'day').where('at', '=', sum.at).executeTakeFirstOrThrow()
    await change.insertInto('history_sums').values({ ...sum, expired: Number(last ?? 0) + 1 }).execute()
  }
  return ids
})

export interface Retention {
  readonly bounds: Bounds
  readonly now: number
  /** Runs one step on the database. */
  readonly query: <R> (work: (db: Db) => Promise<R>) => Promise<R>
  /** The telemetry of these prints was deleted. */
  readonly onGone: (ids: readonly string[]) => Promise<void>
  /** Shutdown of the service; the rest is removed another time. */
  readonly signal: AbortSignal
}

/** Only whole days are removed, so that the sums of each day are complete. */
export const keptFrom = (days: number, now: number): number => (dayOf(now) - days) * DAY_MS

/** Removes what exceeds the limits, in small steps: telemetry and pictures first, then records. Sums stay. */
export async function retain ({ bounds, now, query, onGone, signal }: Retention): Promise<void> {
  const { keepDays, keepTelemetryDays } = bounds
  /** Repeats a step until it finds nothing more. */
  async function all (step: (db: Db) => Promise<readonly string[]>): Promise<void> {
    for (let ids = await query(step); ids.length > 0 && !signal.aborted; ids = await query(step)) {
      await onGone(ids)
      await setImmediate()
    }
  }
  const before = (days: number): number => keptFrom(days, now)
  if (keepTelemetryDays > 0) await all(db => telemetryBefore(db, before(keepTelemetryDays)))
  await all(db => telemetryAbove(db, bounds))
  if (keepDays > 0) await all(db => recordsBefore(db, before(keepDays)))
}

/** Applies the retention, one run at a time. */
export class RetentionRuns {
  readonly #run: () => Promise<void>
  #running: Promise<void> | undefined

  /**
   * @param retention rejects while it is not known what to keep: nothing is removed then
   * @param onProblem takes the error of a failed run; the next one tries again
   */
  constructor (retention: () => Promise<Retention>, onProblem: (error: Error) => void) {
    this.#run = async () => await retention().then(retain).catch(onProblem)
  }

  begin (): void {
    this.#running ??= this.#run().finally(() => { this.#running = undefined })
  }

  /** Resolves when no run is in progress. */
  async settled (): Promise<void> { await this.#running }
}
