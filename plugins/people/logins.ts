import { newSecret } from './secret.js'
import { digestOf } from './snapshot.js'
import type { Db, Writer } from './tables.js'

/** Limit for one user: above it, the oldest login ends. */
const MOST_SESSIONS = 20
const SESSION_MS = 30 * 24 * 3_600_000

/** Ends all logins of a user. */
export const endLogins = (db: Db, person: string) =>
  db.deleteFrom('people_sessions').where('person', '=', person).execute()

/** @returns the value of the cookie, generated here to prevent session fixation */
async function insertLogin (db: Db, person: string, now: number) {
  const value = newSecret()
  const open = await db.selectFrom('people_sessions').select('id').where('person', '=', person)
    .orderBy('created_at', 'desc').execute()
  for (const { id } of open.slice(MOST_SESSIONS - 1)) {
    await db.deleteFrom('people_sessions').where('id', '=', id).execute()
  }
  await db.deleteFrom('people_sessions').where('expires_at', '<=', now).execute()
  await db.insertInto('people_sessions')
    .values({ id: digestOf(value), person, created_at: now, expires_at: now + SESSION_MS }).execute()
  return { value, seconds: SESSION_MS / 1000 }
}

/** Logins in the database. */
export const createLogins = ({ change, now }: Writer) => ({
  begin: (person: string) => change(db => insertLogin(db, person, now())),
  /**
   * @param hash of the password that was found to be right
   * @returns undefined if the password was changed meanwhile, which has ended all logins with the earlier one
   */
  beginByPassword: (person: string, hash: string) => change(async db => {
    // Changing nothing locks the row: with PostgreSQL a change of the password waits for it, or this for the change.
    const { numUpdatedRows } = await db.updateTable('people_users').set({ password: hash })
      .where('id', '=', person).where('password', '=', hash).executeTakeFirst()
    return numUpdatedRows > 0n ? await insertLogin(db, person, now()) : undefined
  }),
  end: (value: string) => change(db => db.deleteFrom('people_sessions').where('id', '=', digestOf(value)).execute())
})
