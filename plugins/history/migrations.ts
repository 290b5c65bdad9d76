import { defineMigration } from '../database/index.js'

/** Never changed after a release: what is new is a further step. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'prints and what they took from spools',
    async up (db) {
      await db.schema.createTable('history_prints')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('serial', 'text', column => column.notNull())
        .addColumn('printer', 'text', column => column.notNull())
        .addColumn('model', 'text', column => column.notNull())
        .addColumn('name', 'text', column => column.notNull())
        .addColumn('file', 'text', column => column.notNull())
        .addColumn('project_path', 'text', column => column.notNull())
        .addColumn('md5', 'text', column => column.notNull())
        .addColumn('plate', 'integer', column => column.notNull())
        .addColumn('task_id', 'text', column => column.notNull())
        .addColumn('print_type', 'text', column => column.notNull())
        .addColumn('started_at', 'bigint', column => column.notNull())
        .addColumn('start_seen', 'integer', column => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('end_seen', 'integer', column => column.notNull())
        .addColumn('result', 'text', column => column.notNull())
        .addColumn('corrected', 'text')
        .addColumn('started_by', 'text', column => column.notNull())
        .addColumn('ended_by', 'text', column => column.notNull())
        .addColumn('percent', 'integer', column => column.notNull())
        .addColumn('layer', 'integer', column => column.notNull())
        .addColumn('total_layers', 'integer', column => column.notNull())
        .addColumn('planned_s', 'integer', column => column.notNull())
        .addColumn('prepare_s', 'double precision', column => column.notNull())
        .addColumn('printing_s', 'double precision', column => column.notNull())
        .addColumn('paused_s', 'double precision', column => column.notNull())
        .addColumn('unseen_s', 'double precision', column => column.notNull())
        .addColumn('interruptions', 'integer', column => column.notNull())
        .addColumn('faults', 'text', column => column.notNull())
        .addColumn('note', 'text')
        .addColumn('rating', 'integer')
        .execute()
      await db.schema.createIndex('history_prints_time').on('history_prints').columns(['started_at', 'id']).execute()
      await db.schema.createIndex('history_prints_printer').on('history_prints').columns(['printer', 'started_at'])
        .execute()
      // Statistics read these two alone, not the tables.
      await db.schema.createIndex('history_prints_results').on('history_prints')
        .columns(['printer', 'corrected', 'result', 'printing_s']).execute()
      await db.schema.createTable('history_filaments')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('print', 'text', column => column.notNull())
        .addColumn('filament', 'integer', column => column.notNull())
        .addColumn('material', 'text', column => column.notNull())
        .addColumn('color', 'text', column => column.notNull())
        .addColumn('place', 'text', column => column.notNull())
        .addColumn('tag', 'text', column => column.notNull())
        .addColumn('grams', 'double precision')
        .execute()
      await db.schema.createIndex('history_filaments_materials').on('history_filaments')
        .columns(['material', 'grams']).execute()
      await db.schema.createIndex('history_filaments_print').on('history_filaments').column('print').execute()
    },
    async down (db) {
      await db.schema.dropTable('history_filaments').execute()
      await db.schema.dropTable('history_prints').execute()
    }
  })
]
