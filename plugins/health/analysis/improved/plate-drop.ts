import { fitOf, fitsIn, patchOf } from './edge-map.js'
import { FACTOR, type DownscaledImage } from './downscale.js'

/** Maps a row to the same place in the previous frame: y' = y - (a + c y), in pixels. */
export interface PlateDrop { readonly a: number, readonly c: number }

/** Side and spacing of the patches that are searched for, in pixels of an edge map. */
const SIDE = 10
const STEP = 4
const LEAST_CONTRAST = 0.5
const FOUND = 0.65
const FEWEST = 10
/** Share of all patches that must agree. */
const LEAST_SHARE = 0.3
/** Largest deviation of a patch that agrees, in pixels of an edge map. */
const AGREES = 1
/** Candidates for how much farther the plate sinks at the bottom of the frame, where it is nearer, than at its top. */
const NEARER = [1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3]

interface Drop { readonly y: number, readonly down: number }

/** How far patches of the plate and of what is on it have sunk. */
function dropsOf (frame: DownscaledImage, previous: DownscaledImage, within: (x: number, y: number) => boolean,
  most: number): Drop[] {
  const found: Drop[] = []
  for (let y = 0; y + SIDE <= frame.height; y += STEP) {
    for (let x = 0; x + SIDE <= frame.width; x += STEP) {
      if (!within(x + SIDE / 2, y + SIDE / 2)) continue
      const patch = patchOf(frame, x, y, SIDE, SIDE)
      if (patch.norm < LEAST_CONTRAST * SIDE) continue
      let best = { fit: FOUND, down: 0 }
      for (let down = -1; down <= most; down++) {
        for (let side = -1; side <= 1; side++) {
          const fit = fitsIn(patch, previous, x + side, y - down) ? fitOf(patch, previous, x + side, y - down) : 0
          if (fit > best.fit) best = { fit, down }
        }
      }
      if (best.fit > FOUND) found.push({ y: y + SIDE / 2, down: best.down })
    }
  }
  return found
}

/** The regression line through the patches that agree. */
function fitted (drops: readonly Drop[]): PlateDrop {
  const count = drops.length
  const [meanY, mean] = [drops.reduce((sum, { y }) => sum + y, 0) / count,
    drops.reduce((sum, { down }) => sum + down, 0) / count]
  let [spread, product] = [0, 0]
  for (const { y, down } of drops) {
    spread += (y - meanY) ** 2
    product += (y - meanY) * (down - mean)
  }
  const c = spread < count * SIDE ? 0 : product / spread
  return { a: (mean - c * meanY) * FACTOR, c }
}

/**
 * How far the plate has sunk since the previous frame, by patches found in both; undefined when too few agree.
 * @param within whether a pixel of the edge map belongs to the plate
 * @param most largest drop that is tried, in pixels of an edge map
 */
export function plateDropOf (frame: DownscaledImage, previous: DownscaledImage,
  within: (x: number, y: number) => boolean, most: number): PlateDrop | undefined {
  const drops = dropsOf(frame, previous, within, most)
  if (drops.length < FEWEST) return undefined
  const top = Math.min(...drops.map(({ y }) => y))
  let best: readonly Drop[] = []
  for (let rear = 0; rear <= most; rear += 0.5) {
    for (const nearer of NEARER) {
      const agree = drops.filter(({ y, down }) =>
        Math.abs(rear * (1 + (nearer - 1) * (y - top) / (frame.height - top)) - down) <= AGREES)
      if (agree.length > best.length) best = agree
    }
  }
  return best.length < Math.max(FEWEST, LEAST_SHARE * drops.length) ? undefined : fitted(best)
}
