import { CLOCK_HZ, type VideoFormat } from './types.js'

// Boxes that fragmented and plain MP4 (ISO/IEC 14496-12 and -15) have in common.

export const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

/** 32-bit integers, one after the other. */
export function words (...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  numbers.forEach((number, at) => bytes.writeUInt32BE(number >>> 0, at * 4))
  return bytes
}

function shorts (...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2)
  numbers.forEach((number, at) => bytes.writeUInt16BE(number, at * 2))
  return bytes
}

export function box (type: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([words(length), ascii(type), ...parts], length)
}

/** A box that begins with version 0 and flags. */
export const fullBox = (type: string, flags: number, ...parts: readonly Buffer[]): Buffer =>
  box(type, words(flags), ...parts)

export const TRACK = 1
/** No rotation, no scaling; 16.16 fixed point, the last column 2.30. */
const MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const NORMAL_SPEED = 0x10000
const LANGUAGE_UNKNOWN = 0x55C4
const NO_MORE_THAN_ONE_SIZE = 0x48_0000 // 72 dpi
const DEPTH = 24
const LENGTH_BYTES = 4

const nameOf = (nalu: Buffer): readonly Buffer[] => [shorts(nalu.length), nalu]

/** AVC decoder configuration: profile, level, four-byte lengths, and the parameter sets. */
const avcC = ({ sps, pps }: VideoFormat): Buffer => box('avcC',
  Buffer.from([1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xFC | (LENGTH_BYTES - 1), 0xE0 | 1]), ...nameOf(sps),
  Buffer.from([pps.length]), ...pps.flatMap(nameOf))

const sampleEntry = (format: VideoFormat): Buffer => box('avc1',
  Buffer.alloc(6), shorts(1), Buffer.alloc(16), shorts(format.width, format.height),
  words(NO_MORE_THAN_ONE_SIZE, NO_MORE_THAN_ONE_SIZE, 0), shorts(1), Buffer.alloc(32), shorts(DEPTH, 0xFFFF),
  avcC(format))

export interface Movie {
  /** 1/90,000 s; 0 where fragments define it. */
  readonly duration: number
  /** Sample tables (`stts` and others). */
  readonly tables: readonly Buffer[]
  readonly more?: readonly Buffer[]
}

const media = (format: VideoFormat, { duration, tables }: Movie): Buffer => box('mdia',
  fullBox('mdhd', 0, words(0, 0, CLOCK_HZ, duration), shorts(LANGUAGE_UNKNOWN, 0)),
  fullBox('hdlr', 0, words(0), ascii('vide'), Buffer.alloc(12), ascii('camera\0')),
  box('minf',
    fullBox('vmhd', 1, Buffer.alloc(8)),
    box('dinf', fullBox('dref', 0, words(1), fullBox('url ', 1))),
    box('stbl', fullBox('stsd', 0, words(1), sampleEntry(format)), ...tables)))

/** One track of video. */
export const movie = (format: VideoFormat, what: Movie): Buffer => box('moov',
  fullBox('mvhd', 0, words(0, 0, CLOCK_HZ, what.duration, NORMAL_SPEED), Buffer.alloc(12), MATRIX, Buffer.alloc(24),
    words(TRACK + 1)),
  box('trak',
    fullBox('tkhd', 3, words(0, 0, TRACK, 0, what.duration), Buffer.alloc(16), MATRIX,
      words(format.width << 16, format.height << 16)),
    media(format, what)),
  ...what.more ?? [])

/** A picture as a sample: each of its units preceded by its length. */
export function sampleOf (nalus: readonly Buffer[], before = 0): Buffer {
  const bytes = Buffer.allocUnsafe(before + nalus.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0))
  let at = before
  for (const nalu of nalus) {
    at = bytes.writeUInt32BE(nalu.length, at)
    at += nalu.copy(bytes, at)
  }
  return bytes
}
