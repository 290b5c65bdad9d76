import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Where a client reaches the relay. */
export interface OwnAddress {
  readonly address: string
  /** The port of the camera's video; undefined if it is not relayed. */
  readonly rtsps: number | undefined
}

/** IPv4 addresses of clients of a port that also serves IPv6. */
const MAPPED = '::ffff:'
const VIDEO_PORT = 322

/** The interfaces of a printer, in a report: `net` up to the end of its `info`. */
const NETWORK = /"net"\s*:\s*\{[^{}[\]]*"info"\s*:\s*\[[^[\]]*\]/g
const INTERFACE = /\{[^{}]*\}/g
const IP = /("ip"\s*:\s*)(-?\d+)/
const MASK = /("mask"\s*:\s*)-?\d+/
/** Scheme and login, host, and port of the live view. JSON may escape slashes. */
const VIDEO_URL = /("rtsp_url"\s*:\s*"rtsps?:(?:\\?\/){2}(?:[^\\/"@]*@)?)(?:\[[^\]"]*\]|[^\\/":[\]]+)(:\d+)?/g

/** An address or a mask as reports have it: an unsigned 32 bit number with the first part in the lowest byte. */
const wordOf = (address: string): number => Buffer.from(address.split('.').map(Number)).readUInt32LE()

/** The mask of a network of this machine; undefined for another machine's address. */
function maskOf (address: string): number | undefined {
  const found = Object.values(networkInterfaces()).flat().find(own => own?.address === address)
  return found && wordOf(found.netmask)
}

/** Puts the relay in the place of each interface that the printer uses. Without an IPv4 address, none is in use. */
function withInterfaces (network: string, address: string): string {
  const ip = isIPv4(address) ? wordOf(address) : 0
  const mask = ip === 0 ? 0 : maskOf(address)
  return network.replace(INTERFACE, one => {
    if (Number(IP.exec(one)?.[2] ?? 0) === 0) return one
    const moved = one.replace(IP, (_, key: string) => `${key}${ip}`)
    return mask === undefined ? moved : moved.replace(MASK, (_, key: string) => `${key}${mask}`)
  })
}

function withVideo (text: string, { address, rtsps = VIDEO_PORT }: OwnAddress): string {
  const host = address.includes(':') ? `[${address}]` : address
  return text.replace(VIDEO_URL, (_, scheme: string, port = '') =>
    `${scheme}${host}${rtsps === VIDEO_PORT ? port : `:${rtsps}`}`)
}

/**
 * Replaces the printer's own address in a message, because slicers connect to the address that reports name. The rest
 * stays the same, byte by byte.
 */
export function withOwnAddress (payload: Uint8Array, own: OwnAddress): Uint8Array {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  if (!bytes.includes('"net"') && !bytes.includes('"rtsp_url"')) return bytes
  const address = own.address.startsWith(MAPPED) ? own.address.slice(MAPPED.length) : own.address
  if (address === '') return bytes
  // each byte is one character, so that text in other alphabets is kept
  const text = bytes.toString('latin1').replace(NETWORK, network => withInterfaces(network, address))
  return Buffer.from(withVideo(text, { ...own, address }), 'latin1')
}

/** The IPv4 addresses of this machine at which others may reach it. */
export const machineAddresses = (): string[] => [...new Set(Object.values(networkInterfaces()).flat()
  .flatMap(own => own?.family === 'IPv4' && !own.internal ? own.address : []))]
