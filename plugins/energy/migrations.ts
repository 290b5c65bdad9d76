import { createTable, defineMigration } from '../database/index.js'

/** Migrations are never changed after a release: a change is a further migration. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'plugs, what they counted, and whose energy it was',
    async up (db) {
      await createTable(db, 'energy_plugs', {
        name: 'text',
        kind: 'text',
        settings: 'text',
        serial: 'text',
        'unit?': 'integer',
        on_for_jobs: 'integer',
        'off_after_min?': 'integer',
        service: 'text',
        switching_until: 'bigint',
        switching_by: 'text',
        created_at: 'bigint',
        created_by: 'text'
      })
      await db.schema.createIndex('energy_plugs_name').unique().on('energy_plugs').column('name').execute()
      await createTable(db, 'energy_meters', {
        'counter?': 'double precision',
        at: 'bigint',
        counted_by: 'text',
        wh: 'double precision',
        service: 'text'
      })
      await createTable(db, 'energy_use', {
        plug: 'text',
        serial: 'text',
        day: 'text',
        print: 'text',
        wh: 'double precision',
        cost: 'double precision',
        priced_wh: 'double precision',
        at: 'bigint'
      })
      await db.schema.createIndex('energy_use_day').on('energy_use').columns(['day', 'serial']).execute()
      await createTable(db, 'energy_prints', {
        serial: 'text',
        at: 'bigint',
        wh: 'double precision',
        cost: 'double precision',
        priced_wh: 'double precision',
        is_estimated: 'integer',
        is_partial: 'integer'
      })
      await db.schema.createIndex('energy_prints_at').on('energy_prints').columns(['at', 'serial']).execute()
      await createTable(db, 'energy_prices', { prices: 'text' })
    },
    async down (db) {
      for (const table of ['energy_prices', 'energy_prints', 'energy_use', 'energy_meters', 'energy_plugs']) {
        await db.schema.dropTable(table).execute()
      }
    }
  }),
  defineMigration({
    number: 2,
    name: 'who switched a plug off',
    async up (db) {
      await db.schema.alterTable('energy_plugs').addColumn('off_by', 'text', to => to.notNull().defaultTo('')).execute()
    },
    async down (db) { await db.schema.alterTable('energy_plugs').dropColumn('off_by').execute() }
  }),
  defineMigration({
    number: 3,
    name: 'plugs that may still obey, and each plug once',
    async up (db) {
      await db.schema.alterTable('energy_plugs').addColumn('off_sent_at', 'bigint', to => to.notNull().defaultTo(0)).execute()
      await db.schema.alterTable('energy_plugs').addColumn('place', 'text', to => to.notNull().defaultTo('')).execute()
      // Known plugs get their place when they are read; until then they are only told apart.
      await db.updateTable('energy_plugs').set(eb => ({ place: eb.ref('id') })).execute()
      await db.schema.createIndex('energy_plugs_place').unique().on('energy_plugs').column('place').execute()
    },
    async down (db) {
      await db.schema.dropIndex('energy_plugs_place').execute()
      for (const column of ['place', 'off_sent_at']) await db.schema.alterTable('energy_plugs').dropColumn(column).execute()
    }
  })
]
