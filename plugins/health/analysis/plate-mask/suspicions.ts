import { placeInPicture, type Camera, type Outline } from '../../../toolpath/index.js'
import { blobsOf, type Blob } from './blobs.js'
import type { ColourModel } from './colour-model.js'
import type { Point } from './edge-line.js'
import type { MaskFinding } from './finding-words.js'
import { differenceOf, type Look } from './look.js'

/** A difference large enough to count. */
export interface Suspicion {
  readonly isMissing: boolean
  /** mm on the bed. */
  readonly x: number
  readonly y: number
  /** mm. */
  readonly reach: number
  readonly finding: MaskFinding
}

/** px: a difference must reach so far from the edge of the mask. Poses are off by 2 px, seldom by 4. */
const LIMIT_PX = 5
const LEAST_AREA_PX = 90
/** The same for what is missing otherwise than along the top. */
const MISSING = { px: 7, area: 200 }
/** Share of an object from which on it is missing rather than too low, and of its columns that lack their top. */
const MOST_OF_IT = 0.6
const CROWN = 0.7
/** What is beside the part must begin next to it. */
const NEXT_PX = 3
/** Share of the longer side of what is missing that must lie at the edge of the mask, and up to which depth, px. */
const AT_EDGE = { share: 0.6, px: 2 }
/** px that a difference loses at its border because single pixels count for nothing. */
const TRIMMED_PX = 2
/** mm by which a difference may have moved on the bed between two pictures, and times by which it may have grown. */
const STAYS_MM = 14
const STAYS_TIMES = 2.5
/** The place on a level that a pixel shows. */
function placeAt ({ projection: p }: Camera, [u, v]: Point, z: number): Point {
  const [a, b, c, d] = [p[0]! - u * p[8]!, p[1]! - u * p[9]!, p[4]! - v * p[8]!, p[5]! - v * p[9]!]
  const [e, f] = [
    u * (p[10]! * z + p[11]!) - p[2]! * z - p[3]!,
    v * (p[10]! * z + p[11]!) - p[6]! * z - p[7]!
  ]
  const spread = a * d - b * c
  return [(e * d - b * f) / spread, (a * f - e * c) / spread]
}

interface Crown { readonly share: number, readonly thick: number }

function isAtEdge ({ pixels, left, right, top, bottom }: Blob, depth: Uint8Array): boolean {
  const count = pixels.reduce((sum, at) => sum + (depth[at]! <= AT_EDGE.px ? 1 : 0), 0)
  return count >= AT_EDGE.share * Math.max(right - left + 1, bottom - top + 1)
}

const greatest = (pixels: readonly number[], map: Uint8Array): number =>
  pixels.reduce((most, at) => Math.max(most, map[at]!), 0)
const least = (pixels: readonly number[], map: Uint8Array): number =>
  pixels.reduce((lowest, at) => Math.min(lowest, map[at]!), 255)

function middleOf ({ pixels }: Blob, { left, top, right }: Look['region']): Point {
  const wide = right - left
  const [x, y] = pixels.reduce(([sumX, sumY], at) => [sumX + at % wide, sumY + Math.floor(at / wide)], [0, 0])
  return [left + x / pixels.length + 0.5, top + y / pixels.length + 0.5]
}

/** px in the picture for each mm upwards, and mm for each px sideways. */
function scalesAt (camera: Camera, [x, y]: Point, z: number): { readonly up: number, readonly mmPerPx: number } {
  const places = [[x, y, z], [x, y, z + 1], [x + 1, y, z]] as const
  const [from, above, beside] = places.map(place => placeInPicture(camera, place))
  if (!from || !above || !beside) return { up: 0, mmPerPx: 0 }
  return {
    up: Math.hypot(above[0] - from[0], above[1] - from[1]),
    mmPerPx: 1 / Math.hypot(beside[0] - from[0], beside[1] - from[1])
  }
}

