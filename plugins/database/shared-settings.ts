import type { Kysely } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { validationError } from '../../core/index.js'
import { SetInFile, SettingsChanged } from './errors.js'
import { createTable, type Database } from './types.js'

interface Row { id: string, value: string, revision: number, changed_at: number, changed_by: string }

/** Creates the table of `SharedSettings` in a migration. */
export const createSettingsTable = (db: Kysely<any>, name: string): Promise<void> =>
  createTable(db, name, { value: 'text', revision: 'integer', changed_at: 'bigint', changed_by: 'text' })

export interface SharedSettingsOptions<S extends TSchema> {
  readonly database: Pick<Database, 'query' | 'change'>
  /** Made with `createSettingsTable`; its name begins with that of the plugin. */
  readonly table: string
  /** Of the row: a table may hold several settings. */
  readonly id: string
  readonly schema: S
  readonly now: () => number
  /** What the configuration file says; undefined: it says nothing, so that people may choose on a page. */
  readonly inFile: Static<S> | undefined
  /** The option of the file, for the refusal of changes. */
  readonly option: string
}

/** Where settings are from; `none`: nobody has chosen. */
export type Origin = 'file' | 'stored' | 'none'

/**
 * Settings that people choose on a page, in one row that all services on a database share. The configuration file
 * comes first: what it says cannot be changed on a page.
 */
export class SharedSettings<S extends TSchema> {
  readonly #options: SharedSettingsOptions<S>
  #stored: Static<S> | undefined
  #revision = 0
  #asked = 0
  #seen = 0

  constructor (options: SharedSettingsOptions<S>) { this.#options = options }

  get origin (): Origin {
    return this.#options.inFile !== undefined ? 'file' : this.#stored !== undefined ? 'stored' : 'none'
  }

  /** As read or changed last. */
  get value (): Static<S> | undefined { return this.#options.inFile ?? this.#stored }

  /** Of what was read or changed last: raised by each change. */
  get revision (): number { return this.#revision }

  /** Whether it is known what people have chosen. */
  get isRead (): boolean { return this.#options.inFile !== undefined || this.#seen > 0 }

  /** Reads it within a query of one's own. @throws Error if what is stored cannot be understood */
  async readIn (db: Kysely<any>): Promise<Static<S> | undefined> {
    if (this.#options.inFile !== undefined) return this.#options.inFile
    const turn = ++this.#asked
    const row = await this.#row(db)
    this.#take(turn, this.#valueIn(row), row)
    return this.#stored
  }

  /** @throws the database's errors */
  read (): Promise<Static<S> | undefined> {
    return this.#options.database.query((db: Kysely<any>) => this.readIn(db))
  }

  /** @throws PRN_ERR_SET_IN_FILE */
  checkOpen (): void {
    if (this.#options.inFile !== undefined) throw new SetInFile(this.#options.option)
  }

  /**
   * Changes it as it is then, so that two people do not undo each other.
   * @param change may be run again, so it must only read the database
   * @param read revision that the change is of; undefined: whichever it is
   * @throws PRN_ERR_SET_IN_FILE, PRN_ERR_SETTINGS_CHANGED, the database's errors, what `change` throws
   */
  async change (
    change: (known: Static<S> | undefined, db: Kysely<any>) => Static<S> | Promise<Static<S>>, by: string, read?: number
  ): Promise<Static<S>> {
    this.checkOpen()
    const { database, table, id, now } = this.#options
    const stored = await database.change(async (db: Kysely<any>) => {
      const row = await this.#row(db)
      if (read !== undefined && read !== (row?.revision ?? 0)) throw new SettingsChanged()
      const next = await change(this.#valueIn(row), db)
      const changed: Row = {
        id, value: JSON.stringify(next), revision: (row?.revision ?? 0) + 1, changed_at: now(), changed_by: by
      }
      await db.insertInto(table).values(changed).onConflict(one => one.column('id').doUpdateSet(changed)).execute()
      return { row: changed, value: next }
    })
    this.#take(++this.#asked, stored.value, stored.row) // what was asked before this may be older
    return stored.value
  }

  #take (turn: number, value: Static<S> | undefined, row: Pick<Row, 'revision'> | undefined): void {
    if (turn < this.#seen) return
    this.#seen = turn
    this.#stored = value
    this.#revision = row?.revision ?? 0
  }

  #row (db: Kysely<any>): Promise<Row | undefined> {
    const { table, id } = this.#options
    return db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst() as Promise<Row | undefined>
  }

  #valueIn (row: Row | undefined): Static<S> | undefined {
    if (row === undefined) return undefined
    const value: unknown = JSON.parse(row.value)
    const problem = validationError(this.#options.schema, value)
    // Going on without them would lift limits that people have set.
    if (problem !== undefined) throw new Error(`the settings in ${this.#options.table} cannot be read: ${problem}`)
    return value as Static<S>
  }
}
