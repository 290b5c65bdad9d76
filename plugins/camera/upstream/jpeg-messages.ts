import { CameraError } from './camera-error.js'

/** Lengths of the login packet, and of the header before each picture. */
const LOGIN_BYTES = 80
const HEAD_BYTES = 16
const LOGIN_PAYLOAD = 0x40
const LOGIN_TYPE = 0x3000
/** The only user name that printers know. */
const USER = 'bblp'
const FIELD_BYTES = 32

/** Lengths outside this range are no pictures: the stream is out of sync. */
export const LEAST_JPEG_BYTES = 1_000
export const MOST_JPEG_BYTES = 10_000_000

/**
 * The login, sent once after the TLS handshake.
 * @wire length, type, two zeros, then user and access code of 32 bytes each, padded with zeros
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
 * Splits the stream of a JPEG camera into pictures; chunks may have any size.
 * @returns a function that takes the next chunk and throws CameraError for an impossible length
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
      // Copied, so that a picture does not keep the data after it in memory.
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
