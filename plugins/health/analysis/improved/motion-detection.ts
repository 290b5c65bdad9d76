import { fitOf, fitsIn, halved, patchOf, spreadsOf, type Patch } from './edge-map.js'
import type { DownscaledImage } from './translation-search.js'

/** In pixels of an edge map. */
export interface Spot { readonly x: number, readonly y: number, readonly width: number, readonly height: number }

/** What went from one place to another as a whole, and by how many pieces that is known. */
export interface Mover { readonly spot: Spot, readonly votes: number }

/** How far things shift that do not move by themselves: the picture trembles, the plate sinks. */
export interface Still { readonly side: number, readonly up: number, readonly down: number }

/** Side of a piece, and how far pieces are apart. */
const SIDE = 10
const STEP = 4
/** A piece with less contrast, or with lines in one direction only, cannot be found again. */
const LEAST_CONTRAST = 0.8
const LEAST_CORNER = 0.2
/** What is seen at its old place up to here has gone or changed. */
const STAYS = 0.6
/** From here on a piece is found elsewhere. */
const FOUND = 0.7
/** The head goes sideways too; what only goes up or down is the plate and what is on it. */
const LEAST_WAY = 3
const MOST_PIECES = 48
/** Pieces of one thing are not farther apart, and travel alike. */
const REACH = 14
const ALIKE = 1
const FEWEST_VOTES = 5
/** Pieces at the rim show little of the thing. */
const RIM = 2

interface Piece { readonly x: number, readonly y: number, readonly patch: Patch }
interface Move { readonly x: number, readonly y: number, readonly dx: number, readonly dy: number }

/** 0 for lines in one direction, 1 for as much contrast in every direction. */
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

function stays ({ x, y, patch }: Piece, before: DownscaledImage, { side, up, down }: Still): boolean {
  for (let dy = -up; dy <= down; dy++) {
    for (let dx = -side; dx <= side; dx++) {
      if (fitsIn(patch, before, x + dx, y + dy) && fitOf(patch, before, x + dx, y + dy) >= STAYS) return true
    }
  }
  return false
}

function changed (now: DownscaledImage, before: DownscaledImage, still: Still): Piece[] {
  const pieces: Piece[] = []
  for (let y = 0; y + SIDE <= now.height; y += STEP) {
    for (let x = 0; x + SIDE <= now.width; x += STEP) {
      const piece = { x, y, patch: patchOf(now, x, y, SIDE, SIDE) }
      if (piece.patch.norm < LEAST_CONTRAST * SIDE || cornerAt(now, x, y) < LEAST_CORNER) continue
      if (!stays(piece, before, still)) pieces.push(piece)
    }
  }
  return pieces.sort((a, b) => b.patch.norm - a.patch.norm).slice(0, MOST_PIECES)
}

/** An edge map of half the size, in which far places are searched, and the contrast of its squares. */
interface Coarse { readonly of: DownscaledImage, readonly spreads: Float32Array }

function coarseOf (of: DownscaledImage): Coarse {
  const half = halved(of)
  return { of: half, spreads: spreadsOf(half, SIDE / 2) }
}

/** Where a piece is found best, in an edge map of half the size. */
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

function moveOf ({ x, y, patch }: Piece, now: Coarse, before: DownscaledImage, coarse: Coarse): Move | undefined {
  const near = placeOf(patchOf(now.of, x >> 1, y >> 1, SIDE / 2, SIDE / 2), coarse)
  let best = { fit: 0, x, y }
  for (let atY = 2 * near.y - 1; atY <= 2 * near.y + 1; atY++) {
    for (let atX = 2 * near.x - 1; atX <= 2 * near.x + 1; atX++) {
      const fit = fitsIn(patch, before, atX, atY) ? fitOf(patch, before, atX, atY) : 0
      if (fit > best.fit) best = { fit, x: atX, y: atY }
    }
  }
  const [dx, dy] = [best.x - x, best.y - y]
  return best.fit < FOUND || Math.abs(dx) < LEAST_WAY ? undefined : { x, y, dx, dy }
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

/** The largest thing that is seen now and was seen elsewhere before: of all that a camera sees, the tool head. */
export function moverOf (now: DownscaledImage, before: DownscaledImage, still: Still): Mover | undefined {
  const [own, coarse] = [coarseOf(now), coarseOf(before)]
  const moves = changed(now, before, still).map(piece => moveOf(piece, own, before, coarse))
    .filter(move => move !== undefined)
  const groups = moves.map(move => moves.filter(goTogether(move)))
  const best = groups.reduce<readonly Move[]>((most, group) => group.length > most.length ? group : most, [])
  return best.length < FEWEST_VOTES ? undefined : { spot: around(best), votes: best.length }
}
