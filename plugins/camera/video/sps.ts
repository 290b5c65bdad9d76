import { createBitReader, withoutEmulationPrevention, type BitReader } from './bit-reader.js'

/** Size and codec in a sequence parameter set. */
export interface SpsInfo {
  /** As displayed, after cropping, px. */
  readonly width: number
  readonly height: number
  /** As in a MIME type (RFC 6381): `avc1.64001f`. */
  readonly codec: string
}

const SPS = 7
const MACROBLOCK = 16
const LARGEST_PX = 8192
/** Profiles whose sets describe the chroma format (H.264, 7.3.2.1.1). */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])
const YUV420 = 1
const YUV422 = 2
const YUV444 = 3
const MOST_REFERENCES = 255
/** The longest sets contain scaling lists with a few bits for each coefficient. */
const MOST_BYTES = 4096

/** @returns undefined for an invalid set, or impossible dimensions */
export function readSps (sps: Buffer): SpsInfo | undefined {
  if (sps.length < 5 || sps.length > MOST_BYTES || ((sps[0] ?? 0) & 0x9F) !== SPS) return undefined
  const reader = createBitReader(withoutEmulationPrevention(sps.subarray(4)))
  const size = readSize(reader, sps[1] ?? 0)
  return size === undefined || reader.isOver ? undefined : { ...size, codec: `avc1.${sps.toString('hex', 1, 4)}` }
}

/** Id of a sequence parameter set, 0 to 31; NaN if invalid. */
export const spsId = (sps: Buffer): number => createBitReader(withoutEmulationPrevention(sps.subarray(4, 16))).ue()

interface Chroma { readonly format: number, readonly isSeparate: boolean }

function readSize (reader: BitReader, profile: number): { width: number, height: number } | undefined {
  const { bits, ue } = reader
  ue() // id
  const chroma = HIGH_PROFILES.has(profile) ? readSamples(reader) : { format: YUV420, isSeparate: false }
  if (!(chroma.format <= YUV444)) return undefined
  ue() // log2_max_frame_num_minus4
  if (!skipPictureOrder(reader)) return undefined
  ue() // max_num_ref_frames
  bits(1) // gaps_in_frame_num_value_allowed_flag
  const columns = ue() + 1
  const mapRows = ue() + 1
  const isFramesOnly = bits(1) === 1
  if (!isFramesOnly) bits(1) // mb_adaptive_frame_field_flag
  bits(1) // direct_8x8_inference_flag
  const rows = mapRows * (isFramesOnly ? 1 : 2)
  const [cropX, cropY] = bits(1) === 1 ? readCropping(reader, chroma, isFramesOnly) : [0, 0]
  const width = columns * MACROBLOCK - cropX
  const height = rows * MACROBLOCK - cropY
  return isPossible(width) && isPossible(height) ? { width, height } : undefined
}

const isPossible = (px: number): boolean => px > 0 && px <= LARGEST_PX

function readSamples (reader: BitReader): Chroma {
  const { bits, ue } = reader
  const format = ue()
  const isSeparate = format === YUV444 && bits(1) === 1
  ue() // bit_depth_luma_minus8
  ue() // bit_depth_chroma_minus8
  bits(1) // qpprime_y_zero_transform_bypass_flag
  if (bits(1) === 1) skipScaling(reader, format === YUV444 ? 12 : 8)
  return { format, isSeparate }
}

/** Scaling lists of 16 and 64 coefficients; each ends early when the next scale is 0. */
function skipScaling ({ bits, se }: BitReader, lists: number): void {
  for (let list = 0; list < lists; list++) {
    if (bits(1) === 0) continue
    const size = list < 6 ? 16 : 64
    let last = 8
    let next = 8
    for (let at = 0; at < size && next !== 0; at++) {
      next = (last + se() + 256) % 256
      if (Number.isNaN(next)) return
      last = next === 0 ? last : next
    }
  }
}

/** @returns false if invalid */
function skipPictureOrder ({ bits, ue, se }: BitReader): boolean {
  const type = ue()
  if (type === 0) ue()
  if (type === 1) {
    bits(1)
    se()
    se()
    const cycle = ue()
    if (!(cycle <= MOST_REFERENCES)) return false
    for (let at = 0; at < cycle; at++) se()
  }
  return type <= 2
}

/** Cropped pixels; cropping is counted in chroma samples. */
function readCropping ({ ue }: BitReader, { format, isSeparate }: Chroma, isFramesOnly: boolean): [number, number] {
  const horizontal = ue() + ue()
  const vertical = ue() + ue()
  const isSubsampled = !isSeparate && (format === YUV420 || format === YUV422)
  const unitX = isSubsampled ? 2 : 1
  const unitY = (isSubsampled && format === YUV420 ? 2 : 1) * (isFramesOnly ? 1 : 2)
  return [horizontal * unitX, vertical * unitY]
}
