import type { Database, Kysely } from '../database/index.js'
import { OPEN_STATES, type PlanRow, type RunRow, type RunState, type Tables } from './tables.js'

type Db = Kysely<Tables>

const MOST_RUNS = 100
/** After these hours a drying that could not be told to its spools is given up. */
const TELL_WITHIN_MS = 7 * 24 * 3_600_000

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export function createStore (database: Database) {
  const query = <R>(work: (db: Db) => Promise<R>): Promise<R> => database.query<Tables, R>(work)

  return {
    plans: (): Promise<PlanRow[]> => query(db =>
      db.selectFrom('drying_plans').selectAll().orderBy('created_at').orderBy('id').execute()),
    plan: (id: string): Promise<PlanRow | undefined> => query(db =>
      db.selectFrom('drying_plans').selectAll().where('id', '=', id).executeTakeFirst()),
    addPlan: (row: PlanRow) => query(db => db.insertInto('drying_plans').values(row).execute()),
    /** @param revision that is changed @returns whether nobody changed it meanwhile */
    changePlan: (id: string, revision: number, to: Partial<PlanRow>): Promise<boolean> => query(async db => {
      const { numUpdatedRows } = await db.updateTable('drying_plans').set(to)
        .where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
      return numUpdatedRows > 0n
    }),
    removePlan: (id: string): Promise<boolean> => query(async db =>
      (await db.deleteFrom('drying_plans').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n),
    openRuns: (): Promise<RunRow[]> => query(db =>
      db.selectFrom('drying_runs').selectAll().where('state', 'in', OPEN_STATES).orderBy('began_at').orderBy('id').execute()),
    /** Newest first. */
    runs: (limit = MOST_RUNS): Promise<RunRow[]> => query(db =>
      db.selectFrom('drying_runs').selectAll().orderBy('began_at', 'desc').orderBy('id').limit(limit).execute()),
    runsSince: (from: number): Promise<RunRow[]> => query(db =>
      db.selectFrom('drying_runs').selectAll().where('began_at', '>=', from).orderBy('began_at').orderBy('id').execute()),
    /** Finished ones of which their spools were not told. */
    untold: (now: number): Promise<RunRow[]> => query(db => db.selectFrom('drying_runs').selectAll()
      .where('state', '=', 'finished').where('told', '=', 0).where('ended_at', '>=', now - TELL_WITHIN_MS).execute()),
    /**
     * Begins a drying, unless the unit or its power group dries already, the unit did within the pause, or the plan is
     * no longer accepted as it was read. Of two services one succeeds.
     */
    claim: (run: RunRow, { revision }: Pick<PlanRow, 'revision'>, pauseMs: number): Promise<boolean> =>
      database.change<Tables, boolean>(async db => {
        const plan = await db.selectFrom('drying_plans').select('id').where('id', '=', run.plan)
          .where('revision', '=', revision).where('accepted_by', '!=', '').executeTakeFirst()
        if (!plan) return false
        const other = await db.selectFrom('drying_runs').select('id').where('state', 'in', OPEN_STATES)
          .where(({ eb, or, and }) => or([
            eb('power_group', '=', run.power_group), and([eb('serial', '=', run.serial), eb('unit', '=', run.unit)])
          ])).limit(1).executeTakeFirst()
        const before = await db.selectFrom('drying_runs').select('id').where('serial', '=', run.serial)
          .where('unit', '=', run.unit).where('ended_at', '>', run.began_at - pauseMs).limit(1).executeTakeFirst()
        if (other ?? before) return false
        await db.insertInto('drying_runs').values(run).execute()
        return true
      }),
    /** @returns whether it was in that state, and not changed by another service first */
    step: (id: string, from: RunState, to: Partial<RunRow>): Promise<boolean> => query(async db => {
      const { numUpdatedRows } = await db.updateTable('drying_runs').set(to)
        .where('id', '=', id).where('state', '=', from).executeTakeFirst()
      return numUpdatedRows > 0n
    }),
    markTold: (id: string) => query(db => db.updateTable('drying_runs').set({ told: 1 }).where('id', '=', id).execute())
  }
}

export type Store = ReturnType<typeof createStore>
