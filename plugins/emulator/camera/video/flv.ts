import type { ParameterSets, Picture } from './types.js'

/**
 * Reads H.264 from an FLV stream. The container is used between encoder and printer only, because it marks the end of a
 * picture without waiting for the next one.
 */
export interface FlvReader { push (chunk: Buffer): void }

export interface FlvEvents {
  parameters (sets: ParameterSets): void
  picture (picture: Picture): void
}

const FILE_HEADER_BYTES = 9
const TAG_HEADER_BYTES = 11
/** Length of the preceding part, after the header and after every tag. */
const BACK_LENGTH_BYTES = 4
const VIDEO_TAG = 9
const AVC = 7
const KEY_FRAME = 1
const PACKET = { CONFIGURATION: 0, UNITS: 1 }
/** Frame kind, packet kind and composition time. */
const VIDEO_HEADER_BYTES = 5
/** Version, profile, compatibility, level, size of lengths, count of SPS. */
const CONFIGURATION_HEADER_BYTES = 6

const sized16 = (data: Buffer, at: number): Buffer => data.subarray(at + 2, at + 2 + data.readUInt16BE(at))

function readConfiguration (data: Buffer): ParameterSets {
  const sps = sized16(data, CONFIGURATION_HEADER_BYTES)
  return { sps, pps: sized16(data, CONFIGURATION_HEADER_BYTES + 2 + sps.length + 1) }
}

function readUnits (data: Buffer): Buffer[] {
  const units: Buffer[] = []
  for (let at = 0; at + 4 <= data.length;) {
    const length = data.readUInt32BE(at)
    units.push(data.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return units
}

function readVideo (data: Buffer, events: FlvEvents): void {
  const kind = data.readUInt8(0)
  if ((kind & 15) !== AVC) return
  const packet = data.readUInt8(1)
  const rest = data.subarray(VIDEO_HEADER_BYTES)
  if (packet === PACKET.CONFIGURATION) events.parameters(readConfiguration(rest))
  else if (packet === PACKET.UNITS) events.picture({ units: readUnits(rest), isKey: kind >> 4 === KEY_FRAME })
}

export function createFlvReader (events: FlvEvents): FlvReader {
  let chunks: Buffer[] = []
  let held = 0
  let wanted = FILE_HEADER_BYTES + BACK_LENGTH_BYTES
  let skip = wanted

  /** Reads all complete parts. @returns the rest */
  const read = (bytes: Buffer): Buffer => {
    let rest = bytes
    for (;;) {
      if (skip > 0) {
        if (rest.length < skip) { wanted = skip; return rest }
        rest = rest.subarray(skip)
        skip = 0
      }
      if (rest.length < TAG_HEADER_BYTES) { wanted = TAG_HEADER_BYTES; return rest }
      const size = rest.readUIntBE(1, 3)
      wanted = TAG_HEADER_BYTES + size + BACK_LENGTH_BYTES
      if (rest.length < wanted) return rest
      const data = rest.subarray(TAG_HEADER_BYTES, TAG_HEADER_BYTES + size)
      if (rest.readUInt8(0) === VIDEO_TAG && size > VIDEO_HEADER_BYTES) readVideo(data, events)
      skip = wanted
    }
  }

  return {
    push (chunk) {
      chunks.push(chunk)
      held += chunk.length
      if (held < wanted) return
      const rest = read(Buffer.concat(chunks))
      chunks = [rest]
      held = rest.length
    }
  }
}
