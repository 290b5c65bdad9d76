import { defineError } from '../errors.js'
import { OPERATIONS, ROUTES } from './access.data.js'
import type { AccessLevel, Caller, Kernel } from './types.js'

export const TrustedOnly = defineError<[what: string]>('PRN_ERR_TRUSTED_ONLY',
  "'%s' is available only on this machine or with the token: it touches the host or what the service trusts. " +
  'Set a token for the service with PRN_API_TOKEN (or api.token) and send it, ' +
  'or open it to everyone on the network with api.trustLan: true in the configuration.', 403)

/** The table and the declaration: no plugin can open what either of them closes. */
const stricter = (listed: AccessLevel | undefined, declared: AccessLevel | undefined): AccessLevel =>
  listed === 'trusted' || declared === 'trusted' ? 'trusted' : 'network'

export const accessOf = ({ name, access }: {
  readonly name: string
  readonly access?: AccessLevel | undefined
}): AccessLevel => stricter(OPERATIONS[name], access)

/** Who may use a route that a plugin added by hand, without an operation. */
export const accessOfRoute = (method: string, url: string, declared?: AccessLevel): AccessLevel =>
  stricter(ROUTES[`${method === 'HEAD' ? 'GET' : method} ${url}`], declared)

/** What is called from inside, without a caller, is the service's own doing. */
export const isTrusted = ({ config: { api } }: Kernel, caller: Caller = 'local'): boolean =>
  caller !== 'network' || api.trustLan

/** @throws PRN_ERR_TRUSTED_ONLY */
export function checkAccess (kernel: Kernel, name: string, access: AccessLevel, caller?: Caller): void {
  if (access === 'trusted' && !isTrusted(kernel, caller)) throw new TrustedOnly(name)
}
