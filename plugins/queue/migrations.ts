import { createSettingsTable, createTable, defineMigration, type Columns } from '../database/index.js'

const TABLES: Readonly<Record<string, Columns>> = {
  queue_files: { name: 'text', size: 'bigint', plates: 'text', added_at: 'bigint', added_by: 'text' },
  queue_jobs: {
    name: 'text',
    state: 'text',
    priority: 'integer',
    position: 'double precision',
    alternatives: 'text',
    copies: 'integer',
    taken: 'integer',
    finished: 'integer',
    needs: 'text',
    'not_before?': 'bigint',
    retries: 'integer',
    held: 'integer',
    note: 'text',
    created_at: 'bigint',
    created_by: 'text',
    'ended_at?': 'bigint'
  },
  queue_runs: {
    job: 'text',
    serial: 'text',
    printer: 'text',
    state: 'text',
    owner: 'text',
    task: 'bigint',
    file: 'text',
    plate: 'integer',
    path: 'text',
    'before?': 'text',
    seconds: 'double precision',
    created_at: 'bigint',
    'sent_at?': 'bigint',
    'ended_at?': 'bigint',
    reason: 'text',
    print: 'text',
    forgiven: 'integer'
  },
  /** By serial. */
  queue_plates: { state: 'text', 'run?': 'text', job: 'text', changed_at: 'bigint', changed_by: 'text' },
  queue_pauses: { paused_at: 'bigint', paused_by: 'text' },
  /** By name. */
  queue_groups: { started_at: 'bigint' }
}

/** Both by serial. */
const BETWEEN: Readonly<Record<string, Columns>> = {
  queue_failures: { failures: 'integer', reason: 'text', 'most?': 'integer', 'stopped_at?': 'bigint', told: 'integer' },
  queue_heats: {
    run: 'text',
    owner: 'text',
    bed: 'integer',
    chamber: 'integer',
    minutes: 'integer',
    heated_at: 'bigint',
    'warm_at?': 'bigint'
  }
}

/** Migrations are never changed after a release: a change is a further migration. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'jobs, what became of them, and plates',
    async up (db) {
      for (const [name, columns] of Object.entries(TABLES)) await createTable(db, name, columns)
      await db.schema.createIndex('queue_jobs_open').on('queue_jobs').columns(['state', 'ended_at']).execute()
      await db.schema.createIndex('queue_runs_job').on('queue_runs').columns(['job', 'created_at']).execute()
      await db.schema.createIndex('queue_runs_print').on('queue_runs').column('print').execute()
      // A printer never has two active runs, whatever else goes wrong.
      await db.schema.createIndex('queue_runs_active').unique().on('queue_runs').column('serial')
        .where('ended_at' as never, 'is', null).execute()
    },
    async down (db) {
      for (const name of Object.keys(TABLES).toReversed()) await db.schema.dropTable(name).execute()
    }
  }),
  defineMigration({
    number: 2,
    name: 'which service holds which file',
    async up (db) {
      await createTable(db, 'queue_copies', { file: 'text', owner: 'text', host: 'text' })
      await db.schema.createIndex('queue_copies_owner').on('queue_copies').column('owner').execute()
    },
    async down (db) {
      await db.schema.dropTable('queue_copies').execute()
    }
  }),
  defineMigration({
    number: 3,
    name: 'files of several services lie in their database',
    async up (db) {
      await db.schema.dropTable('queue_copies').execute()
      await db.schema.alterTable('queue_files').addColumn('parts', 'integer', to => to.notNull().defaultTo(0)).execute()
      await createTable(db, 'queue_parts', { file: 'text', number: 'integer', data: 'text' })
      await db.schema.createIndex('queue_parts_file').on('queue_parts').column('file').execute()
    },
    async down (db) {
      await db.schema.dropTable('queue_parts').execute()
      await db.schema.alterTable('queue_files').dropColumn('parts').execute()
      await createTable(db, 'queue_copies', { file: 'text', owner: 'text', host: 'text' })
      await db.schema.createIndex('queue_copies_owner').on('queue_copies').column('owner').execute()
    }
  }),
  defineMigration({
    number: 4,
    name: 'pauses that end by themselves',
    async up (db) {
      await db.schema.alterTable('queue_pauses').addColumn('paused_until', 'bigint').execute()
    },
    async down (db) {
      await db.deleteFrom('queue_pauses' as never).where('paused_until' as never, 'is not', null).execute()
      await db.schema.alterTable('queue_pauses').dropColumn('paused_until').execute()
    }
  }),
  defineMigration({
    number: 5,
    name: 'groups that people make on the page',
    up: db => createSettingsTable(db, 'queue_settings'),
    async down (db) {
      await db.schema.dropTable('queue_settings').execute()
    }
  }),
  defineMigration({
    number: 6,
    name: 'printers that are held after failures, what is warmed before a print, and parts of plates',
    async up (db) {
      await db.schema.alterTable('queue_files').addColumn('part_counts', 'text', to => to.notNull().defaultTo('{}')).execute()
      for (const [name, columns] of Object.entries(BETWEEN)) await createTable(db, name, columns)
    },
    async down (db) {
      for (const name of Object.keys(BETWEEN).toReversed()) await db.schema.dropTable(name).execute()
      await db.schema.alterTable('queue_files').dropColumn('part_counts').execute()
    }
  })
]
