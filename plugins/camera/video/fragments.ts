import type { AccessUnit, VideoFormat } from './types.js'
import { ascii, box, fullBox, movie, sampleOf, TRACK, words } from './mp4-boxes.js'

// Fragmented MP4 (ISO/IEC 14496-12 and -15): an init segment, then a fragment for each picture.

/** The tables are empty: each fragment describes its samples. */
const TABLES = [
  fullBox('stts', 0, words(0)), fullBox('stsc', 0, words(0)), fullBox('stsz', 0, words(0, 0)), fullBox('stco', 0, words(0))
]

/** The init segment of one format. */
export const initSegment = (format: VideoFormat): Buffer => Buffer.concat([
  box('ftyp', ascii('iso6'), words(0), ascii('iso6avc1mp41')),
  movie(format, { duration: 0, tables: TABLES, more: [box('mvex', fullBox('trex', 0, words(TRACK, 1, 0, 0, 0)))] })
])

/** As in a header or for a player. */
export const mimeType = ({ codec }: VideoFormat): string => `video/mp4; codecs="${codec}"`

const MOOF_BYTES = 100
const HEAD_BYTES = MOOF_BYTES + 8
/** Sample flags: a sync sample, or dependent on others. */
const KEY_FLAGS = 0x02000000
const OTHER_FLAGS = 0x01010000

/** The constant part of all fragments. */
const TEMPLATE = box('moof',
  fullBox('mfhd', 0, words(0)),
  box('traf',
    fullBox('tfhd', 0x020000, words(TRACK)), // offsets count from this box
    box('tfdt', words(0x01000000, 0, 0)), // version 1: 64 bits
    fullBox('trun', 0x000701, words(1, HEAD_BYTES, 0, 0, 0)))) // offset; duration, size and flags of one sample
const AT = { sequence: 20, time: 60, duration: 88, size: 92, flags: 96 }

export interface FragmentPlace {
  /** Consecutive number of the fragment. */
  readonly sequence: number
  /** Presentation time and duration, 1/90,000 s. */
  readonly time: number
  readonly duration: number
}

/** One picture as a fragment. */
export function fragment ({ key, nalus }: AccessUnit, { sequence, time, duration }: FragmentPlace): Buffer {
  const bytes = sampleOf(nalus, HEAD_BYTES)
  const size = bytes.length - HEAD_BYTES
  TEMPLATE.copy(bytes)
  bytes.writeUInt32BE(sequence >>> 0, AT.sequence)
  bytes.writeUInt32BE(Math.floor(time / 2 ** 32), AT.time)
  bytes.writeUInt32BE(time >>> 0, AT.time + 4)
  bytes.writeUInt32BE(duration, AT.duration)
  bytes.writeUInt32BE(size, AT.size)
  bytes.writeUInt32BE(key ? KEY_FLAGS : OTHER_FLAGS, AT.flags)
  bytes.writeUInt32BE(8 + size, MOOF_BYTES)
  bytes.write('mdat', MOOF_BYTES + 4, 'latin1')
  return bytes
}
