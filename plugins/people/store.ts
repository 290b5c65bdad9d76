import { randomBytes, randomUUID } from 'node:crypto'
import { BadInput, type Role } from '../../core/index.js'
import type { Database, Kysely } from '../database/index.js'
import { lookAlikeProblem, skeletonOf } from './look-alikes.js'
import {
  FirstAdministrator, LastAdministrator, NameTaken, NoPasswordHere, NoSuchKey, NoSuchPerson, PeopleFull
} from './errors.js'
import { digestOf, type Snapshot } from './snapshot.js'
import type { KeyRow, Tables, UserRow } from './tables.js'

export interface StoreDeps {
  readonly database: Pick<Database, 'query' | 'change'>
  /** ms since the epoch. */
  readonly now: () => number
  /** Called with the new snapshot after each change. */
  readonly onChange: (snapshot: Snapshot) => void | Promise<void>
}

export interface NewKey {
  readonly name: string
  readonly role: Role
  readonly printers: readonly string[] | undefined
  readonly expiresAt: number | undefined
  readonly owner: string | undefined
}

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

type Db = Kysely<Tables>

const MOST_USERS = 1_000
const MOST_KEYS = 1_000
/** Limit for one user: above it, the oldest login ends. */
const MOST_SESSIONS = 20
const SESSION_MS = 30 * 24 * 3_600_000
const SECRET_BYTES = 32

const listed = (printers: readonly string[] | null | undefined) => printers ? JSON.stringify(printers) : null
/** Administrators restricted to some printers cannot manage users. */
const isAdministrator = ({ role, printers }: Pick<UserRow, 'role' | 'printers'>) => role === 'administrate' && printers === null

/** @throws PRN_ERR_BAD_INPUT, PRN_ERR_NAME_TAKEN for a name that looks like another one */
function checkName (what: string, name: string, all: readonly { readonly name: string }[]): void {
  const problem = lookAlikeProblem(name)
  if (problem !== undefined) throw new BadInput(`The name ${problem}`)
  if (all.some(other => skeletonOf(other.name) === skeletonOf(name))) throw new NameTaken(what, name)
}

