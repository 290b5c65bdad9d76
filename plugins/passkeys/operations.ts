import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { operation, type Caller, type Services } from '../../core/index.js'
import { NoPasswordHere, NoSuchPerson, NotAPerson, WrongPassword } from '../people/index.js'
import { LastPasskey, NoPasskeysHere, NoPasskeyYet, NoSuchPasskey, PasskeyRefused, TooManyPasskeys } from './errors.js'
import { NewCredential, Passkey, passkeyView } from './schemas.js'
import { siteOf, type Site } from './site.js'

const Name = Type.String({ minLength: 1, maxLength: 64, description: 'Such as the device that holds it' })
const Current = Type.Optional(Type.String({
  maxLength: 256, description: 'The current password, of a user who has one'
}))

interface Asked {
  readonly caller: Caller | undefined
  readonly baseUrl: string
  readonly services: Services
}

/** @throws PRN_ERR_NO_PASSKEYS_HERE */
function siteAt ({ baseUrl }: Asked): Site {
  const site = siteOf(baseUrl)
  if (site === undefined) throw new NoPasskeysHere(new URL(baseUrl).host)
  return site
}

/** @throws PRN_ERR_NOT_A_USER, PRN_ERR_NO_PASSWORD_HERE for a user of a provider */
function ownUser ({ caller, services: { people } }: Asked) {
  const user = people.ownUser(caller)
  if (user.foreign_id !== null) throw new NoPasswordHere(user.name)
  return user
}

export const readOwnPasskeys = operation({
  name: 'passkeys.read',
  summary: 'Your own passkeys',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({
    name: Type.String(),
    has_password: Type.Boolean(),
    foreign: Type.Boolean({ description: 'You log in at a provider, which has its own passkeys' }),
    possible: Type.Boolean({ description: 'At the address that this request used, passkeys can be added and used' }),
    strict: Type.Boolean({ description: 'The password alone does not let you in' }),
    passkeys: Type.Array(Passkey)
  }),
  errors: [NotAPerson],
  async run (context) {
    const { caller, services: { people, passkeys }, baseUrl } = context
    const { id, name, password, foreign_id: foreign } = people.ownUser(caller)
    return {
      name,
      has_password: password !== null,
      foreign: foreign !== null,
      possible: siteOf(baseUrl) !== undefined,
      strict: await passkeys.isStrict(id),
      passkeys: (await passkeys.listOf(id)).map(passkeyView)
    }
  }
})

export const beginAddingPasskey = operation({
  name: 'passkeys.begin',
  summary: 'Begin to add a passkey: what the browser needs for it',
  effect: 'local',
  scope: 'daemon',
  input: Type.Object({ current: Current }),
  output: Type.Object({ options: Type.Object({}, { additionalProperties: true, description: 'For `navigator.credentials.create`' }) }),
  errors: [NotAPerson, NoPasswordHere, WrongPassword, NoPasskeysHere, TooManyPasskeys],
  async run (context, { current = '' }) {
    const { services: { people, passkeys } } = context
    const site = siteAt(context)
    const { id, name, password } = ownUser(context)
    if (password !== null) await people.checkPassword(context.caller, current)
    return { options: await passkeys.beginAdding(site, id, name) as Record<string, unknown> }
  }
})

export const addPasskey = operation({
  name: 'passkeys.add',
  summary: 'Add a passkey that the browser has made',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Whoever has the device and can unlock it can log in as you.',
  input: Type.Object({ name: Name, credential: NewCredential }),
  output: Passkey,
  errors: [NotAPerson, NoPasswordHere, NoPasskeysHere, PasskeyRefused, TooManyPasskeys],
  async run (context, { name, credential }) {
    const { id: person } = ownUser(context)
    const response = credential as unknown as RegistrationResponseJSON
    return passkeyView(await context.services.passkeys.add({ site: siteAt(context), person, name, response }))
  }
})

export const removePasskey = operation({
  name: 'passkeys.remove',
  summary: 'Remove one of your passkeys',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'It lets nobody in any more.',
  input: Type.Object({ id: Type.String({ maxLength: 1_400 }) }),
  output: Type.Object({ id: Type.String() }),
  errors: [NotAPerson, NoSuchPasskey, LastPasskey],
  async run ({ caller, services: { people, passkeys } }, { id }) {
    await passkeys.remove(people.ownUser(caller).id, id)
    return { id }
  }
})

export const requirePasskey = operation({
  name: 'passkeys.require',
  summary: 'Whether your password alone lets you in',
  effect: 'write',
  scope: 'daemon',
  consequence: 'When required, nobody can log in as you by the password, and at an address without passkeys not at all.',
  input: Type.Object({ strict: Type.Boolean(), current: Current }),
  output: Type.Object({ strict: Type.Boolean() }),
  errors: [NotAPerson, NoPasswordHere, NoPasskeyYet, WrongPassword],
  async run (context, { strict, current = '' }) {
    const { services: { people, passkeys } } = context
    const { id, password } = ownUser(context)
    if (password !== null) await people.checkPassword(context.caller, current)
    await passkeys.setStrict(id, strict)
    return { strict }
  }
})

export const removePasskeysOf = operation({
  name: 'passkeys.removeAllOf',
  summary: 'Remove all passkeys of a user who has lost them: the password is enough again',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The user logs in with the password from now on, and can add new passkeys.',
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64, description: 'The user' }) }),
  output: Type.Object({ name: Type.String(), removed: Type.Integer() }),
  errors: [NoSuchPerson],
  async run ({ services: { people, passkeys } }, { name }) {
    const user = people.find(name)
    return { name: user.name, removed: await passkeys.removeAll(user.id) }
  }
})
