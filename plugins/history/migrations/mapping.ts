import { defineMigration } from '../../database/index.js'

const ADDED = { history_prints: 'mapping', history_told: 'job' } as const

/** Records the spools of a print, so that a reprint uses the same ones only if they are certain. */
export const mapping = defineMigration({
  number: 7,
  name: 'where the filaments of a print came from, and which job was sent',
  async up (db) {
    for (const [table, column] of Object.entries(ADDED)) {
      await db.schema.alterTable(table).addColumn(column, 'text', to => to.notNull().defaultTo('')).execute()
    }
  },
  async down (db) {
    for (const [table, column] of Object.entries(ADDED)) await db.schema.alterTable(table).dropColumn(column).execute()
  }
})
