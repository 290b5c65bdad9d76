/** Grey levels of a picture at the size in which pictures are compared, row by row. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}

/** Corners of the bed, parts of the picture's width and height. */
export type Mask = readonly (readonly [x: number, y: number])[]

/** px: cameras shake, and beds stop at slightly different places. */
const MOST_SHIFT = 3
/** px, side of the blocks that are judged. */
export const BLOCK = 8
/** For the shift, every second pixel is enough. */
const STEP = 2
/** A picture with less has nothing to compare. */
const DARKEST_MEDIAN = 14
const LEAST_SPREAD = 6

const isInside = (mask: Mask, x: number, y: number): boolean => {
  let inside = false
  for (let at = 0, before = mask.length - 1; at < mask.length; before = at++) {
    const [ax, ay] = mask[at]!
    const [bx, by] = mask[before]!
    if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/** 1 for each pixel of the bed. */
export function maskPixels (mask: Mask, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels[y * width + x] = Number(isInside(mask, (x + 0.5) / width, (y + 0.5) / height))
    }
  }
  return pixels
}

interface Quantiles { readonly low: number, readonly median: number, readonly high: number }

function quantiles (
  { grey }: GreyPicture, bed: Uint8Array
): Quantiles {
  const counts = new Uint32Array(256)
  let all = 0
  for (let at = 0; at < grey.length; at++) {
    if (bed[at] === 0) continue
    counts[grey[at]!]!++
    all++
  }
  const at = (part: number): number => {
    let sum = 0
    for (let level = 0; level < 256; level++) if ((sum += counts[level]!) > all * part) return level
    return 255
  }
  return { low: at(0.05), median: at(0.5), high: at(0.95) }
}

/** Whether there is a bed to be seen: the light may be off, the camera covered, or its picture grey. */
export function isBlank (picture: GreyPicture, bed: Uint8Array): boolean {
  const { low, median, high } = quantiles(picture, bed)
  return median < DARKEST_MEDIAN || high - low < LEAST_SPREAD
}

export interface Difference {
  /** Grey levels by which the most different block of the bed differs. */
  readonly score: number
  /** By block, row by row; 0 outside of the bed. */
  readonly blocks: Float32Array
  readonly columns: number
}

function meanDifference (
  one: GreyPicture, other: GreyPicture, bed: Uint8Array, gain: number, dx: number, dy: number
): number {
  const { width, height, grey } = one
  let sum = 0
  let pixels = 0
  for (let y = MOST_SHIFT; y < height - MOST_SHIFT; y += STEP) {
    for (let x = MOST_SHIFT; x < width - MOST_SHIFT; x += STEP) {
      const at = y * width + x
      if (bed[at] === 0) continue
      sum += Math.abs(grey[at]! - gain * other.grey[at + dy * width + dx]!)
      pixels++
    }
  }
  return pixels === 0 ? Infinity : sum / pixels
}

/** How far a picture differs from one of the empty plate: brightness is made equal, and small shifts are undone. */
export function comparePictures (picture: GreyPicture, empty: GreyPicture, bed: Uint8Array): Difference {
  const gain = Math.max(1, quantiles(picture, bed).median) / Math.max(1, quantiles(empty, bed).median)
  let [best, bestX, bestY] = [Infinity, 0, 0]
  for (let dy = -MOST_SHIFT; dy <= MOST_SHIFT; dy++) {
    for (let dx = -MOST_SHIFT; dx <= MOST_SHIFT; dx++) {
      const mean = meanDifference(picture, empty, bed, gain, dx, dy)
      if (mean < best) [best, bestX, bestY] = [mean, dx, dy]
    }
  }
  return blockDifference(picture, empty, bed, gain, bestX, bestY)
}

function blockDifference (
  one: GreyPicture, other: GreyPicture, bed: Uint8Array, gain: number, dx: number, dy: number
): Difference {
  const { width, height, grey } = one
  const columns = Math.floor(width / BLOCK)
  const rows = Math.floor(height / BLOCK)
  const blocks = new Float32Array(columns * rows)
  let score = 0
  for (let block = 0; block < blocks.length; block++) {
    const [left, top] = [block % columns * BLOCK, Math.floor(block / columns) * BLOCK]
    let sum = 0
    let pixels = 0
    for (let y = top; y < top + BLOCK; y++) {
      for (let x = left; x < left + BLOCK; x++) {
        const at = y * width + x
        const [fromX, fromY] = [x + dx, y + dy]
        if (bed[at] === 0 || fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) continue
        sum += Math.abs(grey[at]! - gain * other.grey[fromY * width + fromX]!)
        pixels++
      }
    }
    if (pixels * 3 < BLOCK * BLOCK) continue // hardly any of the bed
    blocks[block] = sum / pixels
    score = Math.max(score, blocks[block]!)
  }
  return { score, blocks, columns }
}

/** The difference from the most similar picture of the empty plate. */
export function closest (
  picture: GreyPicture, empties: readonly GreyPicture[], bed: Uint8Array
): Difference | undefined {
  let best: Difference | undefined
  for (const empty of empties) {
    if (empty.width !== picture.width || empty.height !== picture.height) continue
    const difference = comparePictures(picture, empty, bed)
    if (best === undefined || difference.score < best.score) best = difference
  }
  return best
}
