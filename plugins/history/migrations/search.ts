import { defineMigration } from '../../database/index.js'

const SEARCHED = "lower(name || ' ' || coalesce(note, '') || tags)"
const LISTED = ['started_at', 'id']
const FILTERED = ['searched', 'materials']
/** For the most frequent queries; each index covers all columns that a search compares. */
const INDEXES = {
  time: [...LISTED, ...FILTERED, 'outcome', 'printer'],
  printer: ['printer', ...LISTED, ...FILTERED, 'outcome'],
  outcome: ['outcome', ...LISTED, ...FILTERED, 'printer']
}

/** A narrow index covers the searched text, so that a search without a hit reads nothing else. */
export const search = defineMigration({
  number: 2,
  name: 'search, tags, metres and costs',
  async up (db, { kind, run }) {
    const storage = kind === 'sqlite' ? 'virtual' : 'stored'
    for (const column of ['materials', 'tags']) {
      await db.schema.alterTable('history_prints')
        .addColumn(column, 'text', to => to.notNull().defaultTo('')).execute()
    }
    await db.schema.alterTable('history_prints').addColumn('cost', 'double precision').execute()
    for (const column of ['metres', 'cost']) {
      await db.schema.alterTable('history_filaments').addColumn(column, 'double precision').execute()
    }
    await run(`alter table history_prints add column outcome text
      generated always as (coalesce(corrected, result)) ${storage}`)
    await run(`alter table history_prints add column searched text generated always as (${SEARCHED}) ${storage}`)
    const joined = kind === 'sqlite' ? "group_concat(material, ',')" : "string_agg(material, ',')"
    await run(`update history_prints set materials = coalesce((select ',' || ${joined} || ',' from history_filaments
      where print = history_prints.id), '')`)
    await db.schema.dropIndex('history_prints_results').execute()
    for (const [name, columns] of Object.entries(INDEXES)) {
      await db.schema.dropIndex(`history_prints_${name}`).ifExists().execute()
      await db.schema.createIndex(`history_prints_${name}`).on('history_prints').columns(columns).execute()
    }
  },
  async down (db) {
    for (const name of Object.keys(INDEXES)) await db.schema.dropIndex(`history_prints_${name}`).execute()
    for (const column of ['searched', 'outcome', 'materials', 'tags', 'cost']) {
      await db.schema.alterTable('history_prints').dropColumn(column).execute()
    }
    for (const column of ['metres', 'cost']) {
      await db.schema.alterTable('history_filaments').dropColumn(column).execute()
    }
    await db.schema.createIndex('history_prints_time').on('history_prints').columns(['started_at', 'id']).execute()
    await db.schema.createIndex('history_prints_printer').on('history_prints').columns(['printer', 'started_at'])
      .execute()
    await db.schema.createIndex('history_prints_results').on('history_prints')
      .columns(['printer', 'corrected', 'result', 'printing_s']).execute()
  }
})
