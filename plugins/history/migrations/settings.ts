import { createSettingsTable, defineMigration } from '../../database/index.js'

/** What people choose on the page: prices, and how long prints are kept. */
export const settings = defineMigration({
  number: 9,
  name: 'prices, and how long prints are kept, as people set them',
  up: db => createSettingsTable(db, 'history_settings'),
  async down (db) {
    await db.schema.dropTable('history_settings').execute()
  }
})
