import { detectMotion, type Spot, type StaticShift } from './motion-detection.js'
import { fitOf, fitsIn, patchOf } from './edge-map.js'
import type { DownscaledImage } from './downscale.js'

/** Template of the tool head, as an edge map, and the number of patches it is based on. */
export interface Head { readonly template: DownscaledImage, readonly votes: number }

export interface TrackedHead {
  readonly head?: Head
  /** Where it is in this frame; undefined when it was not found. */
  readonly spot?: Spot
}

/** The head looks larger near the camera. */
const SCALES = [0.82, 1, 1.2]
const STRIDE = 2
/** Correlation from which on a match counts as the head. */
const FOUND = 0.55
/** What correlates like this with all previous frames does not move, so it is not the head. */
const STATIC = 0.5
/** After so many frames or votes the template is not learned again unless the head is lost. */
const LEARNS = 4
const CERTAIN = 20

/** An edge map resized by a factor (bilinear). */
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

/** Where a template matches best. */
function bestPlace (template: DownscaledImage, frame: DownscaledImage): { spot: Spot, fit: number } {
  const patch = patchOf(template)
  const { width, height } = template
  let best = { spot: { x: 0, y: 0, width, height }, fit: -1 }
  const tryAt = (x: number, y: number) => {
    if (!fitsIn(patch, frame, x, y)) return
    const fit = fitOf(patch, frame, x, y)
    if (fit > best.fit) best = { spot: { x, y, width, height }, fit }
  }
  for (let y = 0; y + height <= frame.height; y += STRIDE) {
    for (let x = 0; x + width <= frame.width; x += STRIDE) tryAt(x, y)
  }
  const { x: midX, y: midY } = best.spot
  for (let y = -1; y <= 1; y++) for (let x = -1; x <= 1; x++) tryAt(midX + x, midY + y)
  return best
}

/** Where the head is in a frame; undefined when it was not found. */
export function locateHead (frame: DownscaledImage, previous: readonly DownscaledImage[],
  { template }: Head): Spot | undefined {
  let best: { spot: Spot, fit: number } | undefined
  for (const factor of SCALES) {
    const sized = scaled(template, factor)
    const found = bestPlace(sized, frame)
    if (found.fit < Math.max(FOUND, best?.fit ?? 0)) continue
    const patch = patchOf(sized)
    const { x, y } = found.spot
    if (previous.length > 1 && previous.every(one => fitOf(patch, one, x, y) > STATIC)) continue
    best = found
  }
  return best?.spot
}

/**
 * Tracks the tool head: it is learned from what moved since a previous frame, then found by its template.
 * @param previous edge maps of previous frames, the newest first
 * @param near whether a spot is where the head may cover the print; motion elsewhere is ignored
 */
export function trackToolhead (frame: DownscaledImage, previous: readonly DownscaledImage[], known: Head | undefined,
  shift: StaticShift, near: (spot: Spot) => boolean): TrackedHead {
  const spot = known && locateHead(frame, previous, known)
  const settled = previous.length >= LEARNS || (known?.votes ?? 0) >= CERTAIN
  if (spot && settled) return { head: known, spot }
  let found: TrackedHead = { ...(known && { head: known }), ...(spot && { spot }) }
  for (const [at, one] of previous.entries()) {
    const moved = detectMotion(frame, one, { ...shift, up: shift.up * (at + 1) })
    if (!moved || !near(moved.spot) || (found.spot && moved.votes <= (found.head?.votes ?? 0))) continue
    found = { head: { template: cut(frame, moved.spot), votes: moved.votes }, spot: moved.spot }
  }
  return found
}
