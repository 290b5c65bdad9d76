import { CameraError } from './camera-error.js'

/** Of the login packet, and of the head before each picture. */
const LOGIN_BYTES = 80
const HEAD_BYTES = 16
const LOGIN_PAYLOAD = 0x40
const LOGIN_TYPE = 0x3000
/** The only user a printer knows. */
const USER = 'bblp'
const FIELD_BYTES = 32

/** Shorter or longer ones are no pictures: the stream is out of step. */
export const LEAST_JPEG_BYTES = 1_000
export const MOST_JPEG_BYTES = 10_000_000

/**
 * What the client says, once, after the handshake.
 * @wire length, type, two zeros, then user and code of 32 bytes each, filled with zeros
 */
export function loginPacket (accessCode: string): Buffer {
  const packet = Buffer.alloc(LOGIN_BYTES)
  packet.writeUInt32LE(LOGIN_PAYLOAD, 0)
  packet.writeUInt32LE(LOGIN_TYPE, 4)
  packet.write(USER, 16, FIELD_BYTES, 'ascii')
  packet.write(accessCode, 16 + FIELD_BYTES, FIELD_BYTES, 'ascii')
  return packet
}

/**
 * Cuts the stream of a JPEG camera into pictures; pieces of any size may come.
 * @returns a function that takes the next piece and throws CameraProblem for a length that cannot be
 */
export function createJpegParser (onJpeg: (jpeg: Buffer) => void): (piece: Buffer) => void {
  let parts: Buffer[] = []
  let held = 0
  let wanted = HEAD_BYTES
  let inHead = true

  function take (whole: Buffer): void {
    if (!inHead) onJpeg(whole)
    wanted = inHead ? lengthOf(whole) : HEAD_BYTES
    inHead = !inHead
  }

  return piece => {
    let at = 0
    while (at < piece.length) {
      const part = piece.subarray(at, at + wanted - held)
      at += part.length
      held += part.length
      parts.push(part)
      if (held < wanted) continue
      // A picture must not share memory with what follows it on the wire.
      const whole = Buffer.concat(parts, held)
      parts = []
      held = 0
      take(whole)
    }
  }
}

function lengthOf (head: Buffer): number {
  const length = head.readUInt32LE(0)
  if (length >= LEAST_JPEG_BYTES && length <= MOST_JPEG_BYTES) return length
  throw new CameraError('bad_data', `The camera announced a picture of ${length} bytes, which is impossible`)
}
