import { createTable, defineMigration, type Columns } from '../database/index.js'

const TABLES: Readonly<Record<string, Columns>> = {
  'plate-change_recipes': { fields: 'text', changed_at: 'bigint', changed_by: 'text' },
  /** By serial and recipe. */
  'plate-change_acceptances': { serial: 'text', recipe: 'text', hash: 'text', consequence: 'text', accepted_at: 'bigint', accepted_by: 'text' },
  /** By serial. */
  'plate-change_printers': { used: 'integer', size: 'integer', mask: 'text', measured: 'text', measured_by: 'text' },
  /** By id of the queue's run. */
  'plate-change_runs': {
    serial: 'text',
    printer: 'text',
    job: 'text',
    recipe: 'text',
    hash: 'text',
    state: 'text',
    reason: 'text',
    identity: 'text',
    plate_since: 'bigint',
    changed_at: 'bigint'
  },
  'plate-change_pictures': { serial: 'text', kind: 'text', jpeg: 'text', taken_at: 'bigint', taken_by: 'text' }
}

/** Migrations are never changed after a release: a change is a further migration. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'recipes, who accepted them, and what became of plates',
    async up (db) {
      for (const [name, columns] of Object.entries(TABLES)) await createTable(db, name, columns)
      await db.schema.createIndex('plate-change_runs_serial').on('plate-change_runs').columns(['serial', 'state']).execute()
      await db.schema.createIndex('plate-change_pictures_serial').on('plate-change_pictures').column('serial').execute()
    },
    async down (db) {
      for (const name of Object.keys(TABLES).toReversed()) await db.schema.dropTable(name).execute()
    }
  })
]
