import { createTable, defineMigration } from '../database/index.js'

/** Added to spools by the second step. */
const SPOOL_COLUMNS = {
  type: 'text',
  place: 'text',
  lot: 'text',
  notes: 'text',
  empty: 'double precision',
  price: 'double precision',
  currency: 'text',
  bought_at: 'bigint',
  opened_at: 'bigint',
  dried_at: 'bigint',
  archived_at: 'bigint'
} as const

/** Migrations are never changed after a release: a change is a further migration. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'spools, where they are, and what prints took from them',
    async up (db) {
      await createTable(db, 'spools_spools', {
        name: 'text',
        material: 'text',
        color: 'text',
        tag: 'text',
        'net?': 'double precision',
        used: 'double precision',
        archived: 'integer',
        created_at: 'bigint'
      })
      await createTable(db, 'spools_slots', {
        serial: 'text',
        place: 'text',
        spool: 'text',
        tag: 'text',
        material: 'text',
        color: 'text',
        assigned_at: 'bigint',
        assigned_by: 'text'
      })
      await createTable(db, 'spools_tags', {
        spool: 'text'
      })
      await createTable(db, 'spools_uses', {
        print: 'text',
        spool: 'text',
        printer: 'text',
        place: 'text',
        material: 'text',
        grams: 'double precision',
        state: 'text',
        'before?': 'double precision',
        'problem?': 'text',
        at: 'bigint',
        'sent_at?': 'bigint'
      })
      await db.schema.createIndex('spools_uses_state').on('spools_uses').columns(['state', 'at']).execute()
      await db.schema.createIndex('spools_uses_spool').on('spools_uses').columns(['spool', 'state', 'grams']).execute()
      await db.schema.createIndex('spools_uses_print').on('spools_uses').column('print').execute()
    },
    async down (db) {
      for (const table of ['spools_uses', 'spools_tags', 'spools_slots', 'spools_spools']) {
        await db.schema.dropTable(table).execute()
      }
    }
  }),
  defineMigration({
    number: 2,
    name: 'types of spools, places, and why a remainder changed',
    async up (db) {
      await createTable(db, 'spools_types', {
        brand: 'text',
        line: 'text',
        material: 'text',
        colors: 'text',
        color_name: 'text',
        diameter: 'double precision',
        'density?': 'double precision',
        'net?': 'double precision',
        'empty?': 'double precision',
        'price?': 'double precision',
        currency: 'text',
        'nozzle_min?': 'double precision',
        'nozzle_max?': 'double precision',
        'bed?': 'double precision',
        'dry_temp?': 'double precision',
        'dry_hours?': 'double precision',
        catalogue: 'text',
        notes: 'text',
        archived: 'integer',
        created_at: 'bigint'
      })
      await createTable(db, 'spools_places', {
        name: 'text',
        kind: 'text',
        'capacity?': 'integer',
        notes: 'text',
        archived: 'integer',
        created_at: 'bigint'
      })
      await createTable(db, 'spools_changes', {
        spool: 'text',
        kind: 'text',
        grams: 'double precision',
        at: 'bigint',
        made_by: 'text',
        note: 'text',
        'gross?': 'double precision',
        'empty?': 'double precision',
        'expected?': 'double precision'
      })
      await db.schema.createIndex('spools_changes_spool').on('spools_changes').columns(['spool', 'kind', 'grams']).execute()
      await db.schema.createIndex('spools_uses_at').on('spools_uses').column('at').execute()
      for (const [column, type] of Object.entries(SPOOL_COLUMNS)) {
        await db.schema.alterTable('spools_spools').addColumn(column, type,
          to => type === 'text' ? to.notNull().defaultTo('') : to).execute()
      }
    },
    async down (db) {
      for (const column of Object.keys(SPOOL_COLUMNS).reverse()) {
        await db.schema.alterTable('spools_spools').dropColumn(column).execute()
      }
      await db.schema.dropIndex('spools_uses_at').execute()
      for (const table of ['spools_changes', 'spools_places', 'spools_types']) await db.schema.dropTable(table).execute()
    }
  }),
  defineMigration({
    number: 3,
    name: 'what prints in progress had used when a spool was weighed',
    async up (db) {
      await db.schema.alterTable('spools_changes').addColumn('running', 'text', to => to.notNull().defaultTo('')).execute()
    },
    async down (db) {
      await db.deleteFrom('spools_changes').where('kind', '=', 'balanced').execute()
      await db.schema.alterTable('spools_changes').dropColumn('running').execute()
    }
  })
]
