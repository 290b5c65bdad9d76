import { moverOf, type Spot, type Still } from './motion-detection.js'
import { fitOf, fitsIn, patchOf } from './edge-map.js'
import type { DownscaledImage } from './translation-search.js'

/** How the tool head looks, as an edge map, and by how many pieces that is known. */
export interface Head { readonly look: DownscaledImage, readonly votes: number }

export interface Sighting {
  readonly head?: Head
  /** Where it is now; undefined when it is not seen. */
  readonly spot?: Spot
}

/** It looks larger near the camera. */
const SCALES = [0.82, 1, 1.2]
const STRIDE = 2
/** From here on it is the head. */
const FOUND = 0.55
/** What was there in all frames before does not move: it is something else. */
const STATIC = 0.5
/** Frames after which what is known of the head is as good as it gets, unless it is lost. */
const LEARNS = 4
const CERTAIN = 20

/** An edge map as it would look nearer or farther. */
export function scaled ({ width, height, values }: DownscaledImage, factor: number): DownscaledImage {
  const [wide, high] = [Math.max(4, Math.round(width * factor)), Math.max(4, Math.round(height * factor))]
  const out = new Float32Array(wide * high)
  for (let y = 0; y < high; y++) {
    const fromY = Math.min(height - 1.001, Math.max(0, (y + 0.5) * height / high - 0.5))
    for (let x = 0; x < wide; x++) {
      const fromX = Math.min(width - 1.001, Math.max(0, (x + 0.5) * width / wide - 0.5))
      const at = Math.floor(fromY) * width + Math.floor(fromX)
      const [right, down] = [fromX % 1, fromY % 1]
      const above = (values[at] as number) * (1 - right) + (values[at + 1] as number) * right
      const below = (values[at + width] as number) * (1 - right) + (values[at + width + 1] as number) * right
      out[y * wide + x] = above * (1 - down) + below * down
    }
  }
  return { width: wide, height: high, values: out }
}

const cut = (from: DownscaledImage, { x, y, width, height }: Spot): DownscaledImage =>
  ({
    width,
    height,
    values: Float32Array.from({ length: width * height }, (_, at) =>
      from.values[(y + Math.floor(at / width)) * from.width + x + at % width] as number)
  })

/** Where a look is found best. */
function bestPlace (look: DownscaledImage, now: DownscaledImage): { spot: Spot, fit: number } {
  const patch = patchOf(look)
  const { width, height } = look
  let best = { spot: { x: 0, y: 0, width, height }, fit: -1 }
  const tryAt = (x: number, y: number) => {
    if (!fitsIn(patch, now, x, y)) return
    const fit = fitOf(patch, now, x, y)
    if (fit > best.fit) best = { spot: { x, y, width, height }, fit }
  }
  for (let y = 0; y + height <= now.height; y += STRIDE) {
    for (let x = 0; x + width <= now.width; x += STRIDE) tryAt(x, y)
  }
  const { x: midX, y: midY } = best.spot
  for (let y = -1; y <= 1; y++) for (let x = -1; x <= 1; x++) tryAt(midX + x, midY + y)
  return best
}

/** Where the head is in a frame; undefined when it is not seen. */
export function tracked (now: DownscaledImage, before: readonly DownscaledImage[], { look }: Head): Spot | undefined {
  let best: { spot: Spot, fit: number } | undefined
  for (const factor of SCALES) {
    const sized = scaled(look, factor)
    const found = bestPlace(sized, now)
    if (found.fit < Math.max(FOUND, best?.fit ?? 0)) continue
    const patch = patchOf(sized)
    const { x, y } = found.spot
    if (before.length > 1 && before.every(one => fitOf(patch, one, x, y) > STATIC)) continue
    best = found
  }
  return best?.spot
}

/**
 * Finds the tool head: it is what is seen now and was seen elsewhere before, and once known it is found again.
 * @param before outlines of earlier frames, the newest first
 * @param near whether a spot is where the head may cover the print; what moves elsewhere is of no interest
 */
export function trackToolhead (now: DownscaledImage, before: readonly DownscaledImage[], known: Head | undefined,
  still: Still,
  near: (spot: Spot) => boolean): Sighting {
  const spot = known && tracked(now, before, known)
  const settled = before.length >= LEARNS || (known?.votes ?? 0) >= CERTAIN
  if (spot && settled) return { head: known, spot }
  let found: Sighting = { ...(known && { head: known }), ...(spot && { spot }) }
  for (const [at, one] of before.entries()) {
    const mover = moverOf(now, one, { ...still, up: still.up * (at + 1) })
    if (!mover || !near(mover.spot) || (found.spot && mover.votes <= (found.head?.votes ?? 0))) continue
    found = { head: { look: cut(now, mover.spot), votes: mover.votes }, spot: mover.spot }
  }
  return found
}
