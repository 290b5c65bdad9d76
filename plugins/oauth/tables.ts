import { createTable, defineMigration, type Kysely } from '../database/index.js'

/** A program that registered itself. Times in ms since the epoch. */
export interface ClientRow {
  /** `client_id`. */
  id: string
  name: string
  /** Redirect addresses as JSON. */
  redirects: string
  created_at: number
  /** When it last got a grant or a token; null for never. */
  used_at: number | null
}

/** What a person lets a program do. Codes and tokens are stored as SHA-256 only. */
export interface GrantRow {
  id: string
  /** Unique, for logs and lists. */
  name: string
  /** Id of the person's rights. */
  person: string
  client: string
  client_name: string
  /** Where codes are sent, as it was shown to the person. */
  sent_to: string
  role: string
  /** List as JSON; null for all that the person may use. */
  printers: string | null
  /** The only address at which its tokens are valid. */
  resource: string
  /** What it may print, as the plugin people stores it; null for no limit. */
  budget: string | null
  created_at: number
  /** Null for a grant that lasts until it is revoked. */
  expires_at: number | null
  used_at: number | null
  code: string
  code_until: number
  challenge: string
  redirect: string
  /** Of the part of refresh tokens that stays; null until the code is redeemed. */
  family: string | null
  /** Of the only refresh token that is valid. */
  refresh: string | null
  refresh_until: number | null
}

export interface TokenRow {
  /** SHA-256 of the access token. */
  id: string
  grant_id: string
  expires_at: number
}

export interface Tables { oauth_clients: ClientRow, oauth_grants: GrantRow, oauth_tokens: TokenRow }

export type Db = Kysely<Tables>

/** Released steps never change; add a new step instead. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'programs, grants and tokens',
    async up (db) {
      await createTable(db, 'oauth_clients', { name: 'text', redirects: 'text', created_at: 'bigint', 'used_at?': 'bigint' })
      await createTable(db, 'oauth_grants', {
        name: 'text',
        person: 'text',
        client: 'text',
        client_name: 'text',
        sent_to: 'text',
        role: 'text',
        'printers?': 'text',
        resource: 'text',
        'budget?': 'text',
        created_at: 'bigint',
        'expires_at?': 'bigint',
        'used_at?': 'bigint',
        code: 'text',
        code_until: 'bigint',
        challenge: 'text',
        redirect: 'text',
        'family?': 'text',
        'refresh?': 'text',
        'refresh_until?': 'bigint'
      })
      for (const column of ['name', 'code', 'family']) {
        await db.schema.createIndex(`oauth_grants_${column}`).on('oauth_grants').column(column).unique().execute()
      }
      await createTable(db, 'oauth_tokens', { grant_id: 'text', expires_at: 'bigint' })
      await db.schema.createIndex('oauth_tokens_grant').on('oauth_tokens').column('grant_id').execute()
    },
    async down (db) {
      for (const table of ['oauth_tokens', 'oauth_grants', 'oauth_clients']) await db.schema.dropTable(table).execute()
    }
  })
]
