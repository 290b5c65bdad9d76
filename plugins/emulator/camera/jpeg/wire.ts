import type { Spoil } from '../camera-fault-injector.js'

/** Length of the packet that a client logs in with. */
export const LOGIN_BYTES = 80
const PAYLOAD_BYTES = 64
const LOGIN_TYPE = 0x3000
const TEXT_BYTES = 32
const USER_AT = 16
const CODE_AT = USER_AT + TEXT_BYTES
const HEADER_BYTES = 16
/** More than any camera sends; readers that keep a limit stop here. */
const OVERSIZED_BYTES = 12_000_000
const ZEROS_BYTES = 65_536
const LIE_BYTES = 1000

export interface Login { readonly user: string, readonly code: string }

const padded = (packet: Buffer, at: number): string => {
  const field = packet.subarray(at, at + TEXT_BYTES)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end < 0 ? TEXT_BYTES : end)
}

/** Reads a login packet; undefined when it is none. */
export function readLogin (packet: Buffer): Login | undefined {
  if (packet.length !== LOGIN_BYTES) return undefined
  const isLogin = packet.readUInt32LE(0) === PAYLOAD_BYTES && packet.readUInt32LE(4) === LOGIN_TYPE &&
    packet.readUInt32LE(8) === 0 && packet.readUInt32LE(12) === 0
  return isLogin ? { user: padded(packet, USER_AT), code: padded(packet, CODE_AT) } : undefined
}

/** What stands before a picture of so many bytes. */
export function frameHeader (bytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(bytes, 0)
  header.writeUInt32LE(1, 8)
  return header
}

const framed = (payload: Buffer): Buffer[] => [frameHeader(payload.length), payload]

/** A picture as it goes out: the header is a write of its own. */
export const frame = framed

const SPOILERS: Readonly<Record<Spoil, (jpeg: Buffer) => Buffer[]>> = {
  header: jpeg => [Buffer.alloc(HEADER_BYTES, 0xA5), jpeg],
  'short-length': jpeg => [frameHeader(jpeg.length - LIE_BYTES), jpeg],
  'long-length': jpeg => [frameHeader(jpeg.length + LIE_BYTES), jpeg],
  'not-jpeg': jpeg => framed(Buffer.alloc(jpeg.length, 'this is no picture ')),
  truncated: jpeg => framed(jpeg.subarray(0, Math.floor(jpeg.length * 2 / 3))),
  oversized: jpeg => framed(Buffer.concat([jpeg, Buffer.alloc(OVERSIZED_BYTES - jpeg.length)])),
  zeros: () => [Buffer.alloc(ZEROS_BYTES)]
}

/** What a camera sends that has gone wrong in the given way. */
export const spoiled = (jpeg: Buffer, spoil: Spoil): Buffer[] => SPOILERS[spoil](jpeg)
