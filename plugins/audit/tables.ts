import { createTable, defineMigration } from '../database/index.js'

/** One thing that somebody did. Times in ms since the epoch. */
export interface AuditRow {
  /** Begins with the time, so that the order of ids is the order of entries. */
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

/** Never changed after a release: what is new is a further step. */
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
  })
]
