import { defineMigration } from '../../database/index.js'

/** How the grams of a print were found, and when they are final. */
export const grams = defineMigration({
  number: 8,
  name: 'how the grams of a print were found',
  async up (db) {
    await db.schema.alterTable('history_prints').addColumn('layers_percent', 'double precision').execute()
    await db.schema.alterTable('history_prints').addColumn('grams_open_until', 'bigint').execute()
    await db.schema.alterTable('history_filaments').addColumn('basis', 'text', to => to.notNull().defaultTo('')).execute()
  },
  async down (db) {
    await db.schema.alterTable('history_filaments').dropColumn('basis').execute()
    for (const column of ['grams_open_until', 'layers_percent']) {
      await db.schema.alterTable('history_prints').dropColumn(column).execute()
    }
  }
})
