import type { GivenType } from './inventory-schemas.js'
import type { Database, Kysely } from '../database/index.js'
import { usedBeyond } from './store.js'
import type { ChangeRow, PlaceRow, SpoolRow, Tables, TypeRow, UseRow } from './tables.js'

type Db = Kysely<Tables>

/** What there is already. Spools have `used` as of now. */
export interface Existing {
  readonly types: readonly TypeRow[]
  readonly places: readonly PlaceRow[]
  readonly spools: readonly SpoolRow[]
}

/** Values in one statement: databases limit them. */
const MOST_AT_ONCE = 500

/** Splits a list, so that no statement has too many values. */
export const inParts = <T>(list: readonly T[], size = MOST_AT_ONCE): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))

/** What is written together by an import. */
export interface Batch {
  readonly types: readonly TypeRow[]
  readonly places: readonly PlaceRow[]
  readonly spools: readonly SpoolRow[]
  readonly changes: readonly ChangeRow[]
}

/** Filament used by prints in some time, by spool and printer. */
export interface UsedByPrinter { readonly spool: string, readonly printer: string, readonly grams: number }

async function put<R extends { readonly id: string }> (db: Kysely<any>, table: string, rows: readonly R[]):
Promise<void> {
  const [first] = rows
  if (first === undefined) return
  // One row has up to 21 columns, and SQLite takes 32,766 values in a statement.
  const columns = Object.keys(first).filter(column => column !== 'id' && column !== 'used' && column !== 'created_at')
  for (const part of inParts(rows)) {
    await db.insertInto(table).values(part).onConflict(it => it.column('id').doUpdateSet(({ ref }) =>
      Object.fromEntries(columns.map(column => [column, ref(`excluded.${column}`)])))).execute()
  }
}

const typesIn = (db: Db): Promise<TypeRow[]> =>
  db.selectFrom('spools_types').selectAll().orderBy('brand').orderBy('line').execute()

const placesIn = (db: Db): Promise<PlaceRow[]> => db.selectFrom('spools_places').selectAll().orderBy('name').execute()

async function spoolsIn (db: Db, archived?: boolean): Promise<SpoolRow[]> {
  const all = db.selectFrom('spools_spools').selectAll().orderBy('created_at').orderBy('id')
  const rows = await (archived === undefined ? all : all.where('archived', '=', Number(archived))).execute()
  const beyond = await usedBeyond(db)
  return rows.map(row => ({ ...row, used: row.used + (beyond.get(row.id) ?? 0) }))
}

const existingIn = async (db: Db): Promise<Existing> =>
  ({ types: await typesIn(db), places: await placesIn(db), spools: await spoolsIn(db) })

