import { defineMigration, type Ddl } from '../../database/index.js'
import { DAY_MS } from '../sums.js'

/** Triggers on these statements mark the day of a changed row, because the sums of that day are stale. */
const CHANGES = ['insert', 'update', 'delete'] as const
const TABLES = {
  history_prints: (row: string) => `select ${row}.started_at / ${DAY_MS} where true`,
  history_filaments: (row: string) => `select started_at / ${DAY_MS} from history_prints where id = ${row}.print`
}

const rowOf = (change: string): string => change === 'delete' ? 'old' : 'new'
const mark = (days: string): string => `insert into history_stale (day) ${days}`

async function addSqlite (run: Ddl['run']): Promise<void> {
  for (const [table, dayOf] of Object.entries(TABLES)) {
    for (const change of CHANGES) {
      await run(`create trigger ${table}_${change} after ${change} on ${table} begin
        ${mark(dayOf(rowOf(change)))} on conflict (day) do nothing; end`)
    }
  }
}

/** The upsert locks the row of the mark, so a concurrent refresh waits for the change and does not miss it. */
async function addPostgres (run: Ddl['run']): Promise<void> {
  for (const [table, dayOf] of Object.entries(TABLES)) {
    for (const change of CHANGES) {
      const name = `${table}_${change}`
      await run(`create function ${name}() returns trigger language plpgsql as $$ begin
        ${mark(dayOf(rowOf(change)))} on conflict (day) do update set day = excluded.day; return null; end $$`)
      await run(`create trigger ${name} after ${change} on ${table} for each row execute function ${name}()`)
    }
  }
}

/** Statistics read sums by day and month, which are recalculated for changed days. */
export const sums = defineMigration({
  number: 3,
  name: 'sums by day and month',
  async up (db, { kind, run }) {
    await db.schema.createTable('history_sums')
      .addColumn('unit', 'text', column => column.notNull())
      .addColumn('at', 'integer', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('key', 'text', column => column.notNull())
      .addColumn('printer', 'text', column => column.notNull())
      .addColumn('outcome', 'text', column => column.notNull())
      .addColumn('expired', 'bigint', column => column.notNull())
      .addColumn('prints', 'integer', column => column.notNull())
      .addColumn('seconds', 'double precision', column => column.notNull())
      .addColumn('planned', 'double precision', column => column.notNull())
      .addColumn('actual', 'double precision', column => column.notNull())
      .addColumn('grams', 'double precision', column => column.notNull())
      .addColumn('metres', 'double precision', column => column.notNull())
      .addColumn('cost', 'double precision', column => column.notNull())
      .addPrimaryKeyConstraint('history_sums_key', ['unit', 'kind', 'at', 'printer', 'outcome', 'key', 'expired'])
      .execute()
    await db.schema.createTable('history_stale').addColumn('day', 'integer', column => column.primaryKey()).execute()
    await run(`${mark(`select distinct started_at / ${DAY_MS} from history_prints`)}`)
    await (kind === 'sqlite' ? addSqlite(run) : addPostgres(run))
  },
  async down (db, { kind, run }) {
    for (const name of Object.keys(TABLES).flatMap(table => CHANGES.map(change => [table, change] as const))) {
      const [table, change] = name
      await run(`drop trigger ${table}_${change}${kind === 'sqlite' ? '' : ` on ${table}`}`)
      if (kind === 'postgres') await run(`drop function ${table}_${change}()`)
    }
    await db.schema.dropTable('history_stale').execute()
    await db.schema.dropTable('history_sums').execute()
  }
})
