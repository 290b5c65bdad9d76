import type { Database, Kysely } from '../database/index.js'
import type { SlotRow, SpoolRow, Tables, TagRow, UseRow } from './tables.js'
import type { Use, UseState } from './types.js'

type Db = Kysely<Tables>

/** Uses that are sent or looked at in one go. */
const MOST_USES = 100
/** Counted: what was not reported to Spoolman is none of its spools' use. */
const COUNTED: readonly UseState[] = ['done']

export interface Kept {
  readonly spools: readonly SpoolRow[]
  readonly slots: readonly SlotRow[]
  readonly tags: readonly TagRow[]
}

/** The tables. Every method throws PRN_ERR_DATABASE_UNAVAILABLE while they cannot be used. */
export function createStore (database: Database) {
  const query = <R>(work: (db: Db) => Promise<R>): Promise<R> => database.query<Tables, R>(work)

  return {
    /** Spools of the service itself, and where spools are; `used` with all uses. */
    load: (): Promise<Kept> => query(async db => {
      const rows = await db.selectFrom('spools_spools').selectAll().where('archived', '=', 0).execute()
      const sums = await db.selectFrom('spools_uses').where('state', 'in', COUNTED).groupBy('spool')
        .select(['spool', ({ fn }) => fn.sum<number>('grams').as('grams')]).execute()
      const usedBy = new Map(sums.map(({ spool, grams }) => [spool, Number(grams)]))
      return {
        spools: rows.map(row => ({ ...row, used: row.used + (usedBy.get(row.id) ?? 0) })),
        slots: await db.selectFrom('spools_slots').selectAll().execute(),
        tags: await db.selectFrom('spools_tags').selectAll().execute()
      }
    }),
    addSpool: (row: SpoolRow) => query(db => db.insertInto('spools_spools').values(row).execute()),
    /** Adds a spool that may be known already. */
    meet: (row: SpoolRow) => query(db =>
      db.insertInto('spools_spools').values(row).onConflict(it => it.column('id').doNothing()).execute()),
    /** @returns false: there is none */
    changeSpool: (id: string, changes: Partial<SpoolRow>): Promise<boolean> => query(async db => {
      const { numUpdatedRows } = await db.updateTable('spools_spools').set(changes).where('id', '=', id).executeTakeFirst()
      return numUpdatedRows > 0n
    }),
    /** What was counted as used so far, beside what was said of the spool itself, g. */
    usesOf: (id: string): Promise<number> => query(async db => {
      const row = await db.selectFrom('spools_uses').where('spool', '=', id).where('state', 'in', COUNTED)
        .select(({ fn }) => fn.sum<number>('grams').as('grams')).executeTakeFirst()
      return Number(row?.grams ?? 0)
    }),
    /** A spool is in one place at a time, and a place and a tag have one spool. */
    assign: (slot: SlotRow): Promise<void> => query(db => db.transaction().execute(async db => {
      await db.deleteFrom('spools_slots').where(({ eb, or }) => or([eb('spool', '=', slot.spool), eb('id', '=', slot.id)])).execute()
      await db.insertInto('spools_slots').values(slot).execute()
      if (slot.tag === '') return
      await db.deleteFrom('spools_tags').where(({ eb, or }) => or([eb('spool', '=', slot.spool), eb('id', '=', slot.tag)])).execute()
      await db.insertInto('spools_tags').values({ id: slot.tag, spool: slot.spool }).execute()
    })),
    clear: (slot: string, tag: string): Promise<void> => query(async db => {
      await db.deleteFrom('spools_slots').where('id', '=', slot).execute()
      if (tag !== '') await db.deleteFrom('spools_tags').where('id', '=', tag).execute()
    }),
    /** Records uses that are not recorded yet. */
    addUses: (uses: readonly UseRow[]): Promise<void> => query(async db => {
      if (uses.length === 0) return
      await db.insertInto('spools_uses').values([...uses]).onConflict(row => row.column('id').doNothing()).execute()
    }),
    isCounted: (print: string): Promise<boolean> => query(async db =>
      await db.selectFrom('spools_uses').select('id').where('print', '=', print).limit(1).executeTakeFirst() !== undefined),
    /** Oldest first. */
    uses: (states: readonly UseState[], limit = MOST_USES): Promise<Use[]> => query(db => db.selectFrom('spools_uses')
      .selectAll().where('state', 'in', states).orderBy('at').orderBy('id').limit(limit).execute()),
    /** Those that nobody counted, newest first: what is old and forgotten hides nothing. */
    openUses: (): Promise<Use[]> => query(db => db.selectFrom('spools_uses').selectAll().where('state', '!=', 'done')
      .orderBy('at', 'desc').orderBy('id', 'desc').limit(MOST_USES).execute()),
    /** Takes a step, unless another service took it. @returns whether this one did */
    step: (id: string, from: UseState, to: Partial<UseRow>): Promise<boolean> => query(async db => {
      const { numUpdatedRows } = await db.updateTable('spools_uses').set(to)
        .where('id', '=', id).where('state', '=', from).executeTakeFirst()
      return numUpdatedRows > 0n
    })
  }
}

export type Store = ReturnType<typeof createStore>
