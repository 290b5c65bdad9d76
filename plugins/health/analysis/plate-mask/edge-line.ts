import type { Picture } from '../picture.js'
import { lightAt, type SheetLight } from './sheet-light.js'

export type Point = readonly [x: number, y: number]

export interface Line { readonly from: Point, readonly to: Point }

/** A straight line through two places, and how much of its way the picture shows an edge there. */
export interface EdgeLine extends Line {
  /** Share of the places along it that show an edge, 0 to 1. */
  readonly support: number
}

/** px beside the border of the frame that are not used. */
const RIM = 3
/** px between two places along an edge. */
const STRIDE = 4
/** px inside the edge that must show the sheet, and px beyond it that must not; a rail in front of it is thinner. */
const INSIDE = 7
const BEYOND = 26
/** Each of so many parts beyond it. */
const PARTS = 3
/** px of the border itself, which differs from the sheet even where what is behind it does not. */
const BORDER = 2
/** What a border alone counts. */
const BORDER_SHARE = 0.4
/** Difference in colour, summed over the channels, that is not the sheet's: of a sheet so bright, at least a share. */
const OTHER = { levels: 60, bright: 90, least: 0.4 }
/** Share of a full step that shows an edge. */
const LEAST_STEP = 0.2
/** Less of an edge than this says nothing about its direction, px. */
const SHORTEST = 48

/** The part of a way that is inside the picture, as shares of it. */
function visibleSpan (
  [x1, y1]: Point, [x2, y2]: Point, { width, height }: Picture
): readonly [number, number] | undefined {
  let [from, to] = [0, 1]
  for (const [start, end, most] of [[x1, x2, width], [y1, y2, height]] as const) {
    const delta = end - start
    const [low, high] = [RIM, most - 1 - RIM]
    if (delta === 0) {
      if (start < low || start > high) return undefined
      continue
    }
    const [a, b] = [(low - start) / delta, (high - start) / delta]
    from = Math.max(from, Math.min(a, b))
    to = Math.min(to, Math.max(a, b))
  }
  return from < to ? [from, to] : undefined
}

/** How much like the end of the sheet each offset across a place looks, from -reach to reach, 0 to 1. */
function stepsAcross (
  { width, height, data }: Picture, light: SheetLight, [x, y]: Point, [nx, ny]: Point, reach: number
): Float32Array {
  const before = reach + INSIDE
  const count = before + reach + BEYOND + 1
  const sums = new Float32Array(count + 1)
  const sheet = new Float32Array(3)
  lightAt(light, width, x, y, sheet)
  const brightness = (sheet[0]! + sheet[1]! + sheet[2]!) / 3 / OTHER.bright
  const most = OTHER.levels * Math.max(OTHER.least, Math.min(1, brightness))
  for (let at = 0; at < count; at++) {
    const column = Math.max(0, Math.min(width - 1, Math.round(x + nx * (at - before))))
    const row = Math.max(0, Math.min(height - 1, Math.round(y + ny * (at - before))))
    lightAt(light, width, column, row, sheet)
    let other = 0
    for (let channel = 0; channel < 3; channel++) {
      other += Math.abs(data[(row * width + column) * 3 + channel]! - sheet[channel]!)
    }
    sums[at + 1] = sums[at]! + Math.min(1, other / most)
  }
  const mean = (from: number, length: number) => (sums[from + length]! - sums[from]!) / length
  return Float32Array.from({ length: 2 * reach + 1 }, (_, offset) => {
    const edge = offset + INSIDE
    let beyond = 1
    for (let part = 0; part < PARTS; part++) {
      const from = Math.round(part * BEYOND / PARTS)
      beyond = Math.min(beyond, mean(edge + from, Math.round((part + 1) * BEYOND / PARTS) - from))
    }
    return Math.max(0, 1 - 1.5 * mean(edge - INSIDE, INSIDE)) * Math.max(beyond, BORDER_SHARE * mean(edge, BORDER))
  })
}

/**
 * The straight edge near an expected one: that of all lines within reach across which the picture changes most. A tool
 * head in front of it takes little away.
 * @param reach px to either side
 * @returns undefined where too little of it is in the picture
 */
export function fitEdge (
  picture: Picture, light: SheetLight, from: Point, to: Point, reach: number
): EdgeLine | undefined {
  const span = visibleSpan(from, to, picture)
  const whole = Math.hypot(to[0] - from[0], to[1] - from[1])
  if (span === undefined || (span[1] - span[0]) * whole < SHORTEST) return undefined
  const [dx, dy] = [(to[0] - from[0]) / whole, (to[1] - from[1]) / whole]
  const normal: Point = [-dy, dx] // corners are in the order in which the sheet lies to the other side
  const length = (span[1] - span[0]) * whole
  const count = Math.floor(length / STRIDE) + 1
  const placeAt = (share: number): Point => {
    const along = span[0] * whole + share * length
    return [from[0] + dx * along, from[1] + dy * along]
  }
  const steps = Array.from({ length: count }, (_, at) =>
    stepsAcross(picture, light, placeAt(at / (count - 1)), normal, reach))
  const scoreOf = (first: number, last: number): number => {
    let sum = 0
    for (let at = 0; at < count; at++) sum += steps[at]![Math.round(first + (last - first) * at / (count - 1)) + reach]!
    return sum / count
  }
  let best = { first: 0, last: 0, score: -1 }
  const tryAt = (first: number, last: number): void => {
    if (Math.abs(first) > reach || Math.abs(last) > reach) return
    const score = scoreOf(first, last)
    if (score > best.score) best = { first, last, score }
  }
  for (let first = -reach; first <= reach; first += 2) {
    for (let last = -reach; last <= reach; last += 2) tryAt(first, last)
  }
  const { first, last } = best
  for (let a = -1.5; a <= 1.5; a += 0.5) for (let b = -1.5; b <= 1.5; b += 0.5) tryAt(first + a, last + b)
  const shifted = (share: number, by: number): Point => {
    const [x, y] = placeAt(share)
    return [x + normal[0] * by, y + normal[1] * by]
  }
  let seen = 0
  for (let at = 0; at < count; at++) {
    if (steps[at]![Math.round(best.first + (best.last - best.first) * at / (count - 1)) + reach]! >= LEAST_STEP) seen++
  }
  return { from: shifted(0, best.first), to: shifted(1, best.last), support: seen / count }
}

/** Where two lines meet; undefined for parallel ones. */
export function crossing ({ from: a, to: b }: Line, { from: c, to: d }: Line): Point | undefined {
  const [x1, y1, x2, y2] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]]
  const spread = x1 * y2 - y1 * x2
  if (Math.abs(spread) < 1e-6 * Math.hypot(x1, y1) * Math.hypot(x2, y2)) return undefined
  const share = ((c[0] - a[0]) * y2 - (c[1] - a[1]) * x2) / spread
  return [a[0] + share * x1, a[1] + share * y1]
}
