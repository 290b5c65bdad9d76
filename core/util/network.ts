import { isIPv6 } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4

/** A machine has a whole network of IPv6 addresses to come from, of 64 bits; and one IPv4 address, however written. */
export function networkOf (address: string): string {
  const [plain = ''] = address.toLowerCase().split('%') // without the interface
  if (!isIPv6(plain)) return plain
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)
  if (v4) return v4[1] ?? ''
  const [head = '', tail] = plain.split('::').map(part => part === '' ? [] : part.split(':'))
  const left = [...head]
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - left.length - tail.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...tail ?? []].slice(0, NETWORK_GROUPS)
    .map(group => group.replace(/^0+(?=.)/, '')).join(':')
}
