/** The header of an RTP packet (RFC 3550, 5.1), and where its payload is. */
export interface RtpPacket {
  readonly payloadType: number
  /** The camera marks the last packet of a picture. */
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  /** Start of the payload in the bytes that were read. */
  readonly from: number
  readonly end: number
}

const HEAD_BYTES = 12
const VERSION = 2

/**
 * Reads the packet at `start` to `stop` of these bytes.
 * @returns undefined for an invalid packet
 */
export function readRtp (bytes: Buffer, start = 0, stop = bytes.length): RtpPacket | undefined {
  if (stop - start < HEAD_BYTES) return undefined
  const first = bytes[start] ?? 0
  const second = bytes[start + 1] ?? 0
  if (first >> 6 !== VERSION) return undefined
  const from = payloadStart(bytes, start + HEAD_BYTES + (first & 0x0F) * 4, (first & 0x10) !== 0, stop)
  const end = (first & 0x20) === 0 ? stop : stop - (bytes[stop - 1] ?? 0)
  if (from > end) return undefined
  return {
    payloadType: second & 0x7F,
    marker: (second & 0x80) !== 0,
    sequence: bytes.readUInt16BE(start + 2),
    timestamp: bytes.readUInt32BE(start + 4),
    ssrc: bytes.readUInt32BE(start + 8),
    from,
    end
  }
}

/** After the header extension; Infinity when that would exceed the packet. */
function payloadStart (bytes: Buffer, from: number, isExtended: boolean, stop: number): number {
  if (!isExtended) return from
  return from + 4 > stop ? Infinity : from + 4 + bytes.readUInt16BE(from + 2) * 4
}

/** `gap`: packets before this one are missing; `foreign`: it has another source or payload type, or is a duplicate. */
export type Order = 'next' | 'gap' | 'foreign'

/** Tracks the sequence numbers of one source. */
export interface RtpOrder {
  take (packet: RtpPacket): Order
  /** Figures for a receiver report; undefined before the first packet. */
  readonly reception: Reception | undefined
}

export interface Reception {
  readonly ssrc: number
  /** Highest sequence number, with the count of wraparounds above it. */
  readonly highest: number
  readonly lost: number
}

/** A new source is accepted after so many packets without one of the old source. */
const TAKEOVER_PACKETS = 50

/**
 * Packets over one TCP connection arrive in order, so every break in the numbers is a loss, or a camera that started
 * over. The first source that is seen counts.
 */
export function createRtpOrder (payloadType: number): RtpOrder {
  let ssrc: number | undefined
  let last = 0
  let cycles = 0
  let lost = 0
  let foreign = 0

  function begin (packet: RtpPacket): void {
    ssrc = packet.ssrc
    last = packet.sequence
    cycles = lost = foreign = 0
  }

  function follow (sequence: number): Order {
    const step = (sequence - last) & 0xFFFF
    if (step === 0) return 'foreign'
    if (sequence < last) cycles++
    last = sequence
    lost += step - 1
    return step === 1 ? 'next' : 'gap'
  }

  return {
    take (packet) {
      if (packet.payloadType !== payloadType) return 'foreign'
      if (packet.ssrc === ssrc) {
        foreign = 0
        return follow(packet.sequence)
      }
      if (ssrc !== undefined && ++foreign < TAKEOVER_PACKETS) return 'foreign'
      begin(packet)
      return 'gap'
    },
    get reception () {
      return ssrc === undefined ? undefined : { ssrc, highest: ((cycles & 0xFFFF) << 16 | last) >>> 0, lost }
    }
  }
}
