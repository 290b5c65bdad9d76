import { fitOf, fitsIn, patchOf } from './edge-map.js'
import { FACTOR, type DownscaledImage } from './translation-search.js'

/** Where in an earlier picture that lies which is seen now: y' = y - (a + c y), in pixels. */
export interface PlateDrop { readonly a: number, readonly c: number }

/** Side of the pieces that are looked for, and how far they are apart, in pixels of an edge map. */
const SIDE = 10
const STEP = 4
const LEAST_CONTRAST = 0.5
const FOUND = 0.65
const FEWEST = 10
/** The share of all pieces that must agree. */
const LEAST_SHARE = 0.3
/** Pieces this far from where the others say they are do not agree. */
const AGREES = 1
/** At the bottom of the frame the plate is nearer and goes down by up to so many times as much as at its top. */
const NEARER = [1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3]

interface Went { readonly y: number, readonly down: number }

/** Pieces of the plate and what is on it, and how far they went down. */
function piecesOf (now: DownscaledImage, before: DownscaledImage, within: (x: number, y: number) => boolean,
  most: number): Went[] {
  const found: Went[] = []
  for (let y = 0; y + SIDE <= now.height; y += STEP) {
    for (let x = 0; x + SIDE <= now.width; x += STEP) {
      if (!within(x + SIDE / 2, y + SIDE / 2)) continue
      const patch = patchOf(now, x, y, SIDE, SIDE)
      if (patch.norm < LEAST_CONTRAST * SIDE) continue
      let best = { fit: FOUND, down: 0 }
      for (let down = -1; down <= most; down++) {
        for (let side = -1; side <= 1; side++) {
          const fit = fitsIn(patch, before, x + side, y - down) ? fitOf(patch, before, x + side, y - down) : 0
          if (fit > best.fit) best = { fit, down }
        }
      }
      if (best.fit > FOUND) found.push({ y: y + SIDE / 2, down: best.down })
    }
  }
  return found
}

/** The line through the pieces that agree. */
function fitted (pieces: readonly Went[]): PlateDrop {
  const count = pieces.length
  const [meanY, mean] = [pieces.reduce((sum, { y }) => sum + y, 0) / count,
    pieces.reduce((sum, { down }) => sum + down, 0) / count]
  let [spread, product] = [0, 0]
  for (const { y, down } of pieces) {
    spread += (y - meanY) ** 2
    product += (y - meanY) * (down - mean)
  }
  const c = spread < count * SIDE ? 0 : product / spread
  return { a: (mean - c * meanY) * FACTOR, c }
}

/**
 * How far the plate has gone down since an earlier frame, from pieces found in both; undefined when too few agree.
 * @param within whether a place of the edge map belongs to the plate
 * @param most how far down at most, in pixels of an edge map
 */
export function plateDropOf (now: DownscaledImage, before: DownscaledImage, within: (x: number, y: number) => boolean,
  most: number):
PlateDrop | undefined {
  const pieces = piecesOf(now, before, within, most)
  if (pieces.length < FEWEST) return undefined
  const top = Math.min(...pieces.map(({ y }) => y))
  let best: readonly Went[] = []
  for (let rear = 0; rear <= most; rear += 0.5) {
    for (const nearer of NEARER) {
      const agree = pieces.filter(({ y, down }) =>
        Math.abs(rear * (1 + (nearer - 1) * (y - top) / (now.height - top)) - down) <= AGREES)
      if (agree.length > best.length) best = agree
    }
  }
  return best.length < Math.max(FEWEST, LEAST_SHARE * pieces.length) ? undefined : fitted(best)
}
