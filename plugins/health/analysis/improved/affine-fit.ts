import type { Grey } from '../picture.js'
import { fitOf, fitsIn, patchOf } from './edge-map.js'
import type { Mapping } from './plate-travel.js'
import { FACTOR, type DownscaledImage } from './downscale.js'

/** Affine offsets: a + b x + c y to the right, d + e x + f y down, in pixels of an edge map. */
type Offsets = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Side and spacing of the patches that are searched for, in pixels of an edge map. */
const SIDE = 12
const STEP = 6
const LEAST_CONTRAST = 0.5
const FOUND = 0.6
const FEWEST = 12
/** Largest residual of an inlier in each round, in pixels of an edge map. */
const ROUNDS = [4, 2, 1.2]
/** The plate is in the lower part of the frame. */
const FROM_Y = 0.33

interface Pair { readonly x: number, readonly y: number, readonly toX: number, readonly toY: number }

/** Patches found in the previous frame, and their offsets from the guessed places. */
function pairsOf (frame: DownscaledImage, previous: DownscaledImage, guess: Mapping, reach: number): Pair[] {
  const pairs: Pair[] = []
  const half = SIDE / 2
  for (let y = Math.floor(FROM_Y * frame.height); y + SIDE <= frame.height; y += STEP) {
    for (let x = 0; x + SIDE <= frame.width; x += STEP) {
      const patch = patchOf(frame, x, y, SIDE, SIDE)
      if (patch.norm < LEAST_CONTRAST * SIDE) continue
      const [middleX, middleY] = guess(x + half, y + half)
      const [fromX, fromY] = [Math.round(middleX) - half, Math.round(middleY) - half]
      let best = { fit: FOUND, x: 0, y: 0 }
      for (let dy = -reach; dy <= reach; dy++) {
        for (let dx = -reach; dx <= reach; dx++) {
          if (!fitsIn(patch, previous, fromX + dx, fromY + dy)) continue
          const fit = fitOf(patch, previous, fromX + dx, fromY + dy)
          if (fit > best.fit) best = { fit, x: fromX + dx, y: fromY + dy }
        }
      }
      if (best.fit > FOUND) {
        pairs.push({ x: x + half, y: y + half, toX: best.x + half - middleX, toY: best.y + half - middleY })
      }
    }
  }
  return pairs
}

/** Solves three linear equations by Cramer's rule; undefined when they are singular. */
function solve (m: readonly (readonly number[])[], v: readonly number[]): [number, number, number] | undefined {
  const det = (a: readonly (readonly number[])[]) => {
    const [[p = 0, q = 0, r = 0] = [], [s = 0, t = 0, u = 0] = [], [w = 0, x = 0, y = 0] = []] = a
    return p * (t * y - u * x) - q * (s * y - u * w) + r * (s * x - t * w)
  }
  const whole = det(m)
  if (Math.abs(whole) < 1e-6) return undefined
  const part = (column: number) =>
    det(m.map((row, at) => row.map((value, of) => of === column ? v[at] ?? 0 : value))) / whole
  return [part(0), part(1), part(2)]
}

function fitted (pairs: readonly Pair[]): Offsets | undefined {
  const m = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
  const vx = [0, 0, 0]
  const vy = [0, 0, 0]
  for (const { x, y, toX, toY } of pairs) {
    const row = [1, x, y]
    row.forEach((one, i) => {
      row.forEach((other, j) => { (m[i] as number[])[j] = (m[i]?.[j] ?? 0) + one * other })
      vx[i] = (vx[i] ?? 0) + one * toX
      vy[i] = (vy[i] ?? 0) + one * toY
    })
  }
  const [forX, forY] = [solve(m, vx), solve(m, vy)]
  return forX && forY && [...forX, ...forY]
}

/**
 * Refines a guess of where the plate lies in the previous frame.
 * @param guess in pixels of the edge maps
 * @returns in pixels of the frames; the guess itself when too little of the plate is found
 */
export function refinedMapping (frame: DownscaledImage, previous: DownscaledImage, guess: Mapping,
  reach: number): AffineFit {
  const all = pairsOf(frame, previous, guess, reach)
  let off: Offsets = [0, 0, 0, 0, 0, 0]
  let isFound = true
  for (const most of ROUNDS) {
    const [a, b, c, d, e, f] = off
    const near = all.filter(({ x, y, toX, toY }) =>
      Math.hypot(a + b * x + c * y - toX, d + e * x + f * y - toY) <= most)
    const next = near.length < FEWEST ? undefined : fitted(near)
    if (!next) isFound = false
    else off = next
  }
  const [a, b, c, d, e, f] = isFound ? off : [0, 0, 0, 0, 0, 0]
  const map: Mapping = (x, y) => {
    const [ownX, ownY] = [x / FACTOR, y / FACTOR]
    const [toX, toY] = guess(ownX, ownY)
    return [(toX + a + b * ownX + c * ownY) * FACTOR, (toY + d + e * ownX + f * ownY) * FACTOR]
  }
  return { map, isFound }
}

export interface AffineFit { readonly map: Mapping, readonly isFound: boolean }

/** The mapping is interpolated linearly over this many pixels. */
const STRAIGHT = 16

/** The previous frame, warped so that its plate lies where it does frame; pixels outside of it are black. */
export function warpedFrame ({ width, height, data }: Grey, map: Mapping): Grey {
  const out = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    let [x0, y0] = map(0, y)
    for (let start = 0; start < width; start += STRAIGHT) {
      const [x1, y1] = map(start + STRAIGHT, y)
      const [stepX, stepY] = [(x1 - x0) / STRAIGHT, (y1 - y0) / STRAIGHT]
      for (let x = start, to = Math.min(width, start + STRAIGHT); x < to; x++, x0 += stepX, y0 += stepY) {
        const left = Math.floor(x0)
        const top = Math.floor(y0)
        if (!(left >= 0 && top >= 0 && left < width - 1 && top < height - 1)) continue
        const right = x0 - left
        const at = top * width + left
        const above = (data[at] as number) * (1 - right) + (data[at + 1] as number) * right
        const below = (data[at + width] as number) * (1 - right) + (data[at + width + 1] as number) * right
        out[y * width + x] = above + (below - above) * (y0 - top) + 0.5
      }
      x0 = x1
      y0 = y1
    }
  }
  return { width, height, data: out }
}
