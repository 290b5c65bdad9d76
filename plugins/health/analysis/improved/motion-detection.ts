import { fitOf, fitsIn, halved, patchOf, spreadsOf, type Patch } from './edge-map.js'
import type { DownscaledImage } from './downscale.js'

/** A rectangle in pixels of an edge map. */
export interface Spot { readonly x: number, readonly y: number, readonly width: number, readonly height: number }

/** What moved as a whole from one place to another, and how many patches agree on that. */
export interface MovingObject { readonly spot: Spot, readonly votes: number }

/** How far static things shift in the frame: the camera shakes, the plate sinks. */
export interface StaticShift { readonly side: number, readonly up: number, readonly down: number }

/** Side and spacing of the patches. */
const SIDE = 10
const STEP = 4
/** A patch with less contrast, or with lines in one direction only, cannot be located. */
const LEAST_CONTRAST = 0.8
const LEAST_CORNER = 0.2
/** Below this correlation with its previous place a patch has moved or changed. */
const STAYS = 0.6
/** From this correlation on a patch counts as found elsewhere. */
const FOUND = 0.7
/** Least sideways motion of the head; the plate and what is on it only move up and down. */
const LEAST_SIDEWAYS = 3
const MOST_PATCHES = 48
/** Patches of one object are no farther apart than this, and move alike. */
const REACH = 14
const ALIKE = 1
const FEWEST_VOTES = 5
/** Patches at the rim show little of the object. */
const RIM = 2

interface PlacedPatch { readonly x: number, readonly y: number, readonly patch: Patch }
interface Move { readonly x: number, readonly y: number, readonly dx: number, readonly dy: number }

/** Ratio of the structure tensor's eigenvalues: 0 for lines in one direction, 1 for equal contrast in all. */
function cornerAt ({ width, values }: DownscaledImage, left: number, top: number): number {
  let [xx, yy, xy] = [0, 0, 0]
  for (let y = top + 1; y < top + SIDE - 1; y++) {
    for (let at = y * width + left + 1, end = at + SIDE - 2; at < end; at++) {
      const across = (values[at + 1] as number) - (values[at - 1] as number)
      const down = (values[at + width] as number) - (values[at - width] as number)
      xx += across * across
      yy += down * down
      xy += across * down
    }
  }
  const half = (xx + yy) / 2
  const root = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy)
  return half + root === 0 ? 0 : (half - root) / (half + root)
}

function stays ({ x, y, patch }: PlacedPatch, previous: DownscaledImage, { side, up, down }: StaticShift): boolean {
  for (let dy = -up; dy <= down; dy++) {
    for (let dx = -side; dx <= side; dx++) {
      if (fitsIn(patch, previous, x + dx, y + dy) && fitOf(patch, previous, x + dx, y + dy) >= STAYS) return true
    }
  }
  return false
}

function changed (frame: DownscaledImage, previous: DownscaledImage, shift: StaticShift): PlacedPatch[] {
  const patches: PlacedPatch[] = []
  for (let y = 0; y + SIDE <= frame.height; y += STEP) {
    for (let x = 0; x + SIDE <= frame.width; x += STEP) {
      const placed = { x, y, patch: patchOf(frame, x, y, SIDE, SIDE) }
      if (placed.patch.norm < LEAST_CONTRAST * SIDE || cornerAt(frame, x, y) < LEAST_CORNER) continue
      if (!stays(placed, previous, shift)) patches.push(placed)
    }
  }
  return patches.sort((a, b) => b.patch.norm - a.patch.norm).slice(0, MOST_PATCHES)
}

/** An edge map of half the size for the coarse search, and the contrast of its squares. */
interface Coarse { readonly of: DownscaledImage, readonly spreads: Float32Array }

function coarseOf (of: DownscaledImage): Coarse {
  const half = halved(of)
  return { of: half, spreads: spreadsOf(half, SIDE / 2) }
}

/** Where a patch matches best, in an edge map of half the size. */
function placeOf (own: Patch, { of: { width, height, values }, spreads }: Coarse): { x: number, y: number } {
  let [best, bestX, bestY] = [0, 0, 0]
  for (let y = 0; y <= height - own.height; y++) {
    for (let x = 0; x <= width - own.width; x++) {
      const spread = spreads[y * width + x] as number
      if (spread === 0) continue
      let product = 0
      for (let row = 0, from = 0, at = y * width + x; row < own.height; row++, at += width) {
        for (let column = 0; column < own.width; column++, from++) {
          product += (values[at + column] as number) * (own.values[from] as number)
        }
      }
      if (product > best * spread) [best, bestX, bestY] = [product / spread, x, y]
    }
  }
  return { x: bestX, y: bestY }
}

function moveOf ({ x, y, patch }: PlacedPatch, frame: Coarse, previous: DownscaledImage,
  coarse: Coarse): Move | undefined {
  const near = placeOf(patchOf(frame.of, x >> 1, y >> 1, SIDE / 2, SIDE / 2), coarse)
  let best = { fit: 0, x, y }
  for (let atY = 2 * near.y - 1; atY <= 2 * near.y + 1; atY++) {
    for (let atX = 2 * near.x - 1; atX <= 2 * near.x + 1; atX++) {
      const fit = fitsIn(patch, previous, atX, atY) ? fitOf(patch, previous, atX, atY) : 0
      if (fit > best.fit) best = { fit, x: atX, y: atY }
    }
  }
  const [dx, dy] = [best.x - x, best.y - y]
  return best.fit < FOUND || Math.abs(dx) < LEAST_SIDEWAYS ? undefined : { x, y, dx, dy }
}

const goTogether = (a: Move) => (b: Move): boolean =>
  Math.abs(a.dx - b.dx) <= ALIKE && Math.abs(a.dy - b.dy) <= ALIKE &&
  Math.abs(a.x - b.x) <= REACH && Math.abs(a.y - b.y) <= REACH

function around (moves: readonly Move[]): Spot {
  const [x, y] = [Math.min(...moves.map(move => move.x)) + RIM, Math.min(...moves.map(move => move.y)) + RIM]
  const right = Math.max(...moves.map(move => move.x)) + SIDE - RIM
  const bottom = Math.max(...moves.map(move => move.y)) + SIDE - RIM
  return { x, y, width: right - x, height: bottom - y }
}

/** The largest object that was elsewhere in the previous frame: of all that the camera sees, the tool head. */
export function detectMotion (frame: DownscaledImage, previous: DownscaledImage,
  shift: StaticShift): MovingObject | undefined {
  const [own, coarse] = [coarseOf(frame), coarseOf(previous)]
  const moves = changed(frame, previous, shift).map(placed => moveOf(placed, own, previous, coarse))
    .filter(move => move !== undefined)
  const groups = moves.map(move => moves.filter(goTogether(move)))
  const best = groups.reduce<readonly Move[]>((most, group) => group.length > most.length ? group : most, [])
  return best.length < FEWEST_VOTES ? undefined : { spot: around(best), votes: best.length }
}
