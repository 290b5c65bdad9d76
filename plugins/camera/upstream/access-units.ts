import type { VideoFormat } from '../video/types.js'
import { LARGEST_NAL_BYTES } from './depacketizer.js'
import type { ParameterSets } from './parameter-sets.js'

/** A complete picture as received. */
export interface CodedPicture {
  readonly key: boolean
  readonly nalus: readonly Buffer[]
  readonly format: VideoFormat
  /** RTP time stamp of its first slice. */
  readonly stamp: number
}

/** Groups NAL units into pictures. */
export interface AccessUnits {
  /** Takes the next unit, from a packet with this time stamp. */
  nal (nal: Buffer, stamp: number): void
  /** The end of a packet. @param isCut the packet ends inside a unit */
  packetEnd (marker: boolean, isCut: boolean): void
  /** Data is missing: the current picture and all up to the next key picture cannot be decoded. */
  damage (): void
}

const MOST_BYTES = LARGEST_NAL_BYTES
const MOST_NALS = 512
const SLICE = 1
const LAST_SLICE = 5
const IDR = 5
const SEI = 6
const SPS = 7
const PPS = 8
const DELIMITER = 9
/** Units of these types belong to the next picture when they follow a slice (H.264, 7.4.1.2.3). */
const isPrefix = (type: number): boolean => (type >= SEI && type <= DELIMITER) || (type >= 14 && type <= 18)
/** Partitions B and C of a slice have no `first_mb_in_slice`. */
const isSlice = (type: number): boolean => type >= SLICE && type <= LAST_SLICE
/** `first_mb_in_slice` is 0, written as a single 1. */
const isFirstSlice = (nal: Buffer, type: number): boolean =>
  (type <= 2 || type === IDR) && ((nal[1] ?? 0) & 0x80) !== 0

/** Learns whether a camera sets the marker bit at the end of pictures only, as it should. */
class MarkerTrust {
  #verdict: 'honest' | 'lying' | 'unknown' = 'unknown'
  /** Markers after slices of the current picture. */
  #count = 0
  #isLastMarked = false

  get isHonest (): boolean { return this.#verdict === 'honest' }

  distrust (): void {
    this.#verdict = 'lying'
  }

  packetEnd (marker: boolean, isInPicture: boolean): void {
    this.#isLastMarked = marker
    if (marker && isInPicture) this.#count++
  }

  /** Called when a picture was ended by the start of the next one. */
  judge (): void {
    if (this.#verdict !== 'unknown' || this.#count === 0) return
    this.#verdict = this.#count === 1 && this.#isLastMarked ? 'honest' : 'lying'
  }

  /** No picture is in progress any more. */
  clear (): void {
    this.#count = 0
    this.#isLastMarked = false
  }
}

/**
 * A picture ends where the next one begins, which the slice headers show. If the marker bit proved right for an earlier
 * picture, it ends a picture at once, without waiting for the next packet.
 */
export function createAccessUnits (sets: ParameterSets, onPicture: (picture: CodedPicture) => void): AccessUnits {
  let nalus: Buffer[] = []
  let bytes = 0
  let slice: Buffer | undefined
  let stamp = 0
  let key = false
  /** Format of the pictures since the last key picture; undefined before one, and after damage. */
  let format: VideoFormat | undefined
  const markers = new MarkerTrust()
  /** The last picture was ended by its marker, and no other has begun. */
  let endedByMarker = false

  function clear (): void {
    nalus = []
    bytes = 0
    slice = undefined
    markers.clear()
  }

  function damage (): void {
    clear()
    format = undefined
    endedByMarker = false
  }

  function finish (first: Buffer): void {
    if (key) format = sets.formatOf(first)
    if (format !== undefined) onPicture({ key, nalus, format, stamp })
    clear()
  }

  function add (nal: Buffer): void {
    nalus.push(nal)
    bytes += nal.length
    if (bytes > MOST_BYTES || nalus.length > MOST_NALS) damage()
  }

  function begin (nal: Buffer, type: number, at: number): void {
    slice = nal
    stamp = at
    key = type === IDR
    endedByMarker = false
  }

  function takeSlice (nal: Buffer, type: number, at: number): void {
    if (isFirstSlice(nal, type)) begin(nal, type, at)
    if (slice !== undefined) return add(nal)
    // The rest of a picture whose beginning was lost, or which a wrong marker ended too early.
    if (endedByMarker) markers.distrust()
    damage()
  }

  return {
    damage,
    nal (nal, at) {
      const type = (nal[0] ?? 0) & 0x1F
      if (nal.length < 2 || ((nal[0] ?? 0) & 0x80) !== 0) return
      if (slice !== undefined && (isPrefix(type) || isFirstSlice(nal, type))) {
        markers.judge()
        finish(slice)
      }
      if (type === SPS || type === PPS) sets.take(nal)
      else if (isSlice(type)) takeSlice(nal, type, at)
      else if (type === SEI) add(nal)
    },
    packetEnd (marker, isCut) {
      if (marker && isCut) markers.distrust()
      markers.packetEnd(marker, slice !== undefined)
      if (!marker || slice === undefined || !markers.isHonest) return
      finish(slice)
      endedByMarker = true
    }
  }
}
