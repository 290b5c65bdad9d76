import { createTable, defineMigration, type Kysely } from '../database/index.js'

/** Times in ms since the epoch; lists of printers as JSON, null for all. */
export interface UserRow {
  id: string
  name: string
  /** The name in lower case. */
  known_as: string
  role: string
  printers: string | null
  /** Hash with its parameters; null for users without a password. */
  password: string | null
  created_at: number
  /** Issuer and subject, for a user of a provider. */
  foreign_id: string | null
  /** When the provider last said that this user has no role here; null while the last login was accepted. */
  refused_at: number | null
}

export interface KeyRow {
  /** SHA-256 of the key. */
  id: string
  name: string
  role: string
  printers: string | null
  /** Id of the owner; null for a key made on this machine or with the token. */
  owner: string | null
  created_at: number
  expires_at: number | null
  /** A `StoredBudget` as JSON; null for none. */
  budget: string | null
}

/** What a caller with a budget has printed, or queued. */
export interface BookingRow {
  /** The account, and the id of the booking. */
  id: string
  account: string
  /** The print or job. */
  pays: string
  prints: number
  grams: number
  hours: number
  booked_at: number
}

export interface SessionRow {
  /** SHA-256 of the cookie's value. */
  id: string
  person: string
  created_at: number
  expires_at: number
}

export interface Tables {
  people_users: UserRow
  people_keys: KeyRow
  people_sessions: SessionRow
  people_bookings: BookingRow
}

export type Db = Kysely<Tables>

/** Changes the tables. */
export interface Writer {
  readonly change: <R>(work: (db: Db) => Promise<R>) => Promise<R>
  /** ms since the epoch. */
  readonly now: () => number
}

export const listed = (printers: readonly string[] | null | undefined): string | null =>
  printers ? JSON.stringify(printers) : null

/** Released steps never change; add a new step instead. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'users, keys and logins',
    async up (db) {
      await createTable(db, 'people_users', {
        name: 'text', known_as: 'text', role: 'text', 'printers?': 'text', 'password?': 'text', created_at: 'bigint'
      })
      await db.schema.createIndex('people_users_name').on('people_users').column('known_as').unique().execute()
      await createTable(db, 'people_keys', {
        name: 'text', role: 'text', 'printers?': 'text', 'owner?': 'text', created_at: 'bigint', 'expires_at?': 'bigint'
      })
      await db.schema.createIndex('people_keys_name').on('people_keys').column('name').unique().execute()
      await createTable(db, 'people_sessions', { person: 'text', created_at: 'bigint', expires_at: 'bigint' })
    },
    async down (db) {
      for (const table of ['people_sessions', 'people_keys', 'people_users']) await db.schema.dropTable(table).execute()
    }
  }),
  defineMigration({
    number: 2,
    name: 'users who log in at a provider',
    async up (db) {
      await db.schema.alterTable('people_users').addColumn('foreign_id', 'text').execute()
      await db.schema.createIndex('people_users_foreign').on('people_users').column('foreign_id').unique().execute()
    },
    async down (db) {
      await db.schema.dropIndex('people_users_foreign').execute()
      await db.schema.alterTable('people_users').dropColumn('foreign_id').execute()
    }
  }),
  defineMigration({
    number: 3,
    name: 'budgets of keys',
    async up (db) {
      await db.schema.alterTable('people_keys').addColumn('budget', 'text').execute()
      await createTable(db, 'people_bookings', {
        account: 'text',
        pays: 'text',
        prints: 'integer',
        grams: 'double precision',
        hours: 'double precision',
        booked_at: 'bigint'
      })
      await db.schema.createIndex('people_bookings_account').on('people_bookings').columns(['account', 'booked_at']).execute()
      await db.schema.createIndex('people_bookings_pays').on('people_bookings').column('pays').execute()
    },
    async down (db) {
      await db.schema.dropTable('people_bookings').execute()
      await db.schema.alterTable('people_keys').dropColumn('budget').execute()
    }
  }),
  defineMigration({
    number: 4,
    name: 'users whom the provider refuses',
    async up (db) { await db.schema.alterTable('people_users').addColumn('refused_at', 'bigint').execute() },
    async down (db) { await db.schema.alterTable('people_users').dropColumn('refused_at').execute() }
  })
]
