import { projectOutline, type BedCorners, type Camera, type Outline } from '../../../toolpath/index.js'
import type { Picture } from '../picture.js'
import { cornersOf, shiftedCamera, type Rise } from './bed-camera.js'
import { riseOf, type BedPose, type BedView } from './bed-view.js'
import { blobsOf, smoothed, type Blob } from './blobs.js'
import { agreementOf, binsOf, classify, isLikeSheet, learnColours, type ColourModel } from './colour-model.js'
import { cut, distanceTo, regionAround, type Region } from './region.js'
import { contains, sheetLightOf } from './sheet-light.js'

/** What should be seen beside what is seen, of the region around the print. */
export interface Look {
  readonly camera: Camera
  readonly region: Region
  /** Of the region: what should be there, as in `OutlineMask`. */
  readonly mask: Uint8Array
  readonly bins: Uint16Array
  /** Of the region: 1 behind the tool head. */
  readonly hidden: Uint8Array
  /** Of the region: 1 where the sheet is behind whatever lies there. */
  readonly sheet: Uint8Array
  /** px to the nearest pixel that should not show the part, and to the nearest that should show something. */
  readonly depth: Uint8Array
  readonly away: Uint8Array
  /** How well the mask fits the picture, 0 to 1. */
  readonly agreement: number
  readonly rise: Rise | undefined
  /** px by which the mask was moved to fit. */
  readonly offset: Offset
}

export type Offset = readonly [dx: number, dy: number]

export interface Difference {
  /** Of a part that should be there, and looks like what is around it. */
  readonly missing: readonly Blob[]
  /** Beside what should be there, and looks like the part. */
  readonly spilt: readonly Blob[]
}

/** px around the mask that are compared. */
const MARGIN = 48
/** Pixels this deep inside, and this far away up to that far, show the part and what is around it for sure. */
const DEEP = 3
const BESIDE = { from: 4, to: 40 }
/** Smaller groups of pixels are not kept. */
const LEAST_PX = 20
/** Side of the cells of which the tool head's place is known. */
const CELL = 16

/** Ways in which heights may show, tried until the pictures have told. */
const RISES: readonly Rise[] = [
  ...[0.42, 0.5, 0.75, 1].map(factor => ({ kind: 'pinhole', factor }) as const),
  ...[0.85, 1, 1.15].map(factor => ({ kind: 'upright', factor }) as const)
]
/** Pictures after which it is known, mm of height that tell, and how well a mask must fit. */
const RISES_KNOWN = 3
const TELLING_MM = 6
const FITS = 0.5

/** Pixels of a region behind the tool head, with a cell more on every side. */
function hiddenIn ({ left, top, right, bottom }: Region, width: number, cells: Uint8Array | undefined): Uint8Array {
  const [wide, columns] = [right - left, Math.floor(width / CELL)]
  const out = new Uint8Array(wide * (bottom - top))
  if (cells === undefined) return out
  const grown = cells.map((_, cell) => {
    const column = cell % columns
    const beside = [column > 0 ? cell - 1 : -1, column < columns - 1 ? cell + 1 : -1]
    return [cell, cell - columns, cell + columns, ...beside].some(at => cells[at] === 1) ? 1 : 0
  })
  for (let at = 0; at < out.length; at++) {
    const [column, row] = [Math.floor((left + at % wide) / CELL), Math.floor((top + Math.floor(at / wide)) / CELL)]
    out[at] = column < columns ? grown[row * columns + column] ?? 0 : 0
  }
  return out
}

/** Pixels of a region behind which the sheet is. */
function sheetIn ({ left, top, right, bottom }: Region, corners: BedCorners): Uint8Array {
  const wide = right - left
  return Uint8Array.from({ length: wide * (bottom - top) }, (_, at) =>
    contains(corners, left + at % wide, top + Math.floor(at / wide)) ? 1 : 0)
}

const sideOf = (value: number): number => value === 1 ? 1 : value === 0 ? -1 : 0

/** How far a mask is moved at most to fit, and the steps in which that is tried, px. */
const OFFSETS = [[-6, -3, 0, 3, 6], [-2, -1, 0, 1, 2]] as const
/** One pixel of so many in each direction is compared for that. */
const SPARSE = 2

/** By how many px a mask should be moved to fit the picture best. */
function offsetOf (bins: Uint16Array, hidden: Uint8Array, mask: Uint8Array, wide: number): Offset {
  const height = bins.length / wide
  const pixels: number[] = []
  for (let y = 0; y < height; y += SPARSE) {
    for (let at = y * wide; at < (y + 1) * wide; at += SPARSE) if (hidden[at] !== 1) pixels.push(at)
  }
  const sparse = Uint16Array.from(pixels, at => bins[at]!)
  let best: { offset: Offset, fit: number } = { offset: [0, 0], fit: -1 }
  for (const steps of OFFSETS) {
    const [midX, midY] = best.offset
    for (const byY of steps) {
      for (const byX of steps) {
        const [dx, dy] = [midX + byX, midY + byY]
        const fit = agreementOf(sparse, at => {
          const from = pixels[at]! - dy * wide - dx
          return from < 0 || from >= mask.length ? 0 : sideOf(mask[from]!)
        })
        if (fit > best.fit) best = { offset: [dx, dy], fit }
      }
    }
  }
  return best.offset
}

