import { randomBytes } from 'node:crypto'
import type { Database } from '../database/index.js'
import { readClientMetadata, type ClientMetadata } from './client-metadata.js'
import { OAuthRequestRefused } from './errors.js'
import { fetchDocument } from './fetch-document.js'
import type { ClientRow, Db, Tables } from './tables.js'

/** A program that wants a grant. */
export interface Client extends ClientMetadata {
  /** `client_id`. */
  readonly id: string
  /** The host whose document names the program; undefined for one that registered itself, for which nobody vouches. */
  readonly vouchedBy: string | undefined
}

export interface ClientDeps {
  readonly database: Pick<Database, 'query' | 'change'>
  /** ms since the epoch. */
  readonly now: () => number
  /** @throws Error with the reason */
  readonly fetch?: (address: string) => Promise<unknown>
}

const ID_BYTES = 16
const DAY_MS = 86_400_000
/** A program that nobody consented to is forgotten after this time, one that was used after the other. */
const UNUSED_MS = 7 * DAY_MS
const USED_MS = 180 * DAY_MS
/** At each limit the oldest ones go. */
const MOST_UNUSED = 200
const MOST_USED = 1_000

const DOCUMENT_MS = 600_000
const MOST_DOCUMENTS = 100

/** A metadata document is accepted only if it states its own address as `client_id`. */
function clientIn (document: unknown, id: string): Client {
  const metadata = readClientMetadata(document)
  if (typeof metadata === 'string') throw new OAuthRequestRefused(`its document ${id} cannot be used: ${metadata}`)
  if ((document as { client_id?: unknown }).client_id !== id) {
    throw new OAuthRequestRefused(`its document ${id} does not state this address as client_id`)
  }
  return { ...metadata, id, vouchedBy: new URL(id).host }
}

/** Removes what is too old or too much. */
export async function pruneClients (db: Db, now: number): Promise<void> {
  const open = await db.selectFrom('oauth_grants').select('client').execute()
  const kept = new Set(open.map(({ client }) => client))
  const rows = await db.selectFrom('oauth_clients').select(['id', 'created_at', 'used_at']).orderBy('created_at', 'desc').execute()
  const idle = rows.filter(({ id }) => !kept.has(id))
  const used = idle.filter(({ used_at: at }) => at !== null)
  const unused = idle.filter(({ used_at: at }) => at === null)
  const gone = [
    ...used.filter(({ used_at: at }, index) => index >= MOST_USED || (at ?? 0) + USED_MS <= now),
    ...unused.filter(({ created_at: at }, index) => index >= MOST_UNUSED || at + UNUSED_MS <= now)
  ]
  for (const { id } of gone) await db.deleteFrom('oauth_clients').where('id', '=', id).execute()
}

/** Programs that registered themselves, and those that a document on the Internet describes. */
export function createClients ({ database, now, fetch = fetchDocument }: ClientDeps) {
  const documents = new Map<string, { readonly client: Client, readonly until: number }>()

  async function fetched (id: string): Promise<Client> {
    const known = documents.get(id)
    if (known !== undefined && known.until > now()) return known.client
    const document = await fetch(id).catch((error: Error) => {
      throw new OAuthRequestRefused(`its document ${id} cannot be read: ${error.message}`)
    })
    const client = clientIn(document, id)
    documents.delete(id) // moves it to the end
    documents.set(id, { client, until: now() + DOCUMENT_MS })
    const [oldest] = documents.keys()
    if (documents.size > MOST_DOCUMENTS && oldest !== undefined) documents.delete(oldest)
    return client
  }

  async function registered (id: string): Promise<Client> {
    const row = await database.query<Tables, ClientRow | undefined>(db =>
      db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst())
    if (row === undefined) {
      throw new OAuthRequestRefused('it is not known here, or not any more. Remove the connection in the program, and add it again.')
    }
    return { id, name: row.name, redirectUris: JSON.parse(row.redirects) as string[], vouchedBy: undefined }
  }

  return {
    /** @throws PRN_ERR_OAUTH_REQUEST, PRN_ERR_DATABASE_UNAVAILABLE */
    find: async (id: string): Promise<Client> =>
      id.startsWith('https://') ? await fetched(id) : await registered(id),
    /** @throws PRN_ERR_DATABASE_UNAVAILABLE */
    register: async ({ name, redirectUris }: ClientMetadata): Promise<string> => {
      const id = `prnd_client_${randomBytes(ID_BYTES).toString('hex')}`
      const row: ClientRow = { id, name, redirects: JSON.stringify(redirectUris), created_at: now(), used_at: null }
      await database.change<Tables, void>(async db => {
        await db.insertInto('oauth_clients').values(row).execute()
        await pruneClients(db, now())
      })
      return id
    }
  }
}

export type Clients = ReturnType<typeof createClients>
