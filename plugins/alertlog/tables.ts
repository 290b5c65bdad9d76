import { defineMigration } from '../database/index.js'

/** Times in ms since the epoch. */
export interface AlertRow {
  id: string
  at: number
  printer: string
  type: string
  tone: string
  /** JSON. */
  payload: string
  /** When a person has seen it; what needs nobody is seen from the beginning. */
  acknowledged_at: number | null
}

export interface Tables { alertlog_alerts: AlertRow }

/** Never changed after a release: what is new is a further step. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'alerts that were raised',
    async up (db) {
      await db.schema.createTable('alertlog_alerts')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('at', 'bigint', column => column.notNull())
        .addColumn('printer', 'text', column => column.notNull())
        .addColumn('type', 'text', column => column.notNull())
        .addColumn('tone', 'text', column => column.notNull())
        .addColumn('payload', 'text', column => column.notNull())
        .addColumn('acknowledged_at', 'bigint')
        .execute()
      await db.schema.createIndex('alertlog_alerts_time').on('alertlog_alerts').columns(['at', 'id']).execute()
      await db.schema.createIndex('alertlog_alerts_open').on('alertlog_alerts').columns(['acknowledged_at', 'at']).execute()
    },
    async down (db) { await db.schema.dropTable('alertlog_alerts').execute() }
  })
]
