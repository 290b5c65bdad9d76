import type { Kysely } from 'kysely'

/** For what the databases say in different words. */
export interface Ddl {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs one statement as it is written. Never put values from outside into it. */
  run (statement: string): Promise<void>
}

/** One step of a plugin's tables. Steps are numbered from 1 without gaps; one that was released never changes. */
export interface Migration {
  readonly number: number
  /** What it does, in a few words. */
  readonly name: string
  /**
   * Use column types that both databases know: `text`, `integer`, `bigint` (numbers, times in ms), and
   * `double precision`.
   */
  up (db: Kysely<any>, ddl: Ddl): Promise<void>
  down (db: Kysely<any>, ddl: Ddl): Promise<void>
}

/** Defines one step of a plugin's tables, for its contribution `migrations`. */
export const defineMigration = (migration: Migration): Migration => Object.freeze(migration)

/**
 * Types of columns by name, beside `id`, a text, which every table has as its key. A name that ends in a question mark
 * may be null.
 */
export type Columns = Readonly<Record<string, 'text' | 'integer' | 'bigint' | 'double precision'>>

/** Makes a table in a migration. */
export async function createTable (db: Kysely<any>, name: string, columns: Columns): Promise<void> {
  let table = db.schema.createTable(name).addColumn('id', 'text', column => column.primaryKey())
  for (const [column, type] of Object.entries(columns)) {
    table = column.endsWith('?')
      ? table.addColumn(column.slice(0, -1), type)
      : table.addColumn(column, type, definition => definition.notNull())
  }
  await table.execute()
}

export type Value = string | number | null

/** A row to be written: inserted, or where its `id` exists only these columns of it changed. */
export interface Row {
  readonly table: string
  /** Where its `id` exists, that row stays as it is. */
  readonly onlyNew?: boolean
  readonly values: Readonly<Record<string, Value>> & { readonly id: string }
}

/** Newest step of each plugin's tables. */
export type Versions = Readonly<Record<string, number>>

/** Rows of one table, without the columns that the database makes by itself. */
export interface TableRows { readonly table: string, readonly rows: readonly Readonly<Record<string, Value>>[] }

/** What a dump consists of: versions first, then the rows. */
export type DumpPart = { readonly versions: Versions } | TableRows

export interface LoadOptions {
  readonly versions: Versions
  readonly rows: AsyncIterable<TableRows>
  /** Instead of a refusal where something is recorded already. */
  readonly replace: boolean
  /** Told of rows that are in. */
  readonly onRows: (part: TableRows) => void
}

export interface DatabaseStatus {
  readonly kind: Ddl['kind']
  /** Rows that are not written yet. */
  readonly waiting: number
  /** Rows that were given up because too many waited. */
  readonly dropped: number
  /** Why rows wait; undefined while all is well. */
  readonly problem: string | undefined
}

/** Tables of plugins, in one SQLite file or in PostgreSQL. Nothing is loaded or opened before the first use. */
export interface Database {
  readonly status: DatabaseStatus
  /**
   * Queues a row and never fails. Rows of one `id` are merged, and written in the order in which they came first.
   * While the database cannot be written they are kept in a journal file, also across restarts.
   */
  put (row: Row): void
  /** Resolves when everything queued is written, or in the journal. */
  settled (): Promise<void>
  /**
   * Runs queries on up-to-date tables that hold what was queued before.
   * @throws PRN_ERR_DATABASE_UNAVAILABLE, PRN_ERR_DATABASE_NEWER, what the work throws
   */
  query<T, R> (work: (db: Kysely<T>) => Promise<R>): Promise<R>
  /**
   * The same in one transaction, as if no other service wrote at the time. Work that another one overtook is run anew,
   * so it must only read and write the database.
   * @throws PRN_ERR_DATABASE_UNAVAILABLE, PRN_ERR_DATABASE_NEWER, what the work throws
   */
  change<T, R> (work: (db: Kysely<T>) => Promise<R>): Promise<R>
  /**
   * Puts the rows of a dump in place of all that is recorded, at once or not at all.
   * @throws PRN_ERR_DATABASE_UNAVAILABLE, PRN_ERR_DATABASE_NEWER, PRN_ERR_DATABASE_NOT_EMPTY
   */
  load (options: LoadOptions): Promise<void>
}