/** What a blob lacks at the upper edge of what should be seen: the share of its columns, and how far down, px. */
function crownOf ({ pixels, left, right }: Blob, { mask, region }: Look): Crown {
  const wide = region.right - region.left
  const [tops, counts] = [new Int32Array(wide).fill(-1), new Int32Array(wide)]
  for (const at of pixels) {
    const [x, y] = [at % wide, Math.floor(at / wide)]
    if (tops[x] === -1 || y < tops[x]!) tops[x] = y
    counts[x]!++
  }
  let [crowned, thick] = [0, 0]
  for (let x = left; x <= right; x++) {
    if (tops[x] === -1) continue
    let y = tops[x]!
    while (y > 0 && mask[(y - 1) * wide + x] === 1) y--
    if (tops[x]! - y > LIMIT_PX) continue
    crowned++
    thick += counts[x]!
  }
  return { share: crowned / (right - left + 1), thick: crowned === 0 ? 0 : thick / crowned }
}

/** Which share a blob has of what can be seen of its object. */
function objectShares ({ mask, hidden, region }: Look): (blob: Blob) => number {
  const objects = blobsOf(mask.map(value => value === 1 ? 1 : 0), region.right - region.left, LEAST_AREA_PX)
  const visible = new Float32Array(mask.length)
  for (const { pixels } of objects) {
    const count = pixels.reduce((sum, at) => sum + (hidden[at] === 1 ? 0 : 1), 0)
    for (const at of pixels) visible[at] = count
  }
  return ({ pixels }) => pixels.length / Math.max(1, visible[pixels[0]!]!)
}

/** Differences between a picture and its mask that are large enough to count. */
export function suspicionsOf (look: Look, colours: ColourModel, outline: Outline): Suspicion[] {
  const { missing, spilt } = differenceOf(look, colours)
  const { camera, depth, away, region } = look
  const isLarge = ({ pixels }: Blob, map: Uint8Array) =>
    pixels.length >= LEAST_AREA_PX && greatest(pixels, map) >= LIMIT_PX
  const shareOf = objectShares(look)
  const besides = spilt.filter(blob => isLarge(blob, away) && least(blob.pixels, away) <= NEXT_PX)
  const gone = missing.filter(blob => isLarge(blob, depth) && isAtEdge(blob, depth))
  const about = (blob: Blob) => {
    const middle = middleOf(blob, region)
    const [x, y] = placeAt(camera, middle, outline.z / 2)
    return { x, y, ...scalesAt(camera, [x, y], outline.z / 2) }
  }
  return [
    ...gone.flatMap((blob): Suspicion[] => {
      const { x, y, up, mmPerPx } = about(blob)
      const { share, thick } = crownOf(blob, look)
      const lowMm = (thick + TRIMMED_PX) / Math.max(0.1, up)
      const sizeMm = Math.max(blob.right - blob.left + 1, blob.bottom - blob.top + 1) * mmPerPx
      const isCrown = share >= CROWN && shareOf(blob) < MOST_OF_IT
      const layerMm = outline.layer > 0 ? outline.z / outline.layer : 0.2
      const hasMoved = besides.some(other => Math.hypot(about(other).x - x, about(other).y - y) < 1.5 * sizeMm)
      const finding: MaskFinding = hasMoved
        ? { kind: 'moved', mm: sizeMm, layer: outline.layer }
        : isCrown
          ? { kind: 'stopped', mm: lowMm, layers: lowMm / layerMm, layer: outline.layer }
          : { kind: 'missing', mm: sizeMm, layer: outline.layer, share: shareOf(blob) }
      const reach = greatest(blob.pixels, depth)
      const counts = finding.kind === 'stopped' || (reach >= MISSING.px && blob.pixels.length >= MISSING.area)
      return counts ? [{ isMissing: true, x, y, reach: reach * mmPerPx, finding }] : []
    }),
    ...besides.map((blob): Suspicion => {
      const { x, y, mmPerPx } = about(blob)
      const reach = greatest(blob.pixels, away) * mmPerPx
      return { isMissing: false, x, y, reach, finding: { kind: 'beside', mm: reach, layer: outline.layer } }
    })
  ]
}

/** Whether two pictures show the same difference. */
export const isSame = (one: Suspicion, other: Suspicion): boolean => one.isMissing === other.isMissing &&
  Math.hypot(one.x - other.x, one.y - other.y) <= STAYS_MM &&
  one.reach <= other.reach * STAYS_TIMES && other.reach <= one.reach * STAYS_TIMES
