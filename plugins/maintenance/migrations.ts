import { createTable, defineMigration } from '../database/index.js'

/** Released steps never change: changes are further steps. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'what wears printers, what is to do, and what was done',
    async up (db) {
      await createTable(db, 'maintenance_prints', {
        serial: 'text', ended_at: 'bigint', seconds: 'double precision', failed: 'integer'
      })
      await createTable(db, 'maintenance_filaments', {
        print: 'text', serial: 'text', ended_at: 'bigint', material: 'text', grams: 'double precision', abrasive: 'integer'
      })
      await createTable(db, 'maintenance_minutes', {
        serial: 'text',
        hour: 'bigint',
        hot: 'text',
        hot_min: 'integer',
        chamber: 'text',
        chamber_min: 'integer',
        drying: 'text',
        drying_min: 'integer',
        changes: 'text',
        changes_min: 'integer'
      })
      await createTable(db, 'maintenance_printers', {
        begun_at: 'bigint', has_ams: 'integer', has_dryer: 'integer', before: 'text', 'before_at?': 'bigint', before_by: 'text'
      })
      await createTable(db, 'maintenance_tasks', {
        name: 'text',
        why: 'text',
        every: 'text',
        printers: 'text',
        blocks: 'integer',
        is_off: 'integer',
        archived: 'integer',
        changed_at: 'bigint',
        changed_by: 'text'
      })
      await createTable(db, 'maintenance_done', {
        serial: 'text',
        printer: 'text',
        task: 'text',
        name: 'text',
        at: 'bigint',
        done_by: 'text',
        note: 'text',
        photo: 'integer',
        counters: 'text',
        entered_at: 'bigint',
        'undone_at?': 'bigint',
        undone_by: 'text'
      })
      await createTable(db, 'maintenance_notices', { serial: 'text', task: 'text', at: 'bigint' })
      await db.schema.createIndex('maintenance_prints_serial').on('maintenance_prints').columns(['serial', 'ended_at']).execute()
      await db.schema.createIndex('maintenance_prints_ended').on('maintenance_prints').column('ended_at').execute()
      await db.schema.createIndex('maintenance_filaments_serial').on('maintenance_filaments').columns(['serial', 'ended_at']).execute()
      await db.schema.createIndex('maintenance_minutes_serial').on('maintenance_minutes').columns(['serial', 'hour']).execute()
      await db.schema.createIndex('maintenance_done_at').on('maintenance_done').columns(['at', 'id']).execute()
      await db.schema.createIndex('maintenance_done_task').on('maintenance_done').columns(['serial', 'task', 'at']).execute()
    },
    async down (db) {
      for (const table of ['notices', 'done', 'tasks', 'printers', 'minutes', 'filaments', 'prints']) {
        await db.schema.dropTable(`maintenance_${table}`).execute()
      }
    }
  })
]
