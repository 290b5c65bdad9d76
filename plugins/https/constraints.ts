import { BlockList, isIP } from 'node:net'

/** Networks whose addresses nobody on the Internet has; with their masks, as a certificate states them. */
const PRIVATE_NETWORKS: readonly (readonly [address: string, bits: number])[] = [
  ['127.0.0.0', 8], ['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['169.254.0.0', 16], ['100.64.0.0', 10],
  ['::1', 128], ['fc00::', 7], ['fe80::', 10]
]

/** Ends of names that the public name system never gives to anyone. */
const PRIVATE_DOMAINS = ['localhost', 'local', 'lan', 'home.arpa', 'internal']

const OBJECT_ID = '2.5.29.30'
const SEQUENCE = 0x30
const PERMITTED = 0xA0
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87
const LONG_FORM = 0x80

function tagged (tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const digits = body.length < 0x100 ? [body.length] : [body.length >> 8, body.length & 0xFF]
  // The shortest form is the only valid one.
  const length = body.length < LONG_FORM ? digits : [LONG_FORM + digits.length, ...digits]
  return Buffer.concat([Buffer.of(tag, ...length), body])
}

function bytesOf (address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const words = (part: string) => part === '' ? [] : part.split(':').map(word => Number.parseInt(word, 16))
  const [before, after] = [words(head), words(tail)]
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Buffer.from(all.flatMap(word => [word >> 8, word & 0xFF]))
}

const maskOf = (length: number, bits: number): Buffer => Buffer.from(Array.from({ length }, (_, index) =>
  (0xFF00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xFF))

/**
 * The extension of a root certificate that lets it vouch for this machine and private networks only: whoever steals its
 * key cannot pass for a bank.
 * @param names of this machine, beside the private domains
 * @returns object id and DER, to be marked critical (RFC 5280, 4.2.1.10)
 */
export function nameConstraints (names: readonly string[]): { readonly id: string, readonly der: Buffer } {
  const dns = [...new Set([...PRIVATE_DOMAINS, ...names])]
    .map(name => tagged(SEQUENCE, tagged(DNS_NAME, Buffer.from(name))))
  const networks = PRIVATE_NETWORKS.map(([address, bits]) => {
    const bytes = bytesOf(address)
    return tagged(SEQUENCE, tagged(IP_ADDRESS, bytes, maskOf(bytes.length, bits)))
  })
  return { id: OBJECT_ID, der: tagged(SEQUENCE, tagged(PERMITTED, ...dns, ...networks)) }
}

const privateAddresses = new BlockList()
for (const [address, bits] of PRIVATE_NETWORKS) {
  privateAddresses.addSubnet(address, bits, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Whether a root with these constraints can vouch for a name or address. One that is not permitted would make the whole
 * certificate invalid.
 * @param names those of the constraints
 */
export function isPermitted (name: string, names: readonly string[]): boolean {
  const family = isIP(name)
  if (family !== 0) return privateAddresses.check(name, family === 4 ? 'ipv4' : 'ipv6')
  return [...PRIVATE_DOMAINS, ...names].some(domain => name === domain || name.endsWith(`.${domain}`))
}
