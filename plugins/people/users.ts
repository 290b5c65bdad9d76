import { randomUUID } from 'node:crypto'
import type { Role } from '../../core/index.js'
import { checkName } from './check-name.js'
import { FirstAdministrator, LastAdministrator, NoPasswordHere, NoSuchPerson, PeopleFull } from './errors.js'
import { endLogins } from './logins.js'
import { accountOfKey } from './snapshot.js'
import { listed, type Db, type UserRow, type Writer } from './tables.js'

export interface UserChange {
  readonly role?: Role | undefined
  /** null for all. */
  readonly printers?: readonly string[] | null | undefined
  /** A hash. */
  readonly password?: string | undefined
}

/** A user authenticated by a provider. */
export interface ForeignUser {
  readonly foreignId: string
  readonly name: string
  readonly role: Role
  /** Whether each login updates the role of an existing user. */
  readonly setsRole: boolean
}

const MOST_USERS = 1_000

/** Administrators restricted to some printers cannot manage users. */
const isAdministrator = ({ role, printers }: Pick<UserRow, 'role' | 'printers'>) => role === 'administrate' && printers === null

const find = async (db: Db, name: string): Promise<UserRow> => {
  const row = await db.selectFrom('people_users').selectAll().where('known_as', '=', name.toLowerCase())
    .executeTakeFirst()
  if (row === undefined) throw new NoSuchPerson(name)
  return row
}

/** @throws PRN_ERR_LAST_ADMINISTRATOR */
async function keepOneAdministrator (db: Db, row: UserRow, mayBeLast: boolean): Promise<void> {
  if (mayBeLast || !isAdministrator(row)) return
  const others = await db.selectFrom('people_users').selectAll().where('id', '!=', row.id).where('refused_at', 'is', null)
    .execute()
  if (!others.some(isAdministrator)) throw new LastAdministrator(row.name)
}

/** @returns the id */
async function insertUser (db: Db, now: number, user: Omit<UserRow, 'id' | 'known_as' | 'created_at'>): Promise<string> {
  const all = await db.selectFrom('people_users').select('name').execute()
  const knownAs = user.name.toLowerCase()
  checkName('user', user.name, all)
  if (all.length >= MOST_USERS) throw new PeopleFull('users', MOST_USERS)
  const id = randomUUID()
  await db.insertInto('people_users').values({ id, known_as: knownAs, created_at: now, ...user }).execute()
  return id
}

/** Users in the database. */
export const createUsers = ({ change, now }: Writer) => ({
  /** @throws PRN_ERR_NAME_TAKEN, PRN_ERR_PEOPLE_FULL, PRN_ERR_FIRST_ADMINISTRATOR */
  addUser: (name: string, role: Role, printers: readonly string[] | undefined, password: string | null) =>
    change(async db => {
      const user = { name, role, printers: listed(printers), password, foreign_id: null, refused_at: null }
      const other = await db.selectFrom('people_users').select('id').limit(1).executeTakeFirst()
      if (other === undefined && !isAdministrator(user)) throw new FirstAdministrator(name)
      await insertUser(db, now(), user)
    }),
  /**
   * Adds the user of a provider at the first login.
   * @returns the user, with the name stored here
   * @throws PRN_ERR_NAME_TAKEN, PRN_ERR_PEOPLE_FULL
   */
  provision: ({ foreignId, name, role, setsRole }: ForeignUser) => change(async db => {
    const known = await db.selectFrom('people_users').select(['id', 'name']).where('foreign_id', '=', foreignId)
      .executeTakeFirst()
    if (known === undefined) {
      const user = { name, role, printers: null, password: null, foreign_id: foreignId, refused_at: null }
      return { name, id: await insertUser(db, now(), user) }
    }
    await db.updateTable('people_users').where('id', '=', known.id)
      .set({ refused_at: null, ...(setsRole && { role }) }).execute()
    return known
  }),
  /** Ends the logins of a user who cannot log in any more. */
  endForeignLogins: (foreignId: string) => change(async db => {
    const row = await db.selectFrom('people_users').select('id').where('foreign_id', '=', foreignId).executeTakeFirst()
    if (row) await endLogins(db, row.id)
  }),
  /** Ends the logins, and until a login is accepted again all keys, programs and rules of a user without a role. */
  refuseForeign: (foreignId: string) => change(async db => {
    const row = await db.selectFrom('people_users').select('id').where('foreign_id', '=', foreignId).executeTakeFirst()
    if (row === undefined) return
    await db.updateTable('people_users').where('id', '=', row.id).set({ refused_at: now() }).execute()
    await endLogins(db, row.id)
  }),
  /** A new password ends all logins of the user. */
  changeUser: (name: string, { role, printers, password }: UserChange, mayBeLast: boolean) => change(async db => {
    const row = await find(db, name)
    if (password !== undefined && row.foreign_id !== null) throw new NoPasswordHere(row.name)
    const next = { role: role ?? row.role, printers: printers === undefined ? row.printers : listed(printers) }
    if (!isAdministrator(next)) await keepOneAdministrator(db, row, mayBeLast)
    await db.updateTable('people_users').where('id', '=', row.id)
      .set({ ...next, password: password ?? row.password }).execute()
    if (password !== undefined) await endLogins(db, row.id)
  }),
  /** Logins and keys of the user, with what they have used of their budgets, go as well. */
  removeUser: (name: string, mayBeLast: boolean) => change(async db => {
    const row = await find(db, name)
    await keepOneAdministrator(db, row, mayBeLast)
    await endLogins(db, row.id)
    const keys = await db.selectFrom('people_keys').select('id').where('owner', '=', row.id).execute()
    const accounts = keys.map(({ id }) => accountOfKey(id))
    if (accounts.length > 0) await db.deleteFrom('people_bookings').where('account', 'in', accounts).execute()
    await db.deleteFrom('people_keys').where('owner', '=', row.id).execute()
    await db.deleteFrom('people_users').where('id', '=', row.id).execute()
  })
})