/** Users, keys and logins in the database. A change takes effect before the call resolves. */
export function createStore ({ database, now, onChange }: StoreDeps) {
  const query = <R>(work: (db: Db) => Promise<R>): Promise<R> => database.query<Tables, R>(work)

  async function read (): Promise<Snapshot> {
    const snapshot = await query(async db => ({
      users: await db.selectFrom('people_users').selectAll().orderBy('known_as').execute(),
      keys: await db.selectFrom('people_keys').selectAll().orderBy('name').execute(),
      sessions: await db.selectFrom('people_sessions').selectAll().where('expires_at', '>', now()).execute()
    }))
    await onChange(snapshot)
    return snapshot
  }

  async function change<R> (work: (db: Db) => Promise<R>): Promise<R> {
    const result = await database.change<Tables, R>(work)
    await read()
    return result
  }

  const find = async (db: Db, name: string): Promise<UserRow> => {
    const row = await db.selectFrom('people_users').selectAll().where('known_as', '=', name.toLowerCase())
      .executeTakeFirst()
    if (row === undefined) throw new NoSuchPerson(name)
    return row
  }

  /** @throws PRN_ERR_LAST_ADMINISTRATOR */
  async function keepOneAdministrator (db: Db, row: UserRow, mayBeLast: boolean): Promise<void> {
    if (mayBeLast || !isAdministrator(row)) return
    const all = await db.selectFrom('people_users').selectAll().execute()
    if (all.filter(isAdministrator).length <= 1) throw new LastAdministrator(row.name)
  }

  /** @returns the id */
  async function insertUser (db: Db, user: Omit<UserRow, 'id' | 'known_as' | 'created_at'>): Promise<string> {
    const all = await db.selectFrom('people_users').select('name').execute()
    const knownAs = user.name.toLowerCase()
    checkName('user', user.name, all)
    if (all.length >= MOST_USERS) throw new PeopleFull('users', MOST_USERS)
    const id = randomUUID()
    await db.insertInto('people_users').values({ id, known_as: knownAs, created_at: now(), ...user }).execute()
    return id
  }

  const endSessions = (db: Db, person: string) => db.deleteFrom('people_sessions').where('person', '=', person).execute()

  return {
    read,
    /** @throws PRN_ERR_NAME_TAKEN, PRN_ERR_PEOPLE_FULL, PRN_ERR_FIRST_ADMINISTRATOR */
    addUser: (name: string, role: Role, printers: readonly string[] | undefined, password: string | null) =>
      change(async db => {
        const user = { name, role, printers: listed(printers), password, foreign_id: null }
        const other = await db.selectFrom('people_users').select('id').limit(1).executeTakeFirst()
        if (other === undefined && !isAdministrator(user)) throw new FirstAdministrator(name)
        await insertUser(db, user)
      }),
    /**
     * Adds the user of a provider at the first login.
     * @returns the user, with the name stored here
     * @throws PRN_ERR_NAME_TAKEN, PRN_ERR_PEOPLE_FULL
     */
    provision: ({ foreignId, name, role, setsRole }: ForeignUser) => change(async db => {
      const known = await db.selectFrom('people_users').select(['id', 'name']).where('foreign_id', '=', foreignId).executeTakeFirst()
      if (known === undefined) {
        return { name, id: await insertUser(db, { name, role, printers: null, password: null, foreign_id: foreignId }) }
      }
      if (setsRole) await db.updateTable('people_users').where('id', '=', known.id).set({ role }).execute()
      return known
    }),
    /** Ends the logins of a user whom the provider no longer authorizes. */
    endForeignLogins: (foreignId: string) => change(async db => {
      const row = await db.selectFrom('people_users').select('id').where('foreign_id', '=', foreignId).executeTakeFirst()
      if (row) await endSessions(db, row.id)
    }),
    /** A new password ends all logins of the user. */
    changeUser: (name: string, { role, printers, password }: UserChange, mayBeLast: boolean) => change(async db => {
      const row = await find(db, name)
      if (password !== undefined && row.foreign_id !== null) throw new NoPasswordHere(row.name)
      const next = { role: role ?? row.role, printers: printers === undefined ? row.printers : listed(printers) }
      if (!isAdministrator(next)) await keepOneAdministrator(db, row, mayBeLast)
      await db.updateTable('people_users').where('id', '=', row.id).set({ ...next, password: password ?? row.password }).execute()
      if (password !== undefined) await endSessions(db, row.id)
    }),
    /** Logins and keys of the user go as well. */
    removeUser: (name: string, mayBeLast: boolean) => change(async db => {
      const row = await find(db, name)
      await keepOneAdministrator(db, row, mayBeLast)
      await endSessions(db, row.id)
      await db.deleteFrom('people_keys').where('owner', '=', row.id).execute()
      await db.deleteFrom('people_users').where('id', '=', row.id).execute()
    }),
    /** @returns the key, which is not stored */
    addKey: ({ name, role, printers, expiresAt, owner }: NewKey) => change(async db => {
      const all = await db.selectFrom('people_keys').select('name').execute()
      checkName('key', name, all)
      if (all.length >= MOST_KEYS) throw new PeopleFull('keys', MOST_KEYS)
      const key = `prnd_${randomBytes(SECRET_BYTES).toString('base64url')}`
      const row: KeyRow = {
        id: digestOf(key),
        name,
        role,
        printers: listed(printers),
        owner: owner ?? null,
        created_at: now(),
        expires_at: expiresAt ?? null
      }
      await db.insertInto('people_keys').values(row).execute()
      return key
    }),
    revokeKey: (name: string) => change(async db => {
      const { numDeletedRows } = await db.deleteFrom('people_keys').where('name', '=', name).executeTakeFirst()
      if (numDeletedRows === 0n) throw new NoSuchKey(name)
    }),
    /** @returns the value of the cookie, generated here to prevent session fixation */
    begin: (person: string) => change(async db => {
      const value = randomBytes(SECRET_BYTES).toString('base64url')
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
  }
}

export type PeopleStore = ReturnType<typeof createStore>
