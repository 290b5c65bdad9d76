import { defineMigration } from '../../database/index.js'

/** What a print was started with, for reprints. */
export const asked = defineMigration({
  number: 5,
  name: 'what a print was started with',
  up: db => db.schema.alterTable('history_prints').addColumn('asked', 'text', to => to.notNull().defaultTo('')).execute(),
  down: db => db.schema.alterTable('history_prints').dropColumn('asked').execute()
})
