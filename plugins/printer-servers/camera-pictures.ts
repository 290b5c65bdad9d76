import type { TLSSocket } from 'node:tls'

// The camera protocol on port 6000: a sequence of JPEGs.

/** Length of the login packet. */
const LOGIN_BYTES = 80
const PAYLOAD_BYTES = 64
const LOGIN_TYPE = 0x3000
const TEXT_BYTES = 32
const USER_AT = 16
const CODE_AT = USER_AT + TEXT_BYTES
const HEADER_BYTES = 16
const LOGIN_MS = 10_000

/** A client's credentials. */
export interface CameraLogin { readonly user: string, readonly code: string }

const padded = (packet: Buffer, at: number): string => {
  const field = packet.subarray(at, at + TEXT_BYTES)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end < 0 ? TEXT_BYTES : end)
}

/** Parses a login packet; undefined if it is invalid. */
function readLogin (packet: Buffer): CameraLogin | undefined {
  if (packet.length !== LOGIN_BYTES) return undefined
  const isLogin = packet.readUInt32LE(0) === PAYLOAD_BYTES && packet.readUInt32LE(4) === LOGIN_TYPE &&
    packet.readUInt32LE(8) === 0 && packet.readUInt32LE(12) === 0
  return isLogin ? { user: padded(packet, USER_AT), code: padded(packet, CODE_AT) } : undefined
}

/** The header of a picture of this size. */
export function frameHeader (bytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(bytes, 0)
  header.writeUInt32LE(1, 8)
  return header
}

/** A picture with its header, in separate writes like the printer's. */
export const frame = (jpeg: Buffer): Buffer[] => [frameHeader(jpeg.length), jpeg]

/**
 * Waits for the login packet of a new connection, which may arrive in pieces. Calls `done` once, with undefined for an
 * invalid packet or a timeout.
 */
export function awaitLogin (socket: TLSSocket, done: (login: CameraLogin | undefined) => void): void {
  let got = Buffer.alloc(0)
  const end = (login: CameraLogin | undefined): void => {
    clearTimeout(timer)
    socket.off('data', take).off('close', giveUp)
    done(login)
  }
  const giveUp = (): void => end(undefined)
  const take = (chunk: Buffer): void => {
    got = Buffer.concat([got, chunk])
    if (got.length >= LOGIN_BYTES) end(readLogin(got))
  }
  const timer = setTimeout(giveUp, LOGIN_MS).unref()
  socket.on('data', take).once('close', giveUp)
}
