import { extremes, stretchesOf, type Point } from '../../telemetry/index.js'
import type { Domain } from './scale.js'

export type Segment = readonly Point[]

const SHORTEST_GAP_S = 90
const INTERVALS = 3
const SAMPLES = 101
/** Larger values are garbage; an axis that included them would show nothing else. */
const LARGEST = 1e9

/** The drawable points: finite, not larger than the limit, inside the window. */
export const visible = (points: readonly Point[], [from, to]: Domain): Point[] =>
  points.filter(({ t, v }) => t >= from && t <= to && Math.abs(v) <= LARGEST)

/** The gap that breaks a line, s: three usual intervals, but at least 90 s. */
export function gapOf (points: readonly Point[]): number {
  const every = Math.max(1, Math.floor(points.length / SAMPLES))
  const intervals: number[] = []
  for (let at = every; at < points.length; at += every) {
    intervals.push((points[at]?.t ?? 0) - (points[at - 1]?.t ?? 0))
  }
  const median = intervals.sort((a, b) => a - b)[intervals.length >> 1] ?? 0
  return Math.max(SHORTEST_GAP_S, INTERVALS * median)
}

/** Splits the points at gaps, and where the clock was set back. */
export function segmentsOf (points: readonly Point[], gap = gapOf(points)): Segment[] {
  const segments: Point[][] = []
  let current: Point[] = []
  let before = -Infinity
  for (const point of points) {
    const pause = point.t - before
    if (pause > gap || pause < 0) segments.push(current = [])
    current.push(point)
    before = point.t
  }
  return segments
}

/** Buckets of the window; the lowest and highest point of each are preserved. */
const BUCKETS = 128

/** Thins a segment to what is visible; its ends and the extremes of each bucket stay. */
export function decimate (segment: Segment, [from, to]: Domain): Segment {
  const stretches = stretchesOf(Float64Array.from(segment, ({ t }) => t), from, to, BUCKETS)
  return extremes(segment.map(({ v }) => v), stretches).map(at => segment[at] as Point)
}
