import { Type } from 'typebox'
import { BadInput, operation, rightsOf } from '../../core/index.js'
import { BudgetLimits } from './budgets/limits.js'
import { BudgetRole, NameTaken, NoSuchKey, NoSuchPerson, PeopleFull } from './errors.js'
import { Done, Key, keyView, PersonName, Printers, RoleSchema } from './schemas.js'

const MS_PER_DAY = 86_400_000

export const listKeys = operation({
  name: 'people.listKeys',
  summary: 'API keys, without the keys themselves',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: Type.Object({ keys: Type.Array(Key) }),
  async run ({ services: { people } }) {
    const { keys, users } = await people.store.read()
    return { keys: await Promise.all(keys.map(async row => keyView(row, users, await people.budgetOf(row)?.left()))) }
  }
})

export const addKey = operation({
  name: 'people.addKey',
  summary: 'Make an API key; it is shown only once',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Anyone with the key can use the service. With the first key everyone has to log in.',
  input: Type.Object({
    name: PersonName,
    role: RoleSchema,
    printers: Type.Optional(Printers),
    days: Type.Optional(Type.Integer({
      minimum: 1, maximum: 3_650, description: 'Days until it expires. Default: never'
    })),
    owner: Type.Optional(PersonName),
    budget: Type.Optional(BudgetLimits)
  }),
  output: Type.Object({
    name: Type.String(), key: Type.String(), expires_at: Type.Union([Type.String(), Type.Null()])
  }),
  errors: [NameTaken, PeopleFull, NoSuchPerson, BudgetRole],
  async run ({ kernel, services: { people }, caller }, { name, role, printers, days, owner, budget }) {
    if (budget !== undefined && role === 'administrate') throw new BudgetRole()
    const rights = rightsOf(caller)
    const own = people.userOf(rights)
    if (rights !== undefined && own === undefined && owner === undefined) {
      throw new BadInput('A key can only make keys with an owner: name one')
    }
    const expiresAt = days === undefined ? undefined : kernel.now() + days * MS_PER_DAY
    const whose = owner === undefined ? own : people.find(owner).id
    const key = await people.store.addKey({ name, role, printers, expiresAt, owner: whose, budget })
    return { name, key, expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString() }
  }
})

export const changeKey = operation({
  name: 'people.changeKey',
  summary: "Change a key's budget, or count anew what it has used",
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The key may print more or less from now on.',
  input: Type.Object({
    name: PersonName,
    budget: Type.Union([BudgetLimits, Type.Null()], { description: 'Null: without limits' }),
    reset: Type.Optional(Type.Boolean({ description: 'What it has used so far no longer counts' }))
  }),
  output: Key,
  errors: [NoSuchKey, BudgetRole],
  async run ({ services: { people } }, { name, budget, reset = false }) {
    await people.store.changeKey(name, { budget, reset })
    const { keys, users } = await people.store.read()
    const row = keys.find(key => key.name === name)
    if (row === undefined) throw new NoSuchKey(name)
    return keyView(row, users, await people.budgetOf(row)?.left())
  }
})

export const revokeKey = operation({
  name: 'people.revokeKey',
  summary: 'Revoke an API key',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Programs that use the key lose access at once.',
  input: Type.Object({ name: PersonName }),
  output: Done,
  errors: [NoSuchKey],
  async run ({ services: { people } }, { name }) {
    await people.store.revokeKey(name)
    return { name }
  }
})
