import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not on the Internet. Source: IANA's registry of special-purpose addresses. */
const SPECIAL_V4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.31.196.0', 24], ['192.52.193.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16],
  ['192.175.48.0', 24], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4]
]
/** Parts of 2000::/3 that are not on the Internet, or contain an IPv4 address that may not be. */
const SPECIAL_V6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['2620:4f:8000::', 48], ['3fff::', 20]
]

const special = new BlockList()
for (const [network, bits] of SPECIAL_V4) special.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of SPECIAL_V6) special.addSubnet(network, bits, 'ipv6')
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is one of the Internet: not of this machine, of its network, or of a provider's own services. */
export function isPublicAddress (address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
