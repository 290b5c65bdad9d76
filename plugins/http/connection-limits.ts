import { defineError } from '../../core/index.js'
import { isOwnMachine } from './caller.js'
import { networkOf } from './network.js'

export const TooManyFromAddress = defineError<[most: number]>('PRN_ERR_TOO_MANY_FROM_ADDRESS',
  'This address has %d such connections open already, as many as one may have; close some of them', 429)

/** Of all places, one in so many is the most that one remote address may take. */
const ADDRESS_PART = 4
/** Of all places, one in so many is kept for programs of this machine. */
const LOCAL_PART = 8

export interface ConnectionLimits<T> {
  /** One address has its share, all remote ones together have theirs, or every place is taken. */
  readonly of: 'address' | 'remote' | 'all'
  readonly members: readonly T[]
}

/** How many of all places one remote address may take. */
export const shareOf = (most: number): number => Math.max(1, Math.floor(most / ADDRESS_PART))

/**
 * Who stands in the way of one more from an address; undefined when there is room. A program of this machine has no
 * share of its own, since a proxy on it may stand for many.
 * @param present those who are there, without the new one
 */
export function crowdFor<T extends { readonly address: string }> (address: string, present: readonly T[], most: number):
ConnectionLimits<T> | undefined {
  if (!isOwnMachine(address)) {
    const network = networkOf(address)
    const same = present.filter(other => networkOf(other.address) === network)
    if (same.length >= shareOf(most)) return { of: 'address', members: same }
    const remote = present.filter(other => !isOwnMachine(other.address))
    if (remote.length >= Math.max(1, most - Math.ceil(most / LOCAL_PART))) return { of: 'remote', members: remote }
  }
  return present.length >= most ? { of: 'all', members: present } : undefined
}
