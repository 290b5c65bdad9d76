/** Writes values bit by bit, most significant bit first. */
export interface BitWriter {
  /** Writes the lowest `count` bits of a number. */
  bits (count: number, value: number): BitWriter
  /** Unsigned, Exp-Golomb. */
  ue (value: number): BitWriter
  /** Signed, Exp-Golomb. */
  se (value: number): BitWriter
  /** Pads the last byte with zeros. */
  align (): BitWriter
  /** RBSP trailing bits: a one, then zeros up to the end of the byte. */
  trailing (): BitWriter
  bytes (): Buffer
}

export function createBitWriter (): BitWriter {
  const digits: number[] = []
  const writer: BitWriter = {
    bits (count, value) {
      for (let bit = count - 1; bit >= 0; bit--) digits.push(value >> bit & 1)
      return writer
    },
    ue (value) {
      const length = Math.floor(Math.log2(value + 1))
      return writer.bits(length, 0).bits(length + 1, value + 1)
    },
    se: value => writer.ue(value > 0 ? 2 * value - 1 : -2 * value),
    align () {
      while (digits.length % 8 !== 0) digits.push(0)
      return writer
    },
    trailing: () => writer.bits(1, 1).align(),
    bytes: () => Buffer.from(Array.from({ length: digits.length / 8 }, (_, at) =>
      digits.slice(at * 8, at * 8 + 8).reduce((byte, digit) => byte * 2 + digit, 0)))
  }
  return writer
}

/** Inserts emulation prevention bytes. */
export function escape (payload: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (let at = payload.indexOf(ZEROS); at >= 0 && at + 2 < payload.length; at = payload.indexOf(ZEROS, at + 1)) {
    if (at < from - 1 || (payload[at + 2] as number) > 3) continue
    parts.push(payload.subarray(from, at + 2), THREE)
    from = at + 2
    at++
  }
  parts.push(payload.subarray(from))
  return parts.length === 1 ? payload : Buffer.concat(parts)
}
const ZEROS = Buffer.from([0, 0])
const THREE = Buffer.from([3])

/** A NAL unit: its header byte, then the escaped payload. */
export const writeUnit = (head: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([head]), escape(payload)])

/** Reads values bit by bit, most significant bit first. */
export interface BitReader {
  /** The next `count` bits as a number; zeros beyond the end. */
  bits (count: number): number
  /** Unsigned, Exp-Golomb. */
  ue (): number
}

const LONGEST_CODE = 31

export function createBitReader (bytes: Buffer): BitReader {
  let at = 0
  const bit = (): number => {
    const value = (bytes[at >> 3] ?? 0) >> (7 - (at & 7)) & 1
    at++
    return value
  }
  const reader: BitReader = {
    bits: count => Array.from({ length: count }, bit).reduce((value, next) => value * 2 + next, 0),
    ue () {
      let zeros = 0
      while (zeros < LONGEST_CODE && bit() === 0) zeros++
      return 2 ** zeros - 1 + reader.bits(zeros)
    }
  }
  return reader
}
