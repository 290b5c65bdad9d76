import { createTable, defineMigration } from '../../database/index.js'

/** Several services may record the prints of one printer in one database, but only one at a time. */
export const writers = defineMigration({
  number: 6,
  name: 'which service records the prints of a printer',
  async up (db) {
    await createTable(db, 'history_writers', { owner: 'text', until: 'double precision' })
    await createTable(db, 'history_newest', { writer: 'text', print: 'text' })
    await createTable(db, 'history_told', { serial: 'text', kind: 'text', caller: 'text', called_at: 'bigint', asked: 'text' })
  },
  async down (db) {
    for (const name of ['history_writers', 'history_newest', 'history_told']) await db.schema.dropTable(name).execute()
  }
})
