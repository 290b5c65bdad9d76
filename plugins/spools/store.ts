import type { Database, Kysely } from '../database/index.js'
import { balancesOf, isLevel, LEVELS } from './balances.js'
import type { ChangeRow, SlotRow, SpoolRow, Tables, TagRow, UseRow } from './tables.js'
import type { Use, UseState } from './types.js'

type Db = Kysely<Tables>

/** Uses that are sent or listed at a time. */
const MOST_USES = 100
/** Only these count as used: a use that was not reported to Spoolman does not reduce its spool. */
const COUNTED: readonly UseState[] = ['done']

/** New columns of a spool, and why its remainder changes. `used` never changes: corrections are rows. */
export interface Changed {
  readonly columns: Partial<Omit<SpoolRow, 'used'>>
  readonly changes: readonly ChangeRow[]
}

/** A spool that was printed from, and that nobody has entered. */
export interface Unentered {
  /** The id of each such spool, from 1, the same in every service. */
  readonly idOf: (number: number) => string
  readonly row: Omit<SpoolRow, 'id'>
  /** Why some of it is used already. */
  readonly change: Omit<ChangeRow, 'id' | 'spool'> | undefined
  /** What the print has used of it. */
  readonly grams: number
  /** Its place, and what was assigned there as far as was known; left out: it is known by its tag. */
  readonly slot?: { readonly row: Omit<SlotRow, 'spool'>, readonly seen: SlotRow | undefined }
}

export interface Stored {
  readonly spools: readonly SpoolRow[]
  readonly slots: readonly SlotRow[]
  readonly tags: readonly TagRow[]
}

/** Used beyond the amount given for a spool itself, g, by spool: by prints, and as corrected since. */
export async function usedBeyond (db: Db, spool?: string): Promise<Map<string, number>> {
  const used = new Map<string, number>()
  const uses = db.selectFrom('spools_uses').where('state', 'in', COUNTED).groupBy('spool')
    .select(['spool', ({ fn }) => fn.sum<number>('grams').as('grams')])
  const changes = db.selectFrom('spools_changes').where('kind', '!=', 'net').groupBy('spool')
    .select(['spool', ({ fn }) => fn.sum<number>('grams').as('grams')])
  for (const { spool: id, grams } of await (spool === undefined ? uses : uses.where('spool', '=', spool)).execute()) {
    used.set(id, Number(grams))
  }
  for (const { spool: id, grams } of await (spool === undefined ? changes : changes.where('spool', '=', spool)).execute()) {
    used.set(id, (used.get(id) ?? 0) - Number(grams))
  }
  return used
}

/** Adds the uses of one print, and what balances them, in a transaction. */
async function addUsesIn (db: Db, uses: readonly UseRow[], print: string, startedAt: number): Promise<void> {
  const known = await db.selectFrom('spools_uses').select('id').where('print', '=', print).limit(1).executeTakeFirst()
  if (known) return
  await db.insertInto('spools_uses').values([...uses]).execute()
  const spools = [...new Set(uses.filter(({ state }) => COUNTED.includes(state)).map(({ spool }) => spool))]
  if (spools.length === 0) return
  const levels = await db.selectFrom('spools_changes').selectAll().where('spool', 'in', spools)
    .where('kind', 'in', LEVELS).where('at', '>=', startedAt).orderBy('at').orderBy('id').execute()
  const balances = spools.flatMap(spool => balancesOf(
    uses.filter(use => use.spool === spool), levels.filter(level => level.spool === spool && isLevel(level))))
  if (balances.length > 0) await db.insertInto('spools_changes').values(balances).execute()
}

async function placeIn (db: Db, slot: SlotRow): Promise<void> {
  await db.deleteFrom('spools_slots').where(({ eb, or }) => or([eb('spool', '=', slot.spool), eb('id', '=', slot.id)])).execute()
  await db.insertInto('spools_slots').values(slot).execute()
}

/**
 * The id of a spool that nobody has entered. One that exists was put away too early, since it is printed from: it comes
 * back as it is. One on which less was left than was printed is gone: this is the next of its kind.
 */
