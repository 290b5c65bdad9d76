import { defineMigration } from '../../database/index.js'

const TABLES = ['history_prints', 'history_sums'] as const

/** How many parts a print of the queue gives, and good parts by day and month; 0: not known. */
export const parts = defineMigration({
  number: 10,
  name: 'parts of prints',
  async up (db) {
    for (const table of TABLES) {
      await db.schema.alterTable(table).addColumn('parts', 'integer', to => to.notNull().defaultTo(0)).execute()
    }
  },
  async down (db) {
    for (const table of TABLES) await db.schema.alterTable(table).dropColumn('parts').execute()
  }
})
