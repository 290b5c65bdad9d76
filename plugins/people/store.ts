import type { Database } from '../database/index.js'
import { createKeys } from './keys.js'
import { createLogins } from './logins.js'
import type { Snapshot } from './snapshot.js'
import type { Db, Tables } from './tables.js'
import { createUsers } from './users.js'

export interface StoreDeps {
  readonly database: Pick<Database, 'query' | 'change'>
  /** ms since the epoch. */
  readonly now: () => number
  /** Called with the new snapshot after each change. */
  readonly onChange: (snapshot: Snapshot) => void | Promise<void>
}

/** Users, keys and logins in the database. A change takes effect before the call resolves. */
export function createStore ({ database, now, onChange }: StoreDeps) {
  let begun = 0
  let applied = 0

  async function read (): Promise<Snapshot> {
    const number = ++begun
    const snapshot = await database.query<Tables, Snapshot>(async db => ({
      users: await db.selectFrom('people_users').selectAll().orderBy('known_as').execute(),
      keys: await db.selectFrom('people_keys').selectAll().orderBy('name').execute(),
      sessions: await db.selectFrom('people_sessions').selectAll().where('expires_at', '>', now()).orderBy('id').execute()
    }))
    if (number > applied) { // an earlier one that took longer may not know of a revocation
      applied = number
      await onChange(snapshot)
    }
    return snapshot
  }

  async function change<R> (work: (db: Db) => Promise<R>): Promise<R> {
    const result = await database.change<Tables, R>(work)
    await read()
    return result
  }

  const writer = { change, now }
  return { read, ...createUsers(writer), ...createKeys(writer), ...createLogins(writer) }
}

export type PeopleStore = ReturnType<typeof createStore>
