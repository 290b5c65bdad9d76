import { defineMigration } from '../../database/index.js'

/** Telemetry has its own table, so that lists and searches never read it. */
export const details = defineMigration({
  number: 4,
  name: 'telemetry, events and the job of the queue',
  async up (db) {
    await db.schema.alterTable('history_prints').addColumn('queue_job', 'text', to => to.notNull().defaultTo('')).execute()
    await db.schema.createTable('history_telemetry')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('bytes', 'integer', column => column.notNull())
      .addColumn('data', 'text', column => column.notNull())
      .execute()
    // Total size and oldest entries can be read without the data.
    await db.schema.createIndex('history_telemetry_age').on('history_telemetry').columns(['at', 'id', 'bytes']).execute()
    await db.schema.createTable('history_events')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('print', 'text', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('severity', 'text', column => column.notNull())
      .addColumn('text', 'text', column => column.notNull())
      .execute()
    await db.schema.createIndex('history_events_print').on('history_events').columns(['print', 'at']).execute()
  },
  async down (db) {
    await db.schema.dropTable('history_events').execute()
    await db.schema.dropTable('history_telemetry').execute()
    await db.schema.alterTable('history_prints').dropColumn('queue_job').execute()
  }
})
