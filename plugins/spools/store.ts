import type { Database, Kysely } from '../database/index.js'
import type { SlotRow, SpoolRow, Tables, TagRow, UseRow } from './tables.js'
import type { Use, UseState } from './types.js'

type Db = Kysely<Tables>

/** Uses that are sent or listed at a time. */
const MOST_USES = 100
/** Only these count as used: a use that was not reported to Spoolman does not reduce its spool. */
const COUNTED: readonly UseState[] = ['done']

export interface Stored {
  readonly spools: readonly SpoolRow[]
  readonly slots: readonly SlotRow[]
  readonly tags: readonly TagRow[]
}

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export function createStore (database: Database) {
  const query = <R>(work: (db: Db) => Promise<R>): Promise<R> => database.query<Tables, R>(work)

  return {
    /** Local spools with `used` including all uses, and the assignments of spools. */
    load: (): Promise<Stored> => query(async db => {
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
    /** Adds a spool unless its id exists. */
    addIfNew: (row: SpoolRow) => query(db =>
      db.insertInto('spools_spools').values(row).onConflict(it => it.column('id').doNothing()).execute()),
    /** @returns false when there is no such spool */
    changeSpool: (id: string, changes: Partial<SpoolRow>): Promise<boolean> => query(async db => {
      const { numUpdatedRows } = await db.updateTable('spools_spools').set(changes).where('id', '=', id).executeTakeFirst()
      return numUpdatedRows > 0n
    }),
    /** Sum of counted uses, without the amount given for the spool itself, g. */
    usesOf: (id: string): Promise<number> => query(async db => {
      const row = await db.selectFrom('spools_uses').where('spool', '=', id).where('state', 'in', COUNTED)
        .select(({ fn }) => fn.sum<number>('grams').as('grams')).executeTakeFirst()
      return Number(row?.grams ?? 0)
    }),
    /** A spool is in at most one place, and a place or tag has at most one spool. */
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
    /** Records uses unless their ids exist. */
    addUses: (uses: readonly UseRow[]): Promise<void> => query(async db => {
      if (uses.length === 0) return
      await db.insertInto('spools_uses').values([...uses]).onConflict(row => row.column('id').doNothing()).execute()
    }),
    isCounted: (print: string): Promise<boolean> => query(async db =>
      await db.selectFrom('spools_uses').select('id').where('print', '=', print).limit(1).executeTakeFirst() !== undefined),
    /** Oldest first. */
    uses: (states: readonly UseState[], limit = MOST_USES): Promise<Use[]> => query(db => db.selectFrom('spools_uses')
      .selectAll().where('state', 'in', states).orderBy('at').orderBy('id').limit(limit).execute()),
    /** Uses that are not counted, newest first, so that old ones do not hide them. */
    openUses: (): Promise<Use[]> => query(db => db.selectFrom('spools_uses').selectAll().where('state', '!=', 'done')
      .orderBy('at', 'desc').orderBy('id', 'desc').limit(MOST_USES).execute()),
    /** Changes the state of a use, unless another service changed it first. @returns whether it was changed */
    step: (id: string, from: UseState, to: Partial<UseRow>): Promise<boolean> => query(async db => {
      const { numUpdatedRows } = await db.updateTable('spools_uses').set(to)
        .where('id', '=', id).where('state', '=', from).executeTakeFirst()
      return numUpdatedRows > 0n
    })
  }
}

export type Store = ReturnType<typeof createStore>
