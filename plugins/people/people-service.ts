import { rightsOf, type Budget, type Caller, type Rights } from '../../core/index.js'
import { createLoginThrottle } from '../http/index.js'
import type { Bookings } from './budgets/bookings.js'
import type { Directory } from './directory.js'
import { NoSuchPerson, NotAPerson, WrongPassword } from './errors.js'
import { isPassword } from './passwords.js'
import type { BudgetOfKey } from './snapshot.js'
import type { PeopleStore } from './store.js'
import type { KeyRow, UserRow } from './tables.js'

/** Users, keys and logins, for other plugins. */
export interface PeopleService {
  readonly store: PeopleStore
  /** @throws PRN_ERR_NO_USER */
  find (name: string): UserRow
  /** Id of the user whose rights these are; undefined for a key. */
  userOf (rights: Rights | undefined): string | undefined
  /** The user who calls. @throws PRN_ERR_NOT_A_USER for keys, grants and the token */
  ownUser (caller: Caller | undefined): UserRow
  /** Wrong ones are counted against guessing. @throws PRN_ERR_WRONG_PASSWORD, PRN_ERR_NOT_A_USER */
  checkPassword (caller: Caller | undefined, current: string): Promise<void>
  /** Asked at every login: users for whom the right password is not enough, by their ids. */
  refusePasswords (check: (user: string) => Promise<boolean>): void
  /** The budget of a key; undefined without one. */
  budgetOf (key: KeyRow): Budget | undefined
  /** Budgets for other kinds of rights, such as those that a provider grants. */
  readonly bookings: Bookings
}

const QUARTER_HOUR_MS = 15 * 60_000
const MOST_GUESSES = 10

export interface PeopleServiceDeps {
  readonly store: PeopleStore
  readonly directory: Directory
  readonly bookings: Bookings
  readonly budgetOf: BudgetOfKey
}

export function createPeopleService ({ store, directory, bookings, budgetOf }: PeopleServiceDeps): PeopleService {
  const guesses = createLoginThrottle({ most: MOST_GUESSES, windowMs: QUARTER_HOUR_MS, now: () => performance.now() })

  function ownUser (caller: Caller | undefined): UserRow {
    const id = directory.userOf(rightsOf(caller))
    const row = directory.snapshot.users.find(user => user.id === id)
    if (row === undefined) throw new NotAPerson()
    return row
  }

  return {
    store,
    bookings,
    budgetOf,
    userOf: directory.userOf,
    refusePasswords: directory.refusePasswords,
    ownUser,
    async checkPassword (caller, current) {
      const { id, password } = ownUser(caller)
      if (guesses.waitS(id) === 0 && await isPassword(password, current)) return
      guesses.count(id)
      throw new WrongPassword()
    },
    find (name) {
      const row = directory.snapshot.users.find(({ known_as: known }) => known === name.toLowerCase())
      if (row === undefined) throw new NoSuchPerson(name)
      return row
    }
  }
}
