import { defineError } from '../errors.js'
import { Uncounted } from './budget.js'
import {
  ACTING, BEYOND_ONE_PRINTER, FOR_SOME_PRINTERS, OPERATIONS, OWN_AFFAIRS, ROUTES, ROUTES_FOR_SOME_PRINTERS, UNCOUNTED,
  VIEWED
} from './access.data.js'
import type { AccessLevel, AnyOperation, Caller, Effect, Kernel, Rights, Role } from './types.js'

export const TrustedOnly = defineError<[what: string]>('PRN_ERR_TRUSTED_ONLY',
  "'%s' is available only on this machine or with the token: it touches the host or what the service trusts. " +
  'Set a token for the service with PRN_API_TOKEN (or api.token) and send it, ' +
  'or open it to everyone on the network with api.trustLan: true in the configuration.', 403)

export const RoleTooLow = defineError<[what: string, needed: Role, who: string, role: Role]>('PRN_ERR_ROLE_TOO_LOW',
  "'%s' needs the role %s; '%s' has the role %s. An administrator can change that.", 403)

export const AllPrintersOnly = defineError<[what: string, who: string]>('PRN_ERR_ALL_PRINTERS_ONLY',
  "'%s' concerns all printers; '%s' may use only some of them.", 403)

/** Table and declaration are combined: no plugin can open what either of them closes. */
const stricter = (listed: AccessLevel | undefined, declared: AccessLevel | undefined): AccessLevel =>
  listed === 'trusted' || declared === 'trusted' ? 'trusted' : 'network'

export const accessOf = ({ name, access }: {
  readonly name: string
  readonly access?: AccessLevel | undefined
}): AccessLevel => stricter(OPERATIONS[name], access)

/** Access level of a route without an operation, which a plugin registered directly. */
export const accessOfRoute = (method: string, url: string, declared?: AccessLevel): AccessLevel =>
  stricter(ROUTES[`${method === 'HEAD' ? 'GET' : method} ${url}`], declared)

/** The rights of a user or key; undefined for callers that are judged by their origin. */
export const rightsOf = (caller: Caller | undefined): Rights | undefined =>
  typeof caller === 'object' ? caller : undefined

const USER = 'user '

/** Whether rights are those of a user who logged in: a key or a grant has the id of its user, but a name of its own. */
export const isUser = ({ id = '', name }: Pick<Rights, 'id' | 'name'>,
  people: { rightsOf (id: string): Rights | undefined } | undefined): boolean =>
  id.startsWith(USER) && people?.rightsOf(id)?.name === name

/** Whether a user or key has access to the host and its trust; one with a budget never has. */
export const isAdministrator = ({ role, budget }: Rights): boolean => role === 'administrate' && budget === undefined

/** Calls without a caller come from inside the service. */
export function isTrusted ({ config: { api } }: Kernel, caller: Caller = 'local'): boolean {
  const rights = rightsOf(caller)
  return rights ? isAdministrator(rights) : caller !== 'network' || api.trustLan
}

const RANK: Readonly<Record<Role, number>> = { view: 0, operate: 1, administrate: 2 }

/** The lower of two roles. */
export const lesserRole = (a: Role, b: Role): Role => RANK[a] < RANK[b] ? a : b

/** The role that an access level and an effect require: reading, acting, or access to the host and its trust. */
export function roleFor (access: AccessLevel, effect: Effect, name = ''): Role {
  if (access === 'trusted') return 'administrate'
  return effect === 'read' || OWN_AFFAIRS.has(name) ? 'view' : 'operate'
}

/** @throws PRN_ERR_ROLE_TOO_LOW */
function checkRole (what: string, { name, role }: Rights, needed: Role): void {
  if (RANK[role] < RANK[needed]) throw new RoleTooLow(what, needed, name, role)
}

/**
 * @param effect of the action; users and keys need the role for it
 * @throws PRN_ERR_TRUSTED_ONLY, PRN_ERR_ROLE_TOO_LOW
 */
export function checkAccess (kernel: Kernel, name: string, access: AccessLevel, caller?: Caller,
  effect: Effect = 'write'): void {
  const rights = rightsOf(caller)
  if (rights) checkRole(name, rights, roleFor(access, effect, name))
  else if (access === 'trusted' && !isTrusted(kernel, caller)) throw new TrustedOnly(name)
}

/**
 * Checks whether a caller may use an operation. A caller with some printers only may use an operation of the whole
 * service only if it is known to show and change nothing of the others.
 * @param what the name of the tool or route, for the message
 * @param effect of the tool or the parameters, if it may exceed the operation's own; a lower one is ignored
 * @throws PRN_ERR_TRUSTED_ONLY, PRN_ERR_ROLE_TOO_LOW, PRN_ERR_UNCOUNTED, PRN_ERR_ALL_PRINTERS_ONLY
 */
export function checkOperation (kernel: Kernel, operation: AnyOperation, caller: Caller | undefined,
  what = operation.name, effect: Effect = operation.effect): void {
  const access = accessOf(operation)
  const rights = rightsOf(caller)
  if (rights === undefined) return checkAccess(kernel, what, access, caller)
  for (const each of [operation.effect, effect]) checkRole(what, rights, roleFor(access, each, operation.name))
  if (rights.budget && (access === 'trusted' || UNCOUNTED.has(operation.name))) throw new Uncounted(what, rights.name)
  const isConfined = operation.scope === 'printer' ? !BEYOND_ONE_PRINTER.has(operation.name) : FOR_SOME_PRINTERS.has(operation.name)
  if (rights.printers !== undefined && !isConfined) throw new AllPrintersOnly(what, rights.name)
}

/** Whether a caller may use an operation at all, for listings. */
export function mayUse (kernel: Kernel, operation: AnyOperation, caller: Caller | undefined,
  effect: Effect = operation.effect): boolean {
  try {
    checkOperation(kernel, operation, caller, operation.name, effect)
    return true
  } catch {
    return false
  }
}

/**
 * The same for a route that a plugin registered directly: all methods but GET need the role for acting.
 * @throws PRN_ERR_TRUSTED_ONLY, PRN_ERR_ROLE_TOO_LOW, PRN_ERR_UNCOUNTED, PRN_ERR_ALL_PRINTERS_ONLY
 */
export function checkRouteAccess (kernel: Kernel, method: string, url: string, caller: Caller,
  declared?: AccessLevel): void {
  const access = accessOfRoute(method, url, declared)
  const what = `${method} ${url}`
  const rights = rightsOf(caller)
  if (rights === undefined) return checkAccess(kernel, what, access, caller)
  const route = method === 'HEAD' ? `GET ${url}` : what
  const reads = VIEWED.has(route) || (route.startsWith('GET ') && !ACTING.has(route))
  checkRole(what, rights, roleFor(access, reads ? 'read' : 'write'))
  if (rights.budget && access === 'trusted') throw new Uncounted(what, rights.name)
  const isConfined = ROUTES_FOR_SOME_PRINTERS.has(route)
  if (rights.printers !== undefined && !isConfined) throw new AllPrintersOnly(what, rights.name)
}

/** Whether a caller may know of a printer. */
export const sees = (caller: Caller | undefined, printer: string): boolean =>
  rightsOf(caller)?.printers?.has(printer) ?? true
