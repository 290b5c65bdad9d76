import { isIPv6 } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * The /64 network of an IPv6 address, as a machine may use all of its addresses; or an IPv4 address in canonical form.
 */
export function networkOf (address: string): string {
  const [plain = ''] = address.toLowerCase().split('%') // without the zone
  if (!isIPv6(plain)) return plain
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)
  if (v4) return v4[1] ?? ''
  const [head = '', tail] = plain.split('::').map(part => part === '' ? [] : part.split(':'))
  const left = [...head]
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - left.length - tail.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...tail ?? []].slice(0, NETWORK_GROUPS)
    .map(group => group.replace(/^0+(?=.)/, '')).join(':')
}
