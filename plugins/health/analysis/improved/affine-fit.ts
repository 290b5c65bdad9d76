import type { Grey } from '../pixels.js'
import { fitOf, fitsIn, patchOf } from './edge-map.js'
import { FACTOR, type DownscaledImage } from './translation-search.js'

/** Where in an earlier picture that lies which is seen now: x' = a + b x + c y, y' = d + e x + f y, in pixels. */
export type Warp = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Side of the pieces that are looked for, and how far they are apart, in pixels of an edge map. */
const SIDE = 12
const STEP = 6
/** How far from where the whole went. */
const REACH = 6
const LEAST_CONTRAST = 0.5
const FOUND = 0.6
const FEWEST = 12
/** Pieces that are farther from where the others say they are do not count, in pixels of an edge map. */
const ROUNDS = [4, 2.5, 1.5]
/** The plate is in the lower part of the frame. */
const FROM_Y = 0.33

interface Pair { readonly x: number, readonly y: number, readonly toX: number, readonly toY: number }

function pairsOf (now: DownscaledImage, before: DownscaledImage, shift: { x: number, y: number }): Pair[] {
  const [byX, byY] = [Math.round(shift.x / FACTOR), Math.round(shift.y / FACTOR)]
  const pairs: Pair[] = []
  for (let y = Math.floor(FROM_Y * now.height); y + SIDE <= now.height; y += STEP) {
    for (let x = 0; x + SIDE <= now.width; x += STEP) {
      const patch = patchOf(now, x, y, SIDE, SIDE)
      if (patch.norm < LEAST_CONTRAST * SIDE) continue
      let best = { fit: FOUND, x: 0, y: 0 }
      for (let dy = -REACH; dy <= REACH; dy++) {
        for (let dx = -REACH; dx <= REACH; dx++) {
          const [atX, atY] = [x + byX + dx, y + byY + dy]
          if (!fitsIn(patch, before, atX, atY)) continue
          const fit = fitOf(patch, before, atX, atY)
          if (fit > best.fit) best = { fit, x: atX, y: atY }
        }
      }
      const half = SIDE / 2
      if (best.fit > FOUND) pairs.push({ x: x + half, y: y + half, toX: best.x + half, toY: best.y + half })
    }
  }
  return pairs
}

/** Solves three equations; undefined when they do not determine a solution. */
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

function fitted (pairs: readonly Pair[]): Warp | undefined {
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

/** How a plate that travelled lies in an earlier picture; undefined when too little of it is found there. */
export function warpOf (now: DownscaledImage, before: DownscaledImage, shift: {
  x: number,
  y: number
}): Warp | undefined {
  const all = pairsOf(now, before, shift)
  let warp: Warp = [shift.x / FACTOR, 1, 0, shift.y / FACTOR, 0, 1]
  for (const most of ROUNDS) {
    const [a, b, c, d, e, f] = warp
    const near = all.filter(({ x, y, toX, toY }) =>
      Math.hypot(a + b * x + c * y - toX, d + e * x + f * y - toY) <= (most === ROUNDS[0] ? REACH : most))
    const next = near.length < FEWEST ? undefined : fitted(near)
    if (!next) return undefined
    warp = next
  }
  const [a, b, c, d, e, f] = warp
  return [a * FACTOR, b, c, d * FACTOR, e, f]
}

/** An earlier picture as it would look with the plate where it is now; what it does not show is black. */
export function warped ({ width, height, data }: Grey, [a, b, c, d, e, f]: Warp): Grey {
  const out = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [a + b * x + c * y, d + e * x + f * y]
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)]
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      const [right, down] = [fromX - left, fromY - top]
      const at = top * width + left
      const above = (data[at] as number) * (1 - right) + (data[at + 1] as number) * right
      const below = (data[at + width] as number) * (1 - right) + (data[at + width + 1] as number) * right
      out[y * width + x] = above * (1 - down) + below * down + 0.5
    }
  }
  return { width, height, data: out }
}
