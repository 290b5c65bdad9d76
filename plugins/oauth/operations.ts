import { Type } from 'typebox'
import { BadInput, isUser, lesserRole, operation, rightsOf, type DaemonContext } from '../../core/index.js'
import { BudgetLimits, WrongPassword } from '../people/index.js'
import { resourceAt } from './address.js'
import { checkAuthorization } from './authorization-request.js'
import { GrantsFull, NoSuchGrant, OAuthNotOffered, OAuthRequestRefused, OnlyUsersGrant } from './errors.js'
import { answerTo, isLoopbackRedirect, redirectHost } from './redirect-uri.js'
import { AuthorizationParams, DURATIONS, Grant, GrantRole, grantView, Lasts, PrinterNames } from './schemas.js'

const GrantName = Type.String({ minLength: 1, maxLength: 160 })

/** Those who manage users also manage what users granted. */
const seesAll = ({ trusted, caller }: DaemonContext): boolean => trusted && rightsOf(caller)?.printers === undefined

/** Id of the user who logged in: a key or a grant has it too, and must not end what its user granted. */
function ownId ({ caller, services: { http } }: DaemonContext): string | undefined {
  const rights = rightsOf(caller)
  return rights !== undefined && isUser(rights, http.access.people) ? rights.id : undefined
}

/** The role is that of the caller, and never `administrate`. */
const roleOf = (role: 'view' | 'operate' | 'administrate') => lesserRole('operate', role) as 'view' | 'operate'

export const readRequest = operation({
  name: 'oauth.readRequest',
  summary: 'Which program wants to be connected, and what the caller may grant it',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object(AuthorizationParams),
  output: Type.Object({
    user: Type.String(),
    program: Type.String({ description: 'As it calls itself' }),
    vouched_by: Type.Union([Type.String(), Type.Null()], { description: 'Host that vouches for the program; null for none' }),
    sent_to: Type.String({ description: 'Host, or scheme of a program on the same device, to which the browser is sent back' }),
    sent_here: Type.Boolean({ description: 'It is a program on the device of the browser' }),
    roles: Type.Array(GrantRole, { description: 'That the program asks for and the caller has' }),
    printers: Type.Array(Type.String(), { description: 'That the caller may use' }),
    has_password: Type.Boolean({ description: 'Connecting it needs the password of the caller' }),
    refusal: Type.String({ description: 'Address to which the browser is sent to say no' })
  }),
  errors: [OnlyUsersGrant, OAuthNotOffered, OAuthRequestRefused],
  async run ({ services: { oauth, people }, kernel, caller }, { origin, ...params }) {
    const address = oauth.addressFor(origin)
    const person = oauth.personOf(caller)
    const asking = await oauth.clients.find(params.client_id)
    const { client, redirect, role, refusal } = checkAuthorization(params, asking, address)
    const most = lesserRole(role, roleOf(person.role))
    const url = new URL(redirect)
    return {
      user: person.name,
      program: client.name,
      vouched_by: client.vouchedBy ?? null,
      sent_to: redirectHost(redirect),
      sent_here: isLoopbackRedirect(url) || url.protocol !== 'https:',
      roles: most === 'operate' ? ['view' as const, 'operate' as const] : ['view' as const],
      printers: [...kernel.printers.names],
      has_password: people.ownUser(caller).password !== null,
      refusal
    }
  }
})

export const addGrant = operation({
  name: 'oauth.addGrant',
  summary: 'Connect a program: it may do what is chosen here, in the name of the caller',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The program can use the printers until the grant ends.',
  input: Type.Object({
    ...AuthorizationParams,
    role: GrantRole,
    printers: Type.Optional(PrinterNames),
    lasts: Lasts,
    budget: Type.Optional(BudgetLimits),
    current: Type.Optional(Type.String({ maxLength: 256, description: 'The current password, of a user who has one' }))
  }),
  output: Type.Object({ redirect_to: Type.String({ description: 'Address to which the browser is sent, with a code' }) }),
  errors: [OnlyUsersGrant, OAuthNotOffered, OAuthRequestRefused, GrantsFull, WrongPassword],
  note: ({ client_id: client, role, printers, lasts }) =>
    `${client}: ${role}, ${printers === undefined ? 'all printers' : printers.join(', ')}, ${lasts}`,
  async run ({ services: { oauth, people }, kernel, caller },
    { origin, role, printers, lasts, budget, current = '', ...params }) {
    const address = oauth.addressFor(origin)
    const person = oauth.personOf(caller)
    const request = checkAuthorization(params, await oauth.clients.find(params.client_id), address)
    if (lesserRole(role, lesserRole(request.role, roleOf(person.role))) !== role) {
      throw new BadInput(`role must not be more than you have and the program asks for, got ${role}`)
    }
    const known = new Set(kernel.printers.names)
    const unknown = printers?.find(name => !known.has(name))
    if (unknown !== undefined) throw new BadInput(`printers: there is no '${unknown}'`)
    // A browser that was left open must not give lasting access, which a new password would not end.
    if (people.ownUser(caller).password !== null) await people.checkPassword(caller, current)
    const { client, redirect, challenge, state } = request
    const duration = DURATIONS[lasts]
    const code = await oauth.grants.add({
      who: person.name,
      person: person.id,
      client: client.id,
      clientName: client.name,
      sentTo: redirectHost(redirect),
      role,
      printers,
      resource: resourceAt(address),
      budget,
      expiresAt: duration === undefined ? undefined : kernel.now() + duration,
      challenge,
      redirect
    })
    return { redirect_to: answerTo(redirect, { code, state, iss: address }) }
  }
})

export const listGrants = operation({
  name: 'oauth.listGrants',
  summary: 'Programs that the caller connected; for administrators, those of all users',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ grants: Type.Array(Grant) }),
  async run (context) {
    const { services: { oauth, http } } = context
    const { grants } = await oauth.grants.read()
    const own = ownId(context)
    const isShown = seesAll(context)
    const shown = grants.filter(({ family, person }) => family !== null && (isShown || person === own))
    return {
      grants: await Promise.all(shown.map(async row => grantView(row, {
        user: http.access.people?.rightsOf(row.person)?.name ?? '',
        usedAt: oauth.lastUse(row),
        left: await oauth.budgetOf(row)?.left(),
        own: row.person === own
      })))
    }
  }
})

export const revokeGrant = operation({
  name: 'oauth.revokeGrant',
  summary: 'Disconnect a program',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'The program loses access at once.',
  note: ({ name }) => name,
  input: Type.Object({ name: GrantName }),
  output: Type.Object({ name: Type.String() }),
  errors: [NoSuchGrant],
  async run (context, { name }) {
    const { services: { oauth } } = context
    const { grants } = await oauth.grants.read()
    const grant = grants.find(row => row.name === name)
    const isOwn = grant !== undefined && grant.person === ownId(context)
    if (!isOwn && !seesAll(context)) throw new NoSuchGrant(name)
    await oauth.grants.revoke(name)
    oauth.reviewConnections()
    return { name }
  }
})
