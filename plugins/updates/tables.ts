import { createSettingsTable, createTable, defineMigration } from '../database/index.js'

/** What a registry said last. Times in ms since the epoch. */
export interface AnswerRow {
  /** The address of the registry. */
  id: string
  /** Nobody asks it before. */
  next_at: number
  asked_at: number | null
  stable: string | null
  preview: string | null
  problem: string | null
}

/** A version that an alert told of. */
export interface ToldRow { id: string, at: number }

export interface Tables { updates_answers: AnswerRow, updates_told: ToldRow }

/** Released steps never change: changes are further steps. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'whether to ask for new versions, what was answered, and what was told',
    async up (db) {
      await createSettingsTable(db, 'updates_settings')
      await createTable(db, 'updates_answers', {
        next_at: 'bigint', 'asked_at?': 'bigint', 'stable?': 'text', 'preview?': 'text', 'problem?': 'text'
      })
      await createTable(db, 'updates_told', { at: 'bigint' })
    },
    async down (db) {
      for (const table of ['updates_told', 'updates_answers', 'updates_settings']) await db.schema.dropTable(table).execute()
    }
  })
]