/** Tables of the inventory. Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export function createInventoryStore (database: Database) {
  const query = <R>(work: (db: Db) => Promise<R>): Promise<R> => database.query<Tables, R>(work)

  return {
    types: (): Promise<TypeRow[]> => query(typesIn),
    places: (): Promise<PlaceRow[]> => query(placesIn),
    /** With `used` as of now. @param archived left out: both */
    spools: (archived?: boolean): Promise<SpoolRow[]> => query(db => spoolsIn(db, archived)),
    existing: (): Promise<Existing> => query(existingIn),
    /** With what was used before this service counted. */
    spool: (id: string): Promise<SpoolRow | undefined> => query(db =>
      db.selectFrom('spools_spools').selectAll().where('id', '=', id).executeTakeFirst()),
    /** Oldest first. */
    changes: (spool?: string): Promise<ChangeRow[]> => query(db => {
      const all = db.selectFrom('spools_changes').selectAll().orderBy('at').orderBy('id')
      return (spool === undefined ? all : all.where('spool', '=', spool)).execute()
    }),
    /** Counted uses of one spool, oldest first. */
    usesOf: (spool: string): Promise<UseRow[]> => query(db => db.selectFrom('spools_uses').selectAll()
      .where('spool', '=', spool).where('state', '=', 'done').orderBy('at').orderBy('id').execute()),
    /** Counted uses of spools that were weighed, oldest first. */
    usesOfWeighed: (): Promise<Pick<UseRow, 'id' | 'print' | 'spool' | 'printer' | 'grams' | 'at'>[]> => query(db =>
      db.selectFrom('spools_uses').select(['id', 'print', 'spool', 'printer', 'grams', 'at']).where('state', '=', 'done')
        .where('spool', 'in', db.selectFrom('spools_changes').select('spool').where('kind', '=', 'weighed'))
        .orderBy('at').orderBy('id').execute()),
    usedSince: (from: number): Promise<UsedByPrinter[]> => query(async db => {
      const rows = await db.selectFrom('spools_uses').where('state', 'in', ['done', 'waiting', 'sending']).where('at', '>=', from)
        .groupBy(['spool', 'printer']).select(['spool', 'printer', ({ fn }) => fn.sum<number>('grams').as('grams')]).execute()
      return rows.map(row => ({ ...row, grams: Number(row.grams) }))
    }),
    putType: (row: TypeRow): Promise<void> => query(db => put(db, 'spools_types', [row])),
    putPlace: (row: PlaceRow): Promise<void> => query(db => put(db, 'spools_places', [row])),
    /**
     * Writes everything of an import, or nothing. What there is does not change between the plan and its writing.
     * @param plan called again if another service was faster
     */
    putAll: <P extends Batch>(plan: (existing: Existing) => P): Promise<P> => database.change<Tables, P>(async db => {
      const batch = plan(await existingIn(db))
      await put(db, 'spools_types', batch.types)
      await put(db, 'spools_places', batch.places)
      await put(db, 'spools_spools', batch.spools)
      await put(db, 'spools_changes', batch.changes)
      return batch
    }),
    /** Changes many spools alike. */
    updateMany: (ids: readonly string[], columns: Partial<SpoolRow>): Promise<void> =>
      query(db => db.transaction().execute(async db => {
        for (const part of inParts(ids)) await db.updateTable('spools_spools').set(columns).where('id', 'in', part).execute()
      })),
    /** Removes a spool that is archived and that no print used. @returns whether it was removed */
    remove: (id: string): Promise<boolean> => query(db => db.transaction().execute(async db => {
      const used = await db.selectFrom('spools_uses').select('id').where('spool', '=', id).limit(1).executeTakeFirst()
      if (used) return false
      const { numDeletedRows } = await db.deleteFrom('spools_spools').where('id', '=', id).where('archived', '=', 1).executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await db.deleteFrom('spools_changes').where('spool', '=', id).execute()
      await db.deleteFrom('spools_slots').where('spool', '=', id).execute()
      await db.deleteFrom('spools_tags').where('spool', '=', id).execute()
      return true
    }))
  }
}

export type InventoryStore = ReturnType<typeof createInventoryStore>

/** A type as a row. @param before what stays where nothing else is given */
export function typeRow (id: string, given: Partial<GivenType>, before: TypeRow | undefined, at: number): TypeRow {
  const or = <T>(value: T | undefined, other: T | undefined, none: T): T => value !== undefined ? value : other ?? none
  return {
    id,
    brand: or(given.brand, before?.brand, ''),
    line: or(given.line, before?.line, ''),
    material: or(given.material, before?.material, ''),
    colors: or(given.colors?.join(',').toUpperCase(), before?.colors, ''),
    color_name: or(given.color_name, before?.color_name, ''),
    diameter: or(given.diameter_mm, before?.diameter, 1.75),
    density: or(given.density, before?.density, null),
    net: or(given.net_g, before?.net, null),
    empty: or(given.empty_g, before?.empty, null),
    price: or(given.price, before?.price, null),
    currency: or(given.currency, before?.currency, ''),
    nozzle_min: or(given.nozzle_min_c, before?.nozzle_min, null),
    nozzle_max: or(given.nozzle_max_c, before?.nozzle_max, null),
    bed: or(given.bed_c, before?.bed, null),
    dry_temp: or(given.dry_c, before?.dry_temp, null),
    dry_hours: or(given.dry_hours, before?.dry_hours, null),
    catalogue: or(given.catalogue, before?.catalogue, ''),
    notes: or(given.notes, before?.notes, ''),
    archived: before?.archived ?? 0,
    created_at: before?.created_at ?? at
  }
}

/** What a spool of a type is called, such as `Bambu Lab PLA Matte Charcoal`. */
export const nameOfType = ({ brand, line, material, color_name: color }: Pick<TypeRow, 'brand' | 'line' | 'material' | 'color_name'>): string =>
  [brand, line || material, color].filter(Boolean).join(' ').slice(0, 100)
