import { createTable, defineMigration, type Kysely } from '../database/index.js'

/** The settings, as JSON; one row. */
export interface SettingsRow { id: string, value: string, revision: number, changed_at: number, changed_by: string }

/**
 * Something that is done once by all services together: by its id, such as `report:2026-11-30`. It is also the log of
 * what was done at night.
 */
export interface ActRow {
  id: string
  kind: string
  at: number
  /** `begun` until it is done: another service takes over what was left. */
  state: string
  /** Of an alert or printer; empty without one. */
  printer: string
  /** Targets that were told, or why nothing was done. */
  detail: string
}

export interface Tables { night_settings: SettingsRow, night_acts: ActRow }
export type Db = Kysely<Tables>

/** Released steps never change: changes are further steps. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'settings, and what was done',
    async up (db) {
      await createTable(db, 'night_settings', {
        value: 'text', revision: 'integer', changed_at: 'bigint', changed_by: 'text'
      })
      await createTable(db, 'night_acts', { kind: 'text', at: 'bigint', state: 'text', printer: 'text', detail: 'text' })
      await db.schema.createIndex('night_acts_at').on('night_acts').column('at').execute()
    },
    async down (db) {
      for (const table of ['night_acts', 'night_settings']) await db.schema.dropTable(table).execute()
    }
  })
]
