import { createTable, defineMigration } from '../database/index.js'
import type { UseState } from './types.js'

/** Local spools. */
export interface SpoolRow {
  id: string
  name: string
  material: string
  color: string
  tag: string
  net: number | null
  /** Used before this service counted, g. */
  used: number
  archived: number
  created_at: number
}

/** Assignment of a spool to a place. By serial and place. */
export interface SlotRow {
  id: string
  serial: string
  place: string
  spool: string
  /** What was loaded then: another tag, material or colour means another spool. */
  tag: string
  material: string
  color: string
  assigned_at: number
  assigned_by: string
}

/** Assignment of a spool to a tag. By tag. */
export interface TagRow { id: string, spool: string }

export interface UseRow {
  id: string
  print: string
  spool: string
  printer: string
  place: string
  material: string
  grams: number
  state: UseState
  before: number | null
  problem: string | null
  at: number
  sent_at: number | null
}

export interface Tables {
  spools_spools: SpoolRow
  spools_slots: SlotRow
  spools_tags: TagRow
  spools_uses: UseRow
}

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
  })
]
