import { createTable, defineMigration, type Kysely } from '../database/index.js'

/** A key pair whose private half never leaves its device. Times in ms since the epoch. */
export interface PasskeyRow {
  /** Id of the credential, base64url. */
  id: string
  /** Id of the user. */
  person: string
  name: string
  /** The host name for which browsers offer it. */
  host: string
  /** COSE, base64url. */
  public_key: string
  /** Uses as the device counts them; 0 where it does not. */
  counter: number
  /** JSON. */
  transports: string
  created_at: number
  used_at: number | null
}

/** A user for whom a password alone is not enough. */
export interface StrictUserRow {
  /** Id of the user. */
  id: string
  since: number
}

export interface Tables {
  passkeys: PasskeyRow
  passkey_strict_users: StrictUserRow
}

export type Db = Kysely<Tables>

/** Released steps never change; add a new step instead. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'passkeys',
    async up (db) {
      await createTable(db, 'passkeys', {
        person: 'text',
        name: 'text',
        host: 'text',
        public_key: 'text',
        counter: 'bigint',
        transports: 'text',
        created_at: 'bigint',
        'used_at?': 'bigint'
      })
      await db.schema.createIndex('passkeys_person').on('passkeys').column('person').execute()
      await createTable(db, 'passkey_strict_users', { since: 'bigint' })
    },
    async down (db) {
      await db.schema.dropTable('passkey_strict_users').execute()
      await db.schema.dropTable('passkeys').execute()
    }
  })
]
