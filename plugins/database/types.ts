import type { Kysely } from 'kysely'

/** For statements in which the databases differ. */
export interface Ddl {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs one statement literally. Never insert external values into it. */
  run (statement: string): Promise<void>
}

/** One step of a plugin's tables. Steps are numbered from 1 without gaps; a released step never changes. */
export interface Migration {
  readonly number: number
  /** What it does, in a few words. */
  readonly name: string
  /**
   * Use column types that both databases support: `text`, `integer`, `bigint` (numbers, times in ms), and
   * `double precision`.
   */
  up (db: Kysely<any>, ddl: Ddl): Promise<void>
  down (db: Kysely<any>, ddl: Ddl): Promise<void>
}

/** Defines one step of a plugin's tables, for its contribution `migrations`. */
export const defineMigration = (migration: Migration): Migration => Object.freeze(migration)

/**
 * Column types by name, in addition to the text column `id`, the primary key of every table. A name that ends in a
 * question mark is nullable.
 */
export type Columns = Readonly<Record<string, 'text' | 'integer' | 'bigint' | 'double precision'>>

/** Creates a table in a migration. */
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

/** A row to write: inserted, or if its `id` exists, these columns are updated. */
export interface Row {
  readonly table: string
  /** If its `id` exists, that row stays unchanged. */
  readonly onlyNew?: boolean
  readonly values: Readonly<Record<string, Value>> & { readonly id: string }
}

/** Newest step of each plugin's tables. */
export type Versions = Readonly<Record<string, number>>

/** Rows of one table, without generated columns. */
export interface TableRows { readonly table: string, readonly rows: readonly Readonly<Record<string, Value>>[] }

/** Parts of a dump: versions first, then the rows. */
export type DumpPart = { readonly versions: Versions } | TableRows

export interface LoadOptions {
  readonly versions: Versions
  readonly rows: AsyncIterable<TableRows>
  /** Replaces existing data; otherwise that is an error. */
  readonly replace: boolean
  /** Called for rows that were loaded. */
  readonly onRows: (part: TableRows) => void
}

export interface DatabaseStatus {
  readonly kind: Ddl['kind']
  /** Rows not yet written. */
  readonly waiting: number
  /** Rows dropped because too many were waiting, or because the database cannot store what they contain. */
  readonly dropped: number
  /** Why rows wait; undefined without a problem. */
  readonly problem: string | undefined
}

/** Tables of plugins, in one SQLite file or in PostgreSQL. Loaded and opened on first use. */
export interface Database {
  readonly status: DatabaseStatus
  /**
   * Queues a row and never fails. Rows with the same `id` are merged, and written in the order of their first arrival.
   * While the database cannot be written, they are stored in a journal file, also across restarts.
   */
  put (row: Row): void
  /** Resolves when everything queued is written, or stored in the journal. */
  settled (): Promise<void>
  /**
   * Runs queries on up-to-date tables, after everything queued before has been written.
   * @throws PRN_ERR_DATABASE_UNAVAILABLE, PRN_ERR_DATABASE_NEWER, what the work throws
   */
  query<T, R> (work: (db: Kysely<T>) => Promise<R>): Promise<R>
  /**
   * The same in one serializable transaction. Work that conflicts with another service's is run again, so it must only
   * read and write the database.
   * @throws PRN_ERR_DATABASE_UNAVAILABLE, PRN_ERR_DATABASE_NEWER, what the work throws
   */
  change<T, R> (work: (db: Kysely<T>) => Promise<R>): Promise<R>
  /**
   * Replaces all recorded data by the rows of a dump, or changes nothing.
   * @throws PRN_ERR_DATABASE_UNAVAILABLE, PRN_ERR_DATABASE_NEWER, PRN_ERR_DATABASE_NOT_EMPTY
   */
  load (options: LoadOptions): Promise<void>
  /**
   * Loads the rows of a dump into a new SQLite file in an empty folder, to see whether that works.
   * @throws PRN_ERR_DATABASE_NEWER, the database's error
   */
  tryLoad (folder: string, options: Omit<LoadOptions, 'replace'>): Promise<void>
}
