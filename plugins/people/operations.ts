import { Type } from 'typebox'
import { BadInput, operation, rightsOf, type Caller } from '../../core/index.js'
import { BudgetView, budgetView } from './budgets/limits.js'
import {
  FirstAdministrator, LastAdministrator, NameTaken, NoPasswordHere, NoSuchPerson, NotAPerson, PeopleFull, WrongPassword
} from './errors.js'
import { hashPassword } from './passwords.js'
import { lookAlikeProblem } from './look-alikes.js'
import { Done, isUsableName, Password, PersonName, Printers, RoleSchema, User, userView } from './schemas.js'

/** Callers on this machine or with the token cannot lock themselves out. */
const mayBeLast = (caller: Caller | undefined) => rightsOf(caller) === undefined

const unusable = (name: string): string => {
  const problem = lookAlikeProblem(name)
  return problem === undefined ? `'${name}' cannot be the name of a user: the audit log uses it already` : `The name ${problem}`
}

export const whoAmI = operation({
  name: 'people.whoAmI',
  summary: 'Who the caller is, and what the caller may do',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({
    name: Type.Union([Type.String(), Type.Null()], { description: 'Null for callers without a name: the token, or this machine' }),
    role: RoleSchema,
    printers: Type.Union([Printers, Type.Null()], { description: 'Names of printers; null for all' }),
    locked: Type.Boolean({ description: 'Credentials are required' }),
    budget: BudgetView
  }),
  async run ({ caller, trusted, services: { http } }) {
    const rights = rightsOf(caller)
    const role = rights?.role ?? (trusted ? 'administrate' : 'operate')
    const printers = rights?.printers ? [...rights.printers] : null
    const budget = budgetView(await rights?.budget?.left())
    return { name: rights?.name ?? null, role, printers, locked: http.access.locked, budget }
  }
})

export const listUsers = operation({
  name: 'people.listUsers',
  summary: 'Users and their roles',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: Type.Object({ users: Type.Array(User) }),
  run: async ({ services: { people } }) => ({ users: (await people.store.read()).users.map(userView) })
})

export const addUser = operation({
  name: 'people.addUser',
  summary: 'Add a user',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'With the first user, an administrator, everyone has to log in, programs included.',
  input: Type.Object({
    name: PersonName,
    role: RoleSchema,
    password: Type.Optional(Password),
    printers: Type.Optional(Printers)
  }),
  output: User,
  errors: [NameTaken, PeopleFull, FirstAdministrator],
  async run ({ services: { people } }, { name, role, password, printers }) {
    if (!isUsableName(name)) throw new BadInput(unusable(name))
    const hash = password === undefined ? null : await hashPassword(password)
    await people.store.addUser(name, role, printers, hash)
    return userView(people.find(name))
  }
})

export const changeUser = operation({
  name: 'people.changeUser',
  summary: "Change a user's role, printers or password; a new password ends all logins",
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The user may do more or less from now on. With a new password all logins of the user end.',
  input: Type.Object({
    name: PersonName,
    role: Type.Optional(RoleSchema),
    password: Type.Optional(Password),
    printers: Type.Optional(Type.Union([Printers, Type.Null()], { description: 'Null for all' }))
  }),
  output: User,
  errors: [NoSuchPerson, LastAdministrator, NoPasswordHere],
  async run ({ services: { people }, caller }, { name, role, password, printers }) {
    const hash = password === undefined ? undefined : await hashPassword(password)
    await people.store.changeUser(name, { role, printers, password: hash }, mayBeLast(caller))
    return userView(people.find(name))
  }
})

export const removeUser = operation({
  name: 'people.removeUser',
  summary: 'Remove a user with all logins and keys',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Logins and keys of the user end at once.',
  input: Type.Object({ name: PersonName }),
  output: Done,
  errors: [NoSuchPerson, LastAdministrator],
  async run ({ services: { people }, caller }, { name }) {
    await people.store.removeUser(name, mayBeLast(caller))
    return { name }
  }
})

export const changeOwnPassword = operation({
  name: 'people.changeOwnPassword',
  summary: 'Change your own password; all your logins end',
  effect: 'write',
  scope: 'daemon',
  consequence: 'All logins of the user end.',
  input: Type.Object({ current: Type.String({ maxLength: 256 }), password: Password }),
  output: Done,
  errors: [NotAPerson, NoPasswordHere, WrongPassword],
  async run ({ services: { people }, caller }, { current, password }) {
    const { name, foreign_id: foreign } = people.ownUser(caller)
    if (foreign !== null) throw new NoPasswordHere(name)
    await people.checkPassword(caller, current)
    await people.store.changeUser(name, { password: await hashPassword(password) }, true)
    return { name }
  }
})
