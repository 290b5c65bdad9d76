import { createSettingsTable, createTable, defineMigration } from '../database/index.js'

/** An audit entry. Times in ms since the epoch. */
export interface AuditRow {
  /** Begins with the time, so that ids sort chronologically. */
  id: string
  at: number
  who: string
  face: string
  act: string
  printer: string | null
  outcome: string
  detail: string | null
}

export interface Tables { audit_entries: AuditRow }

/** Released steps never change: changes are further steps. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'who did what',
    async up (db) {
      await createTable(db, 'audit_entries', {
        at: 'bigint', who: 'text', face: 'text', act: 'text', 'printer?': 'text', outcome: 'text', 'detail?': 'text'
      })
      await db.schema.createIndex('audit_entries_who').on('audit_entries').columns(['who', 'id']).execute()
      await db.schema.createIndex('audit_entries_printer').on('audit_entries').columns(['printer', 'id']).execute()
    },
    async down (db) { await db.schema.dropTable('audit_entries').execute() }
  }),
  defineMigration({
    number: 2,
    name: 'how long entries are kept, as people chose',
    up: db => createSettingsTable(db, 'audit_settings'),
    async down (db) { await db.schema.dropTable('audit_settings').execute() }
  })
]
