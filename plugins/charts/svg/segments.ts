import { extremes, stretchesOf, type Point } from '../../telemetry/index.js'
import type { Domain } from './scale.js'

export type Segment = readonly Point[]

const SHORTEST_GAP_S = 90
const INTERVALS = 3
const SAMPLES = 101
/** Beyond this a value is garbage: a chart that showed it would show nothing else. */
const LARGEST = 1e9

/** The points that can be drawn: numbers of a sane size inside the window. */
export const visible = (points: readonly Point[], [from, to]: Domain): Point[] =>
  points.filter(({ t, v }) => t >= from && t <= to && Math.abs(v) <= LARGEST)

/** How long nothing must come until a line is broken, s: three of its usual intervals, 90 s at least. */
export function gapOf (points: readonly Point[]): number {
  const every = Math.max(1, Math.floor(points.length / SAMPLES))
  const intervals: number[] = []
  for (let at = every; at < points.length; at += every) {
    intervals.push((points[at]?.t ?? 0) - (points[at - 1]?.t ?? 0))
  }
  const median = intervals.sort((a, b) => a - b)[intervals.length >> 1] ?? 0
  return Math.max(SHORTEST_GAP_S, INTERVALS * median)
}

/** Divides points where nothing came for a while, and where the clock was set back. */
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

/** Stretches of the window of which each keeps its lowest and highest point. */
const BUCKETS = 128

/** Thins a segment to what can be seen; its ends, and the peak and the dip of each stretch, stay. */
export function decimate (segment: Segment, [from, to]: Domain): Segment {
  const stretches = stretchesOf(Float64Array.from(segment, ({ t }) => t), from, to, BUCKETS)
  return extremes(segment.map(({ v }) => v), stretches).map(at => segment[at] as Point)
}
