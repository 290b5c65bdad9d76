/** Reads bits of a NAL unit, most significant first. Beyond the end there are only zeros. */
export interface BitReader {
  /** More bits were read than there are. */
  readonly isOver: boolean
  /** @param count 0 to 32 */
  bits (count: number): number
  /** Unsigned Exp-Golomb code (H.264, 9.1); NaN for one of more than 32 bits. */
  ue (): number
  /** Signed Exp-Golomb code. */
  se (): number
}

const LONGEST_PREFIX = 31

export function createBitReader (bytes: Buffer): BitReader {
  const end = bytes.length * 8
  let at = 0

  const bit = (): number => {
    const value = at < end ? ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1 : 0
    at++
    return value
  }

  const bits = (count: number): number => {
    let value = 0
    for (let read = 0; read < count; read++) value = value * 2 + bit()
    return value
  }

  const ue = (): number => {
    let zeros = 0
    while (bit() === 0) if (++zeros > LONGEST_PREFIX || at > end) return NaN
    return 2 ** zeros - 1 + bits(zeros)
  }

  return {
    get isOver () { return at > end },
    bits,
    ue,
    se () {
      const code = ue()
      return code % 2 === 1 ? (code + 1) / 2 : -code / 2
    }
  }
}

/** The payload of a NAL unit without emulation prevention bytes (H.264, 7.4.1). */
export function withoutEmulationPrevention (bytes: Buffer): Buffer {
  if (!bytes.includes(ESCAPED)) return bytes
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  let zeros = 0
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    plain[length++] = byte
  }
  return plain.subarray(0, length)
}
const ESCAPED = Buffer.from([0, 0, 3])
