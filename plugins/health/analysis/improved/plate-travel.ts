import { geometryOf, type Point } from './geometry.js'
import type { Series } from '../../types.js'
import type { DownscaledImage } from './translation-search.js'

/** From a place in a picture to that in another, in pixels of one size. */
export type Mapping = (x: number, y: number) => Point

type Matrix = readonly [number, number, number, number, number, number, number, number, number]

const times = (a: Matrix, b: Matrix): Matrix => Array.from({ length: 9 }, (_, at) => {
  const [row, column] = [3 * Math.floor(at / 3), at % 3]
  return (a[row] as number) * (b[column] as number) + (a[row + 1] as number) * (b[column + 3] as number) +
    (a[row + 2] as number) * (b[column + 6] as number)
}) as unknown as Matrix

/** Up to a factor, which does not matter for projective maps. */
const inverse = ([a, b, c, d, e, f, g, h, i]: Matrix): Matrix =>
  [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d
  ]

/** From the unit square to four corners: 0, 0 is the first, 1, 0 the second, 1, 1 the third. */
function squareTo ([a, b, c, d]: readonly [Point, Point, Point, Point]): Matrix {
  const [dx1, dx2, dx3] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]]
  const [dy1, dy2, dy3] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]]
  const spread = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / spread
  const h = (dx1 * dy3 - dx3 * dy1) / spread
  return [
    b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0],
    b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1],
    g, h, 1
  ]
}

/**
 * How a plate that travels from rear to front is seen after it went on by a share of its depth.
 * @returns undefined for a camera whose corners are not known
 */
export function travelling (series: Series, width: number, height: number): ((travel: number) => Mapping) | undefined {
  const { corners } = geometryOf(series)
  if (!corners) return undefined
  const inPixels = corners.map(([x, y]): Point => [x * width, y * height])
  const toPicture = squareTo(inPixels as unknown as [Point, Point, Point, Point])
  const toPlate = inverse(toPicture)
  return travel => {
    const [a, b, c, d, e, f, g, h, i] = times(times(toPicture, [1, 0, 0, 0, 1, travel, 0, 0, 1]), toPlate)
    return (x, y) => {
      const w = g * x + h * y + i
      return [(a * x + b * y + c) / w, (d * x + e * y + f) / w]
    }
  }
}

/** How far it travels to either side at most, and in what steps it is looked for, in shares of its depth. */
const MOST = 0.66
const STEPS = [1 / 40, 1 / 160]
/** Every so many pixels are compared. */
const STRIDE = 2
/** The plate is in the lower part of the frame, the gantry above. */
const FROM_Y = 0.33
/** Fewer pixels in common say nothing. */
const LEAST_COMMON = 200

/** Correlation of a picture with another, laid over it. */
export function fitOver (now: DownscaledImage, before: DownscaledImage, map: Mapping): number {
  let [count, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0]
  for (let y = Math.floor(FROM_Y * now.height); y < now.height; y += STRIDE) {
    for (let x = 0; x < now.width; x += STRIDE) {
      const [thereX, thereY] = map(x, y)
      const [left, top] = [Math.floor(thereX), Math.floor(thereY)]
      if (!(left >= 0 && top >= 0 && left < before.width - 1 && top < before.height - 1)) continue
      const [right, down] = [thereX - left, thereY - top]
      const at = top * before.width + left
      const above = (before.values[at] as number) * (1 - right) + (before.values[at + 1] as number) * right
      const below = (before.values[at + before.width] as number) * (1 - right) +
        (before.values[at + before.width + 1] as number) * right
      const b = above * (1 - down) + below * down
      const a = now.values[y * now.width + x] as number
      count++
      sumA += a
      sumB += b
      sumAA += a * a
      sumBB += b * b
      sumAB += a * b
    }
  }
  if (count < LEAST_COMMON) return -1
  const spread = (sumAA - sumA * sumA / count) * (sumBB - sumB * sumB / count)
  return spread <= 0 ? -1 : (sumAB - sumA * sumB / count) / Math.sqrt(spread)
}

/** How far a plate has travelled since an earlier picture: coarsely first, then around the best. */
export function travelBetween (now: DownscaledImage, before: DownscaledImage, at: (travel: number) => Mapping): number {
  let best = { travel: 0, fit: -1 }
  const look = (travel: number) => {
    const fit = fitOver(now, before, at(travel))
    if (fit > best.fit) best = { travel, fit }
  }
  const [coarse = MOST, fine = MOST] = STEPS
  for (let travel = -MOST; travel <= MOST; travel += coarse) look(travel)
  const { travel: middle } = best
  for (let travel = middle - coarse; travel <= middle + coarse; travel += fine) look(travel)
  return best.travel
}
