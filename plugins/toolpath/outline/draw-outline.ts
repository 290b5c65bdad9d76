import { open } from 'node:fs/promises'
import { decodeChunk, type TrackChunk } from '../page/decode-track.js'
import { FEATURES, type Feature } from '../read/features.data.js'
import { LineMarker, type Outline, type OutlineKind } from './height-map.js'

/** The moves of some layers to add to an outline, for the thread that does it. */
export interface OutlineTask {
  readonly kind: 'outline'
  readonly trackPath: string
  /** Of the chunks to add, which are those of whole layers: bytes of the track. */
  readonly start: number
  readonly end: number
  /** What lies on the bed before them. */
  readonly from: Outline
  /** Layer at the end of which the bed is shown. */
  readonly layer: number
  /** mm, by layer. */
  readonly heights: readonly number[]
  readonly isWhole: boolean
  /** Objects that are not printed, with the first layer without them. */
  readonly skipped: ReadonlyMap<number, number>
  /** Its first element becomes 1 when no caller waits for the outline any more. */
  readonly abort: Int32Array
}

/** Larger than any chunk. */
const PIECE_BYTES = 1024 ** 2
const CHANGE = 8
/** mm; a layer that seems thicker, or thinner than nothing, comes after an object beside it that was finished first. */
const THICKEST = 1.5
/** mm, of lines of such layers. */
const USUAL = 0.3

const OTHERS: Partial<Record<Feature, OutlineKind>> = {
  skirt: 'other',
  brim: 'other',
  custom: 'other',
  support: 'support',
  support_interface: 'support',
  prime_tower: 'tower'
}
const KIND_OF = FEATURES.map(feature => OTHERS[feature] ?? 'part')

/** mm, of a line whose top is at z. */
function thicknessOf (z: number, below: number): number {
  const thickness = z - below
  return thickness > 0 && thickness <= THICKEST ? thickness : Math.min(z, USUAL)
}

/** Adds what the moves of a chunk extrude. @returns mm, of the highest line of the part */
function addChunk (outline: Outline, marker: LineMarker, chunk: TrackChunk, below: number): number {
  const { layer, count, start, x, y, z, extruded, feature, flags } = chunk
  let [atX, atY] = [start[0]!, start[1]!]
  let highest = 0
  let top = NaN
  let kind: OutlineKind | undefined
  for (let at = 0; at < count; at++) {
    const [toX, toY, toZ] = [x[at]!, y[at]!, z[at]!]
    if (extruded[at]! > 0 && (toX !== atX || toY !== atY) && toZ > 0) {
      const isAside = layer === 0 || (flags[at]! & CHANGE) !== 0
      const its = isAside ? 'other' : KIND_OF[feature[at]!] ?? 'other'
      if (its !== kind || toZ !== top) {
        kind = its
        top = toZ
        marker.begin(outline.kinds[kind], top - thicknessOf(top, below), top)
        if (kind === 'part' && top > highest) highest = top
      }
      marker.line(atX, atY, toX, toY)
    }
    atX = toX
    atY = toY
  }
  return highest
}

/**
 * Adds layers to an outline, whose maps it changes. Independent of the thread it runs in.
 * @throws Error if the track is damaged or the work was aborted
 */
export async function drawOutline (task: OutlineTask): Promise<Outline> {
  const { trackPath, start, end, from, layer, heights, skipped, abort } = task
  const file = await open(trackPath)
  const buffer = new Uint8Array(PIECE_BYTES)
  const marker = new LineMarker(from)
  let z = from.z
  try {
    let rest = 0
    for (let at = start; at < end;) {
      if (Atomics.load(abort, 0) === 1) throw new Error('the outline was aborted')
      const { bytesRead } = await file.read(buffer, rest, Math.min(buffer.length - rest, end - at), at)
      at += bytesRead
      const held = buffer.subarray(0, rest + bytesRead)
      let next = 0
      for (let found = decodeChunk(held, 0); found !== undefined; found = decodeChunk(held, next)) {
        next = found.end
        const { chunk } = found
        if ((skipped.get(chunk.object) ?? Infinity) > chunk.layer) {
          const below = chunk.layer > 1 ? heights[chunk.layer - 1] ?? 0 : 0 // start code is below no layer
          z = Math.max(z, addChunk(from, marker, chunk, below))
        }
      }
      if (bytesRead === 0 || (next === 0 && held.length === buffer.length)) throw new Error('the track is cut off')
      rest = held.length - next
      buffer.copyWithin(0, next, held.length)
    }
    if (rest > 0) throw new Error('the track is cut off')
  } finally {
    await file.close()
  }
  return { ...from, layer, z, isWhole: task.isWhole }
}
