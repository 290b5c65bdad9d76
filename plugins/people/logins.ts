import { newSecret } from './secret.js'
import { digestOf } from './snapshot.js'
import type { Db, Writer } from './tables.js'

/** Limit for one user: above it, the oldest login ends. */
const MOST_SESSIONS = 20
const SESSION_MS = 30 * 24 * 3_600_000

/** Ends all logins of a user. */
export const endLogins = (db: Db, person: string) =>
  db.deleteFrom('people_sessions').where('person', '=', person).execute()

/** Logins in the database. */
export const createLogins = ({ change, now }: Writer) => ({
  /** @returns the value of the cookie, generated here to prevent session fixation */
  begin: (person: string) => change(async db => {
    const value = newSecret()
    const open = await db.selectFrom('people_sessions').select('id').where('person', '=', person)
      .orderBy('created_at', 'desc').execute()
    for (const { id } of open.slice(MOST_SESSIONS - 1)) {
      await db.deleteFrom('people_sessions').where('id', '=', id).execute()
    }
    await db.deleteFrom('people_sessions').where('expires_at', '<=', now()).execute()
    await db.insertInto('people_sessions')
      .values({ id: digestOf(value), person, created_at: now(), expires_at: now() + SESSION_MS }).execute()
    return { value, seconds: SESSION_MS / 1000 }
  }),
  end: (value: string) => change(db => db.deleteFrom('people_sessions').where('id', '=', digestOf(value)).execute())
})
