import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../core/index.js'
import { createTable, defineMigration, type Database, type Kysely } from '../database/index.js'

/** A fault that is ignored on one printer. */
export interface Ignored {
  readonly code: string
  /** ms since the epoch. */
  readonly since: number
  /** Who ignored it, such as `http (local)`. */
  readonly by: string
}

/** Ignored faults by serial number, so that renaming a printer does not lose them. */
export interface IgnoredStore {
  of (serial: string): Promise<readonly Ignored[]>
  /** Codes by serial number, in the same order. */
  all (): Promise<ReadonlyMap<string, readonly string[]>>
  add (serial: string, ignored: Ignored): Promise<void>
  remove (serial: string, code: string): Promise<void>
}

interface IgnoredRow { id: string, serial: string, code: string, since: number, ignored_by: string }
interface Tables { faults_ignored: IgnoredRow }

const idOf = (serial: string, code: string): string => `${serial} ${code}`

/** Released steps never change: changes are further steps. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'faults that do not count on a printer',
    async up (db) {
      await createTable(db, 'faults_ignored', { serial: 'text', code: 'text', since: 'bigint', ignored_by: 'text' })
      await db.schema.createIndex('faults_ignored_serial').on('faults_ignored').columns(['serial']).execute()
    },
    async down (db) { await db.schema.dropTable('faults_ignored').execute() }
  })
]

/** Stores them in the database, which services that share a printer have in common. */
export function createTableStore (database: Pick<Database, 'query'>): IgnoredStore {
  const query = <R>(work: (db: Kysely<Tables>) => Promise<R>) => database.query(work)
  return {
    of: serial => query(async db => {
      const rows = await db.selectFrom('faults_ignored').selectAll().where('serial', '=', serial)
        .orderBy('since').orderBy('code').execute()
      return rows.map(({ code, since, ignored_by: by }) => ({ code, since: Number(since), by }))
    }),
    all: () => query(async db => {
      const rows = await db.selectFrom('faults_ignored').select(['serial', 'code']).orderBy('since').orderBy('code').execute()
      const codes = new Map<string, string[]>()
      for (const { serial, code } of rows) codes.set(serial, [...codes.get(serial) ?? [], code])
      return codes
    }),
    add: (serial, { code, since, by }) => query(async db => {
      await db.insertInto('faults_ignored').values({ id: idOf(serial, code), serial, code, since, ignored_by: by })
        .onConflict(conflict => conflict.column('id').doNothing()).execute()
    }),
    remove: (serial, code) => query(async db => {
      await db.deleteFrom('faults_ignored').where('id', '=', idOf(serial, code)).execute()
    })
  }
}

const IgnoredByPrinter = Type.Record(Type.String(), Type.Array(Type.Object({
  code: Type.String(), since: Type.Number(), by: Type.String()
})))

/** Stores them in a file, for an application without a database. */
export async function openFileStore (folder: string, warn: (message: string) => void): Promise<IgnoredStore> {
  const store = await openJsonStore(join(folder, 'ignored.json'), { schema: IgnoredByPrinter, initial: {}, warn })
  const of = (serial: string): readonly Ignored[] => store.get()[serial] ?? []
  const without = (serial: string, code: string) => of(serial).filter(known => known.code !== code)
  const keep = (serial: string, all: readonly Ignored[]) => store.set({ ...store.get(), [serial]: [...all] })
  return {
    of: async serial => of(serial),
    all: async () => new Map(Object.entries(store.get()).map(([serial, all]) => [serial, all.map(({ code }) => code)])),
    add: (serial, ignored) => keep(serial, [...without(serial, ignored.code), ignored]),
    remove: (serial, code) => keep(serial, without(serial, code))
  }
}
