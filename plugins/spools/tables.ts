import { defineMigration } from '../database/index.js'
import type { UseState } from './types.js'

/** Spools that are kept here. */
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

/** Which spool is where, as a person said. By serial and place. */
export interface SlotRow {
  id: string
  serial: string
  place: string
  spool: string
  /** What was in it then: another tag, material or colour is another spool. */
  tag: string
  material: string
  color: string
  assigned_at: number
  assigned_by: string
}

/** Which spool carries a tag, as a person said. By tag. */
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

/** Never changed after a release: what is new is a further step. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'spools, where they are, and what prints took from them',
    async up (db) {
      await db.schema.createTable('spools_spools')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('name', 'text', column => column.notNull())
        .addColumn('material', 'text', column => column.notNull())
        .addColumn('color', 'text', column => column.notNull())
        .addColumn('tag', 'text', column => column.notNull())
        .addColumn('net', 'double precision')
        .addColumn('used', 'double precision', column => column.notNull())
        .addColumn('archived', 'integer', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .execute()
      await db.schema.createTable('spools_slots')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('serial', 'text', column => column.notNull())
        .addColumn('place', 'text', column => column.notNull())
        .addColumn('spool', 'text', column => column.notNull())
        .addColumn('tag', 'text', column => column.notNull())
        .addColumn('material', 'text', column => column.notNull())
        .addColumn('color', 'text', column => column.notNull())
        .addColumn('assigned_at', 'bigint', column => column.notNull())
        .addColumn('assigned_by', 'text', column => column.notNull())
        .execute()
      await db.schema.createTable('spools_tags')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('spool', 'text', column => column.notNull())
        .execute()
      await db.schema.createTable('spools_uses')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('print', 'text', column => column.notNull())
        .addColumn('spool', 'text', column => column.notNull())
        .addColumn('printer', 'text', column => column.notNull())
        .addColumn('place', 'text', column => column.notNull())
        .addColumn('material', 'text', column => column.notNull())
        .addColumn('grams', 'double precision', column => column.notNull())
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('before', 'double precision')
        .addColumn('problem', 'text')
        .addColumn('at', 'bigint', column => column.notNull())
        .addColumn('sent_at', 'bigint')
        .execute()
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
