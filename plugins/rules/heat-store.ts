import type { Database } from '../database/index.js'
import { putStep } from './run-store.js'
import { heatOf, type Db } from './tables.js'
import type { Heat, StepRecord } from './types.js'

/** Heat that a run has not ended, and how it is with the run. */
export interface OpenHeat extends Heat {
  /** Undefined while the run goes on. */
  readonly endedAt: number | undefined
}

/** Methods throw PRN_ERR_DATABASE_UNAVAILABLE without a database. */
export const createHeatStore = ({ query, change }: Pick<Database, 'query' | 'change'>) => ({
  open: (): Promise<OpenHeat[]> => query(async (db: Db) => {
    const rows = await db.selectFrom('rules_heat').leftJoin('rules_runs', 'rules_runs.id', 'rules_heat.run')
      .selectAll('rules_heat').select(['rules_runs.state', 'rules_runs.ended_at']).orderBy('rules_heat.id').execute()
    return rows.map(row => ({
      ...heatOf(row), endedAt: row.state === 'running' ? undefined : row.ended_at ?? row.set_at
    }))
  }),
  /** @returns whether it was not told before, by this service or another one */
  tell: (id: string): Promise<boolean> => query(async (db: Db) => (await db.updateTable('rules_heat').set({ told: 1 })
    .where('id', '=', id).where('told', '=', 0).executeTakeFirst()).numUpdatedRows === 1n),
  /** It does not heat any more, or not for the run. */
  settle: (id: string): Promise<void> => query(async (db: Db) => {
    await db.deleteFrom('rules_heat').where('id', '=', id).execute()
  }),
  /** Adds what was done after the end of a run to its log. */
  note: (record: StepRecord): Promise<void> => change((db: Db) => putStep(db, record))
})

export type HeatStore = ReturnType<typeof createHeatStore>
