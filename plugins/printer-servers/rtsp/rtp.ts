export const PAYLOAD_TYPE = 96
export const RTP_CLOCK_HZ = 90_000
const VERSION = 0x80
const MARKER = 0x80
export const RTP_HEADER_BYTES = 12
/** Larger NAL units are fragmented. */
const LARGEST_BYTES = 1400
const AGGREGATE = 24
const FRAGMENT = 28
const LENGTH_BYTES = 2
const FIRST = 0x80
const LAST = 0x40
const SENDER_REPORT = 200
const DESCRIPTION = 202
const NAME_ITEM = 1
/** Difference between the epochs of NTP and Unix. */
const NTP_OFFSET_S = 2_208_988_800

/** One RTP stream (RFC 3550) with its counters. */
export interface RtpStream {
  readonly ssrc: number
  /** Sequence number of the next packet. */
  readonly next: number
  /** The packets of one frame (RFC 6184); the last one has the marker. */
  packets (units: readonly Buffer[], time: number): Buffer[]
  /** Sender report and source description. @param now ms since the epoch */
  report (time: number, now: number): Buffer
}

export const sequenceOf = (packet: Buffer): number => packet.readUInt16BE(2)

/** Whether a packet contains only a fragment of a NAL unit. */
export const isFragment = (packet: Buffer): boolean => (packet.readUInt8(RTP_HEADER_BYTES) & 0x1F) === FRAGMENT

/** A NAL unit as one payload or as fragments. */
function payloads (unit: Buffer): Buffer[] {
  if (unit.length <= LARGEST_BYTES) return [unit]
  const head = unit.readUInt8(0)
  const pieces: Buffer[] = []
  for (let at = 1; at < unit.length; at += LARGEST_BYTES - 2) {
    const piece = unit.subarray(at, at + LARGEST_BYTES - 2)
    const place = (at === 1 ? FIRST : 0) | (at + piece.length === unit.length ? LAST : 0)
    pieces.push(Buffer.concat([Buffer.from([(head & 0xE0) | FRAGMENT, (head & 0x1F) | place]), piece]))
  }
  return pieces
}

/** Combines small NAL units in one packet (STAP-A), as far as they fit. */
function aggregated (units: readonly Buffer[]): Buffer[] {
  const packets: Buffer[] = []
  let held: Buffer[] = []
  let bytes = 1
  const close = (): void => {
    const importance = Math.max(0, ...held.map(unit => unit.readUInt8(0) & 0x60))
    if (held.length === 1) packets.push(...held)
    else if (held.length > 1) {
      packets.push(Buffer.concat([Buffer.from([importance | AGGREGATE]), ...held.flatMap(withLength)]))
    }
    held = []
    bytes = 1
  }
  for (const unit of units) {
    const size = LENGTH_BYTES + unit.length
    if (bytes + size > LARGEST_BYTES) close()
    if (1 + size > LARGEST_BYTES) packets.push(...payloads(unit))
    else {
      held.push(unit)
      bytes += size
    }
  }
  close()
  return packets
}

function withLength (unit: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(unit.length)
  return [length, unit]
}

/** @param aggregates combine small units in one packet (STAP-A). Large ones are always fragmented (FU-A) */
export function createRtpStream (ssrc: number, first: number, { aggregates = false } = {}): RtpStream {
  let next = first & 0xFFFF
  let sentPackets = 0
  let sentBytes = 0

  const packet = (payload: Buffer, time: number, isLast: boolean): Buffer => {
    const header = Buffer.alloc(RTP_HEADER_BYTES)
    header.writeUInt8(VERSION, 0)
    header.writeUInt8(PAYLOAD_TYPE | (isLast ? MARKER : 0), 1)
    header.writeUInt16BE(next, 2)
    header.writeUInt32BE(time >>> 0, 4)
    header.writeUInt32BE(ssrc, 8)
    next = (next + 1) & 0xFFFF
    sentPackets++
    sentBytes += payload.length
    return Buffer.concat([header, payload])
  }

  return {
    ssrc,
    get next () { return next },
    packets (units, time) {
      const all = aggregates ? aggregated(units) : units.flatMap(payloads)
      return all.map((payload, at) => packet(payload, time, at === all.length - 1))
    },
    report (time, now) {
      const report = Buffer.alloc(28)
      report.writeUInt8(VERSION, 0)
      report.writeUInt8(SENDER_REPORT, 1)
      report.writeUInt16BE(6, 2)
      report.writeUInt32BE(ssrc, 4)
      report.writeUInt32BE(Math.floor(now / 1000) + NTP_OFFSET_S, 8)
      report.writeUInt32BE(Math.floor(now % 1000 / 1000 * 2 ** 32), 12)
      report.writeUInt32BE(time >>> 0, 16)
      report.writeUInt32BE(sentPackets >>> 0, 20)
      report.writeUInt32BE(sentBytes >>> 0, 24)
      return Buffer.concat([report, describe(ssrc)])
    }
  }
}

/** The source description required in every report. */
function describe (ssrc: number): Buffer {
  const name = 'camera'
  const item = Buffer.concat([Buffer.from([NAME_ITEM, name.length]), Buffer.from(name)])
  const words = Math.ceil((item.length + 1) / 4)
  const description = Buffer.alloc(8 + words * 4)
  description.writeUInt8(VERSION | 1, 0)
  description.writeUInt8(DESCRIPTION, 1)
  description.writeUInt16BE(1 + words, 2)
  description.writeUInt32BE(ssrc, 4)
  item.copy(description, 8)
  return description
}

/** Wraps a packet for the RTSP connection (RFC 2326, 10.12). */
export function interleave (channel: number, packet: Buffer, length = packet.length): Buffer {
  const header = Buffer.from([0x24, channel, 0, 0])
  header.writeUInt16BE(length, 2)
  return Buffer.concat([header, packet])
}
