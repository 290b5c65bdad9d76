import { createSettingsTable, createTable, defineMigration } from '../database/index.js'

/** Times in ms since the epoch. */
export interface AlertRow {
  id: string
  at: number
  printer: string
  type: string
  tone: string
  /** JSON. */
  payload: string
  /** When a person acknowledged it; when it was raised if it needs no acknowledgement. */
  acknowledged_at: number | null
  /** Who acknowledged it, such as `http (local)`; null if it needs no acknowledgement. */
  acknowledged_by: string | null
}

export interface Tables { alertlog_alerts: AlertRow }

/** Released steps never change: changes are further steps. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'alerts that were raised',
    async up (db) {
      await createTable(db, 'alertlog_alerts', {
        at: 'bigint',
        printer: 'text',
        type: 'text',
        tone: 'text',
        payload: 'text',
        'acknowledged_at?': 'bigint'
      })
      await db.schema.createIndex('alertlog_alerts_time').on('alertlog_alerts').columns(['at', 'id']).execute()
      await db.schema.createIndex('alertlog_alerts_open').on('alertlog_alerts').columns(['acknowledged_at', 'at']).execute()
    },
    async down (db) { await db.schema.dropTable('alertlog_alerts').execute() }
  }),
  defineMigration({
    number: 2,
    name: 'who acknowledged',
    async up (db) { await db.schema.alterTable('alertlog_alerts').addColumn('acknowledged_by', 'text').execute() },
    async down (db) { await db.schema.alterTable('alertlog_alerts').dropColumn('acknowledged_by').execute() }
  }),
  defineMigration({
    number: 3,
    name: 'how long alerts are kept, as people chose',
    up: db => createSettingsTable(db, 'alertlog_settings'),
    async down (db) { await db.schema.dropTable('alertlog_settings').execute() }
  })
]
