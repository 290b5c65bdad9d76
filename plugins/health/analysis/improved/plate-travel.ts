import { geometryOf, type Point } from './geometry.js'
import type { Series } from '../../types.js'
import type { DownscaledImage } from './downscale.js'

/** From a place in one frame to the same place in another, in pixels. */
export type Mapping = (x: number, y: number) => Point

type Matrix = readonly [number, number, number, number, number, number, number, number, number]

const times = (a: Matrix, b: Matrix): Matrix => Array.from({ length: 9 }, (_, at) => {
  const [row, column] = [3 * Math.floor(at / 3), at % 3]
  return (a[row] as number) * (b[column] as number) + (a[row + 1] as number) * (b[column + 3] as number) +
    (a[row + 2] as number) * (b[column + 6] as number)
}) as unknown as Matrix

/** The adjugate: the inverse up to a factor, which does not matter in projective maps. */
const inverse = ([a, b, c, d, e, f, g, h, i]: Matrix): Matrix =>
  [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d
  ]

/** Homography from the unit square to four corners: (0, 0) to the first, (1, 0) to the second, (1, 1) to the third. */
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
 * Maps places on a bed that moves from rear to front, by its travel as a share of its depth.
 * @returns undefined for a camera for which the plate's corners are unknown
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

/** Farthest travel to either side and step sizes of the search, in shares of the plate's depth. */
const MOST = 0.66
const STEPS = [1 / 40, 1 / 160]
/** One pixel of so many is compared. */
const STRIDE = 2
/** The plate is in the lower part of the frame, the gantry above. */
const FROM_Y = 0.33
/** A smaller overlap is inconclusive. */
const LEAST_COMMON = 200

/** Correlation of two frames, one laid over the other by a mapping; -1 where they hardly overlap. */
export function fitOver (frame: DownscaledImage, previous: DownscaledImage, map: Mapping): number {
  let [count, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0]
  for (let y = Math.floor(FROM_Y * frame.height); y < frame.height; y += STRIDE) {
    for (let x = 0; x < frame.width; x += STRIDE) {
      const [thereX, thereY] = map(x, y)
      const [left, top] = [Math.floor(thereX), Math.floor(thereY)]
      if (!(left >= 0 && top >= 0 && left < previous.width - 1 && top < previous.height - 1)) continue
      const [right, down] = [thereX - left, thereY - top]
      const at = top * previous.width + left
      const above = (previous.values[at] as number) * (1 - right) + (previous.values[at + 1] as number) * right
      const below = (previous.values[at + previous.width] as number) * (1 - right) +
        (previous.values[at + previous.width + 1] as number) * right
      const b = above * (1 - down) + below * down
      const a = frame.values[y * frame.width + x] as number
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

/** Travel of the plate since the previous frame: a coarse search, then a fine one around the best. */
export function travelBetween (frame: DownscaledImage, previous: DownscaledImage,
  at: (travel: number) => Mapping): number {
  let best = { travel: 0, fit: -1 }
  const compare = (travel: number) => {
    const fit = fitOver(frame, previous, at(travel))
    if (fit > best.fit) best = { travel, fit }
  }
  const [coarse = MOST, fine = MOST] = STEPS
  for (let travel = -MOST; travel <= MOST; travel += coarse) compare(travel)
  const { travel: middle } = best
  for (let travel = middle - coarse; travel <= middle + coarse; travel += fine) compare(travel)
  return best.travel
}
