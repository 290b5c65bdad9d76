import { CLOCK_HZ, type AccessUnit, type VideoFormat } from './types.js'

// Fragmented MP4 (ISO/IEC 14496-12 and -15): a head that says how to decode, then a fragment for each picture.

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

/** 32-bit numbers, one after the other. */
function words (...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  numbers.forEach((number, at) => bytes.writeUInt32BE(number >>> 0, at * 4))
  return bytes
}

function shorts (...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2)
  numbers.forEach((number, at) => bytes.writeUInt16BE(number, at * 2))
  return bytes
}

function box (type: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([words(length), ascii(type), ...parts], length)
}

/** A box that begins with version 0 and flags. */
const fullBox = (type: string, flags: number, ...parts: readonly Buffer[]): Buffer => box(type, words(flags), ...parts)

const TRACK = 1
/** No rotation, no scaling; 16.16 fixed point, the last column 2.30. */
const MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const NORMAL_SPEED = 0x10000
const LANGUAGE_UNKNOWN = 0x55C4
const NO_MORE_THAN_ONE_SIZE = 0x48_0000 // 72 dpi
const DEPTH = 24
const LENGTH_BYTES = 4

const nameOf = (nalu: Buffer): readonly Buffer[] => [shorts(nalu.length), nalu]

/** Decoder configuration: profile and level as in the parameters, lengths of four bytes, the parameters themselves. */
const avcC = ({ sps, pps }: VideoFormat): Buffer => box('avcC',
  Buffer.from([1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xFC | (LENGTH_BYTES - 1), 0xE0 | 1]), ...nameOf(sps),
  Buffer.from([pps.length]), ...pps.flatMap(nameOf))

const sampleEntry = (format: VideoFormat): Buffer => box('avc1',
  Buffer.alloc(6), shorts(1), Buffer.alloc(16), shorts(format.width, format.height),
  words(NO_MORE_THAN_ONE_SIZE, NO_MORE_THAN_ONE_SIZE, 0), shorts(1), Buffer.alloc(32), shorts(DEPTH, 0xFFFF),
  avcC(format))

const media = (format: VideoFormat): Buffer => box('mdia',
  fullBox('mdhd', 0, words(0, 0, CLOCK_HZ, 0), shorts(LANGUAGE_UNKNOWN, 0)),
  fullBox('hdlr', 0, words(0), ascii('vide'), Buffer.alloc(12), ascii('camera\0')),
  box('minf',
    fullBox('vmhd', 1, Buffer.alloc(8)),
    box('dinf', fullBox('dref', 0, words(1), fullBox('url ', 1))),
    box('stbl',
      fullBox('stsd', 0, words(1), sampleEntry(format)),
      fullBox('stts', 0, words(0)), fullBox('stsc', 0, words(0)), fullBox('stsz', 0, words(0, 0)),
      fullBox('stco', 0, words(0)))))

/** What comes before all fragments of one format. */
export const initSegment = (format: VideoFormat): Buffer => Buffer.concat([
  box('ftyp', ascii('iso6'), words(0), ascii('iso6avc1mp41')),
  box('moov',
    fullBox('mvhd', 0, words(0, 0, CLOCK_HZ, 0, NORMAL_SPEED), Buffer.alloc(12), MATRIX, Buffer.alloc(24), words(TRACK + 1)),
    box('trak',
      fullBox('tkhd', 3, words(0, 0, TRACK, 0, 0), Buffer.alloc(16), MATRIX, words(format.width << 16, format.height << 16)),
      media(format)),
    box('mvex', fullBox('trex', 0, words(TRACK, 1, 0, 0, 0))))
])

/** As in a header or for a player. */
export const mimeType = ({ codec }: VideoFormat): string => `video/mp4; codecs="${codec}"`

const MOOF_BYTES = 100
const HEAD_BYTES = MOOF_BYTES + 8
/** Of a sample: decodable alone, or dependent on others. */
const KEY_FLAGS = 0x02000000
const OTHER_FLAGS = 0x01010000

/** All that is the same in each fragment. */
const TEMPLATE = box('moof',
  fullBox('mfhd', 0, words(0)),
  box('traf',
    fullBox('tfhd', 0x020000, words(TRACK)), // offsets count from this box
    box('tfdt', words(0x01000000, 0, 0)), // version 1: 64 bits
    fullBox('trun', 0x000701, words(1, HEAD_BYTES, 0, 0, 0)))) // offset; duration, size and flags of one sample
const AT = { sequence: 20, time: 60, duration: 88, size: 92, flags: 96 }

export interface FragmentPlace {
  /** Counts the fragments. */
  readonly sequence: number
  /** When the picture is shown, and for how long, 1/90,000 s. */
  readonly time: number
  readonly duration: number
}

/** One picture as a fragment. */
export function fragment ({ key, nalus }: AccessUnit, { sequence, time, duration }: FragmentPlace): Buffer {
  const size = nalus.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0)
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + size)
  TEMPLATE.copy(bytes)
  bytes.writeUInt32BE(sequence >>> 0, AT.sequence)
  bytes.writeUInt32BE(Math.floor(time / 2 ** 32), AT.time)
  bytes.writeUInt32BE(time >>> 0, AT.time + 4)
  bytes.writeUInt32BE(duration, AT.duration)
  bytes.writeUInt32BE(size, AT.size)
  bytes.writeUInt32BE(key ? KEY_FLAGS : OTHER_FLAGS, AT.flags)
  bytes.writeUInt32BE(8 + size, MOOF_BYTES)
  bytes.write('mdat', MOOF_BYTES + 4, 'latin1')
  let at = HEAD_BYTES
  for (const nalu of nalus) {
    at = bytes.writeUInt32BE(nalu.length, at)
    at += nalu.copy(bytes, at)
  }
  return bytes
}