async function ownIdIn (db: Db, { idOf, row, change, grams }: Unentered): Promise<string> {
  for (let number = 1; ; number++) {
    const id = idOf(number)
    const known = await db.selectFrom('spools_spools').selectAll().where('id', '=', id).executeTakeFirst()
    if (known === undefined) {
      await db.insertInto('spools_spools').values({ ...row, id }).execute()
      if (change) await db.insertInto('spools_changes').values({ ...change, id: `${id}/printer`, spool: id }).execute()
      return id
    }
    if (known.archived === 0) return id
    const used = known.used + ((await usedBeyond(db, id)).get(id) ?? 0)
    if (known.net !== null && known.net - used < grams) continue
    await db.updateTable('spools_spools').set({ archived: 0, archived_at: null }).where('id', '=', id).execute()
    return id
  }
}

async function addUnenteredIn (db: Db, spool: Unentered): Promise<void> {
  const { slot } = spool
  if (slot !== undefined) {
    const now = await db.selectFrom('spools_slots').selectAll().where('id', '=', slot.row.id).executeTakeFirst()
    if (now?.spool !== slot.seen?.spool || now?.assigned_at !== slot.seen?.assigned_at) return
  }
  const id = await ownIdIn(db, spool)
  if (slot !== undefined) await placeIn(db, { ...slot.row, spool: id })
}

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export function createStore (database: Database) {
  const query = <R>(work: (db: Db) => Promise<R>): Promise<R> => database.query<Tables, R>(work)

  return {
    /** Local spools with `used` including all uses, and the assignments of spools. */
    load: (): Promise<Stored> => query(async db => {
      const rows = await db.selectFrom('spools_spools').selectAll().where('archived', '=', 0).execute()
      const beyond = await usedBeyond(db)
      return {
        spools: rows.map(row => ({ ...row, used: row.used + (beyond.get(row.id) ?? 0) })),
        slots: await db.selectFrom('spools_slots').selectAll().execute(),
        tags: await db.selectFrom('spools_tags').selectAll().execute()
      }
    }),
    addSpool: (row: SpoolRow) => query(db => db.insertInto('spools_spools').values(row).execute()),
    /** Adds a spool that nobody has entered, unless its place was assigned meanwhile. */
    addUnentered: (spool: Unentered) => database.change<Tables, void>(db => addUnenteredIn(db, spool)),
    /** Spools that were put away at some time or later, as they were entered. */
    putAwaySince: (at: number): Promise<SpoolRow[]> => query(db => db.selectFrom('spools_spools').selectAll()
      .where('archived', '=', 1).where('archived_at', '>=', at).execute()),
    /** @param work the new columns, and why the remainder changes @returns the spool; undefined when there is none */
    changeSpool: (id: string, work: (row: SpoolRow) => Changed): Promise<SpoolRow | undefined> =>
      database.change<Tables, SpoolRow | undefined>(async db => {
        const row = await db.selectFrom('spools_spools').selectAll().where('id', '=', id).executeTakeFirst()
        if (!row) return undefined
        const beyond = (await usedBeyond(db, id)).get(id) ?? 0
        const before = { ...row, used: row.used + beyond }
        const { columns, changes } = work(before)
        if (Object.keys(columns).length > 0) await db.updateTable('spools_spools').set(columns).where('id', '=', id).execute()
        if (changes.length > 0) await db.insertInto('spools_changes').values([...changes]).onConflict(it => it.column('id').doNothing()).execute()
        return { ...before, ...columns, used: changes.reduce((used, { kind, grams }) => kind === 'net' ? used : used - grams, before.used) }
      }),
    /** A spool is in at most one place, and a place or tag has at most one spool. */
    assign: (slot: SlotRow): Promise<void> => query(db => db.transaction().execute(async db => {
      await placeIn(db, slot)
      if (slot.tag === '') return
      await db.deleteFrom('spools_tags').where(({ eb, or }) => or([eb('spool', '=', slot.spool), eb('id', '=', slot.tag)])).execute()
      await db.insertInto('spools_tags').values({ id: slot.tag, spool: slot.spool }).execute()
    })),
    clear: (slot: string, tag: string): Promise<void> => query(async db => {
      await db.deleteFrom('spools_slots').where('id', '=', slot).execute()
      if (tag !== '') await db.deleteFrom('spools_tags').where('id', '=', tag).execute()
    }),
    /**
     * Records the uses of one print, unless those of the print were recorded before. What a weighing has seen of them
     * already is balanced in the same step, so that the weighing stands.
     */
    addUses: async (uses: readonly UseRow[], startedAt: number): Promise<void> => {
      const [first] = uses
      if (first === undefined) return
      await database.change<Tables, void>(db => addUsesIn(db, uses, first.print, startedAt))
    },
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
