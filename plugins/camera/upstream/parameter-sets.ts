import { createBitReader, withoutEmulationPrevention } from '../video/bit-reader.js'
import { readSps, spsId } from '../video/sps.js'
import type { VideoFormat } from '../video/types.js'

/** The parameter sets of a stream, the newest of each id. */
export interface ParameterSets {
  /** Stores a set; invalid ones are ignored. */
  take (nal: Buffer): void
  /**
   * The format of a slice; the same object while the sets are the same.
   * @returns undefined while its sets are missing or invalid
   */
  formatOf (slice: Buffer): VideoFormat | undefined
}

const SPS = 7
const PPS = 8
/** MP4 counts sequence sets with 5 bits (ISO 14496-15); no camera has more than a few of either kind. */
const MOST_SETS = 31
const LARGEST_SET_BYTES = 4096
/** The ids are in the first bytes. */
const SEEN_BYTES = 24

interface Picture { readonly nal: Buffer, readonly sps: number }

export function createParameterSets (): ParameterSets {
  const sequences = new Map<number, Buffer>()
  const pictures = new Map<number, Picture>()
  let format: VideoFormat | undefined

  function put <T> (sets: Map<number, T>, id: number, value: T): void {
    if (Number.isNaN(id) || (sets.size >= MOST_SETS && !sets.has(id))) return
    sets.set(id, value)
  }

  function takePicture (nal: Buffer): void {
    const { ue } = createBitReader(withoutEmulationPrevention(nal.subarray(1, SEEN_BYTES)))
    const id = ue()
    const sps = ue()
    const known = pictures.get(id)
    if (known?.nal.equals(nal) !== true) put(pictures, id, { nal, sps })
  }

  function takeSequence (nal: Buffer): void {
    const id = spsId(nal)
    if (sequences.get(id)?.equals(nal) !== true && readSps(nal) !== undefined) put(sequences, id, nal)
  }

  return {
    take (nal) {
      if (nal.length > LARGEST_SET_BYTES || nal.length < 2) return
      const type = (nal[0] ?? 0) & 0x1F
      if (type === SPS) takeSequence(nal)
      if (type === PPS) takePicture(nal)
    },
    formatOf (slice) {
      const used = pictures.get(pictureSetOf(slice))
      const sps = used && sequences.get(used.sps)
      if (used === undefined || sps === undefined) return undefined
      const pps = [...pictures.values()].filter(set => set.sps === used.sps).map(({ nal }) => nal)
      if (format === undefined || format.sps !== sps || !isSame(format.pps, pps)) format = toFormat(sps, pps)
      return format
    }
  }
}

/** Whether sets were merely repeated; then the first copy stays. */
const isSame = (known: readonly Buffer[], sets: readonly Buffer[]): boolean =>
  known.length === sets.length && known.every((set, at) => set === sets[at])

function toFormat (sps: Buffer, pps: readonly Buffer[]): VideoFormat | undefined {
  const info = readSps(sps)
  return info && { ...info, sps, pps }
}

/** Id of the picture parameter set that a slice refers to. */
function pictureSetOf (slice: Buffer): number {
  const { ue } = createBitReader(withoutEmulationPrevention(slice.subarray(1, SEEN_BYTES)))
  ue() // first_mb_in_slice
  ue() // slice_type
  return ue()
}
