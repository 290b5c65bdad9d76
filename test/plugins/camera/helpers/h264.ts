// Streams that are small enough to be written down: built bit by bit from the standards, not with our own code.

/** Sets of a camera with 1920 × 1080 px and of one with 1168 × 720 px, as x264 writes them. */
export const SPS = Buffer.from('67640028acd940780227e5c044000003000400000300283c60c658', 'hex')
export const OTHER_SPS = Buffer.from('674d401feca02482dd80880000030008000003005078c18cb0', 'hex')
export const PPS = Buffer.from('68ebe3cb22c0', 'hex')

const code = (value: number): string => {
  const bits = (value + 1).toString(2)
  return '0'.repeat(bits.length - 1) + bits
}
const bytesOf = (bits: string): number[] =>
  (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2))

export interface SliceOptions {
  readonly key?: boolean
  /** Address of its first macroblock. */
  readonly first?: number
  readonly size?: number
  readonly pps?: number
}

/** A slice whose head is right and whose rest is nothing. */
export function slice ({ key = false, first = 0, size = 60, pps = 0 }: SliceOptions = {}): Buffer {
  const head = bytesOf(`${code(first)}${code(key ? 7 : 5)}${code(pps)}1`)
  const rest = Buffer.alloc(Math.max(0, size - head.length - 1), 0xAB)
  return Buffer.concat([Buffer.from([key ? 0x65 : 0x41, ...head]), rest])
}
export const key = (options: SliceOptions = {}) => slice({ ...options, key: true })
export const DELIMITER = Buffer.from([0x09, 0xF0])
export const SEI = Buffer.from([0x06, 0x05, 0x01, 0x41, 0x80])

export interface Numbers { sequence: number, stamp: number, ssrc: number, payloadType: number }

/** One RTP packet. */
export function rtp (payload: Buffer, marker: boolean, { sequence, stamp, ssrc, payloadType }: Numbers): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt8(0x80, 0)
  head.writeUInt8((marker ? 0x80 : 0) | payloadType, 1)
  head.writeUInt16BE(sequence & 0xFFFF, 2)
  head.writeUInt32BE(stamp >>> 0, 4)
  head.writeUInt32BE(ssrc >>> 0, 8)
  return Buffer.concat([head, payload])
}

/** A unit in fragments of this size (FU-A). */
export function fragments (nal: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 1; at < nal.length; at += size) {
    const piece = nal.subarray(at, at + size)
    const place = (at === 1 ? 0x80 : 0) | (at + size >= nal.length ? 0x40 : 0)
    pieces.push(Buffer.concat([Buffer.from([((nal[0] ?? 0) & 0xE0) | 28, ((nal[0] ?? 0) & 0x1F) | place]), piece]))
  }
  return pieces
}

/** Several units in one packet (STAP-A). */
export const aggregate = (...nals: readonly Buffer[]): Buffer => Buffer.concat([Buffer.of(0x78),
  ...nals.flatMap(nal => [Buffer.of(nal.length >> 8, nal.length & 0xFF), nal])])

export interface RtpSource extends Numbers {
  /** Packets of one picture: each unit in one, or in fragments when larger; the last one is marked. */
  picture (nals: readonly Buffer[], marks?: 'end' | 'all' | 'none'): Buffer[]
  /** One packet with any payload. */
  packet (payload: Buffer, marker?: boolean): Buffer
}

const LARGEST = 1_000

/** Counts packets and time as a camera does, 30 pictures a second. */
export function createRtpSource (stepTicks = 3_000): RtpSource {
  const source: RtpSource = {
    sequence: 65_530,
    stamp: 0xFFFFF000,
    ssrc: 0x1234,
    payloadType: 96,
    packet (payload, marker = false) {
      const packet = rtp(payload, marker, source)
      source.sequence++
      return packet
    },
    picture (nals, marks = 'end') {
      const payloads = nals.flatMap(nal => nal.length > LARGEST ? fragments(nal, LARGEST) : [nal])
      const packets = payloads.map((payload, at) =>
        source.packet(payload, marks === 'all' || (marks === 'end' && at === payloads.length - 1)))
      source.stamp += stepTicks
      return packets
    }
  }
  return source
}

/** A packet among the messages of a connection. */
export const interleaved = (packet: Buffer, channel = 0, length = packet.length): Buffer =>
  Buffer.concat([Buffer.of(0x24, channel, length >> 8, length & 0xFF), packet])
