import { lesserRole, rightsOf, type Caller, type Rights } from '../../core/index.js'
import { NotDryingAcceptor } from './errors.js'
import type { PlanRow } from './tables.js'
import { why, type Why } from './types.js'

/** Current rights of users; undefined without users. */
type Directory = { readonly isLocked: boolean, rightsOf (id: string): Rights | undefined } | undefined
type Accepted = Pick<PlanRow, 'accepted_by' | 'accepted_kind' | 'accepted_id'>

/** What tells whether an acceptor still counts. */
export interface People {
  readonly people: Directory
  /** Callers in the local network count as trusted. */
  readonly trustLan: boolean
}

const USER = 'user '
/** The name is in the audit log. */
const LONGEST_NAME = 150

/** A key or a grant has the id of its user, but a name of its own. */
const isUser = ({ id = '', name, budget }: Rights, people: Directory): boolean =>
  id.startsWith(USER) && budget === undefined && people?.rightsOf(id)?.name === name

/**
 * Whoever accepts a plan is a person: keys and grants belong to programs, and anybody could be an anonymous caller.
 * @throws PRN_ERR_DRYING_ACCEPTOR
 */
export function acceptorOf ({ caller, trusted }: { readonly caller: Caller | undefined, readonly trusted: boolean },
  people: Directory): Accepted {
  const rights = rightsOf(caller)
  if (rights !== undefined) {
    if (!isUser(rights, people)) throw new NotDryingAcceptor('keys and programs can only propose it')
    return { accepted_by: rights.name, accepted_kind: 'user', accepted_id: rights.id ?? '' }
  }
  if (!trusted) throw new NotDryingAcceptor('do it on this machine, with the token, or as a user who has logged in')
  const kind = caller === 'token' || caller === 'network' ? caller : 'local'
  return { accepted_by: kind, accepted_kind: kind, accepted_id: '' }
}

/**
 * As whom a plan acts on a printer now: with the current rights of its acceptor, and none beyond operating.
 * @returns the caller, or why there is none
 */
export function callerOf ({ name, ...plan }: Accepted & Pick<PlanRow, 'name'>, printer: string,
  { people, trustLan }: People): Rights | Why {
  const { accepted_by: by, accepted_kind: kind, accepted_id: id } = plan
  const shown = `drying plan ${name} of ${by}`.slice(0, LONGEST_NAME)
  if (kind === '') return why('accept_again')
  if (kind === 'network' && (!trustLan || people?.isLocked === true)) return why('accept_again')
  if (kind !== 'user') return { name: shown, id: `drying plan of ${kind}`, role: 'operate', printers: undefined }
  const rights = people?.rightsOf(id)
  if (rights === undefined) return why('acceptor_gone', { name: by })
  const { role, printers } = rights
  if (role === 'view' || printers?.has(printer) === false) return why('acceptor_may_not', { name: by })
  return { name: shown, id, role: lesserRole(role, 'operate'), printers }
}

export const isWhy = (value: Rights | Why): value is Why => 'code' in value