export interface LookInput {
  readonly picture: Picture
  readonly outline: Outline
  readonly view: BedView
  readonly bedMm: readonly number[]
  /** Cells behind the tool head. */
  readonly cells: Uint8Array | undefined
  /** Left out, it is found. */
  readonly offset: Offset | undefined
}

interface Fit extends Pick<Look, 'camera' | 'mask' | 'agreement' | 'rise'> {}

/** Lays the mask over a picture. @returns undefined where that cannot be done */
export function lookAt ({ picture, outline, view, bedMm, cells, offset }: LookInput): Look | undefined {
  const { pose, cameraOf } = view
  const known = riseOf(pose)
  const isOpen = pose.rises.length < RISES_KNOWN && outline.z >= TELLING_MM
  const seen = (isOpen ? RISES : [known]).flatMap(rise => {
    const camera = cameraOf?.(rise)
    return camera ? [{ rise, camera, mask: projectOutline(outline, camera).mask }] : []
  })
  const [first] = seen
  const corners = first && cornersOf(first.camera, bedMm)
  if (first === undefined || corners === undefined) return undefined
  const { width, height } = picture
  const widest = Uint8Array.from(first.mask)
  for (const { mask } of seen.slice(1)) for (let at = 0; at < mask.length; at++) widest[at]! |= mask[at]!
  const region = regionAround({ width, height, mask: widest }, MARGIN)
  const light = region && sheetLightOf(picture, (x, y) => widest[y * width + x] === 0 && contains(corners, x, y))
  if (region === undefined || light === undefined) return undefined
  const wide = region.right - region.left
  const bins = binsOf(picture, light, region)
  const hidden = hiddenIn(region, width, cells)
  const fitBy = (rise: Rise | undefined, camera: Camera, whole: Uint8Array): Fit => {
    const mask = cut(whole, width, region)
    return { rise, camera, mask, agreement: agreementOf(bins, at => hidden[at] === 1 ? 0 : sideOf(mask[at]!)) }
  }
  const fits = seen.map(({ rise, camera, mask }) => fitBy(rise, camera, mask))
  const [best] = fits.sort((a, b) => b.agreement - a.agreement) as [Fit]
  const moved = offset ?? offsetOf(bins, hidden, best.mask, wide)
  const camera = shiftedCamera(best.camera, moved)
  const isMoved = moved[0] !== 0 || moved[1] !== 0
  const { mask, agreement } = isMoved ? fitBy(best.rise, camera, projectOutline(outline, camera).mask) : best
  return {
    camera,
    region,
    mask,
    bins,
    hidden,
    sheet: sheetIn(region, corners),
    depth: distanceTo(wide, bins.length / wide, at => mask[at] !== 1),
    away: distanceTo(wide, bins.length / wide, at => mask[at] !== 0),
    agreement,
    rise: isOpen && agreement >= FITS ? best.rise : undefined,
    offset: moved
  }
}

/** The colours of the part and of what is around it in this picture. */
export const coloursOf = ({ bins, hidden, depth, away }: Look): ColourModel => learnColours(bins, at => {
  if (hidden[at] === 1) return 0
  if (depth[at]! >= DEEP) return 1
  return away[at]! >= BESIDE.from && away[at]! <= BESIDE.to ? -1 : 0
})

/**
 * What a picture shows otherwise than the mask, by the colours of part and surroundings that were learned before. Where
 * the light has changed, the colours of the picture itself say that all is there, and that counts more.
 */
export function differenceOf (look: Look, colours: ColourModel): Difference {
  const { region, bins, hidden, mask, sheet } = look
  const width = region.right - region.left
  const [classes, own] = [classify(bins, colours), classify(bins, coloursOf(look))]
  const marksOf = (isWrong: (at: number) => boolean) =>
    smoothed(Uint8Array.from(mask, (_, at) => hidden[at] !== 1 && isWrong(at) ? 1 : 0), width)
  // A tool head that was not recognised is in front of the part too, but does not look like the sheet.
  const isMissing = (at: number) => mask[at] === 1 && classes[at]! < 0 && own[at]! <= 0 &&
    (sheet[at] === 0 || isLikeSheet(bins[at]!))
  const isSpilt = (at: number) => mask[at] === 0 && classes[at]! > 0 && own[at]! >= 0
  return {
    missing: blobsOf(marksOf(isMissing), width, LEAST_PX),
    spilt: blobsOf(marksOf(isSpilt), width, LEAST_PX)
  }
}

export const withRise = (pose: BedPose, { rise }: Look): BedPose =>
  rise ? { ...pose, rises: [...pose.rises, rise] } : pose
