import { createTable, defineMigration } from '../database/index.js'

/** Migrations are never changed after a release: a change is a further migration. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'plans that dry by themselves, and what they did',
    async up (db) {
      await createTable(db, 'drying_plans', {
        name: 'text',
        printer: 'text',
        'unit?': 'integer',
        materials: 'text',
        'humidity?': 'double precision',
        'days?': 'double precision',
        from_time: 'text',
        until_time: 'text',
        time_zone: 'text',
        'celsius?': 'integer',
        'hours?': 'integer',
        rotate: 'integer',
        power_group: 'text',
        holds_queue: 'integer',
        revision: 'integer',
        accepted_by: 'text',
        'accepted_at?': 'bigint',
        created_by: 'text',
        created_at: 'bigint'
      })
      await createTable(db, 'drying_runs', {
        plan: 'text',
        plan_name: 'text',
        serial: 'text',
        printer: 'text',
        unit: 'integer',
        power_group: 'text',
        holds_queue: 'integer',
        celsius: 'integer',
        hours: 'integer',
        spools: 'text',
        materials: 'text',
        state: 'text',
        reason: 'text',
        began_at: 'bigint',
        'ended_at?': 'bigint',
        told: 'integer'
      })
      await db.schema.createIndex('drying_runs_state').on('drying_runs').columns(['state', 'began_at']).execute()
      await db.schema.createIndex('drying_runs_unit').on('drying_runs').columns(['serial', 'unit', 'began_at']).execute()
    },
    async down (db) {
      for (const table of ['drying_runs', 'drying_plans']) await db.schema.dropTable(table).execute()
    }
  }),
  defineMigration({
    number: 2,
    name: 'as whom a plan was accepted',
    async up (db) {
      for (const column of ['accepted_kind', 'accepted_id']) {
        await db.schema.alterTable('drying_plans').addColumn(column, 'text', to => to.notNull().defaultTo('')).execute()
      }
    },
    async down (db) {
      for (const column of ['accepted_kind', 'accepted_id']) await db.schema.alterTable('drying_plans').dropColumn(column).execute()
    }
  })
]
