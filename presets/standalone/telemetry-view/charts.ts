import type { CollectionName, Line, Padding } from './collections.data.js'
import type { History, Point } from './history.js'

interface Frame {
  readonly minVal: number
  readonly maxVal: number
  /** Visible seconds; 0 for all. */
  readonly zoom: number
  /** The first offset, in seconds; 0 without points. */
  readonly maxAge: number
  readonly xAxis: { readonly data: readonly number[] }
}

/** One value over time. */
export interface SingleChart extends Frame { readonly series: { readonly data: readonly number[] } }

export interface ChartLine { readonly data: readonly number[], readonly label: string, readonly color: string }
/** Several values with a common time axis. */
export interface MultiChart extends Frame { readonly series: readonly ChartLine[] }

/** Values by their offset from the newest sample in whole seconds. */
type Offsets = ReadonlyMap<number, number>

function offsetsOf (points: readonly Point[], lastAt: number, zoom: number): Offsets {
  const seen = zoom === 0 ? points : points.filter(({ t }) => lastAt - t <= zoom)
  return new Map(seen.map(({ t, v }) => [Math.min(0, Math.round(t - lastAt)), v]))
}

const axisOf = (lines: readonly Offsets[]): number[] =>
  [...new Set(lines.flatMap(line => [...line.keys()]))].sort((a, b) => a - b).map(offset => offset + 0) // no -0 in it

/** Gaps repeat the previous value; points before the first value use the first. */
function along (axis: readonly number[], line: Offsets): number[] {
  let value = line.values().next().value ?? 0
  return axis.map(offset => {
    value = line.get(offset) ?? value
    return value
  })
}

const round = (value: number) => Math.round(value * 100) / 100

/** @param values all visible ones; without any, the frame is that of an empty chart */
function frameOf (values: readonly number[], axis: readonly number[], zoom: number, padding: Padding): Frame {
  const empty = values.length === 0
  return {
    minVal: empty ? 0 : round(values.reduce((a, b) => Math.min(a, b)) - padding.below),
    maxVal: empty ? 1 : round(values.reduce((a, b) => Math.max(a, b)) + padding.above),
    zoom,
    maxAge: axis[0] ?? 0,
    xAxis: { data: axis }
  }
}

export function singleChart (history: History, name: CollectionName, padding: Padding): SingleChart {
  const zoom = history.zoom(name)
  const line = offsetsOf(history.points(name), history.lastAt, zoom)
  const axis = axisOf([line])
  const data = along(axis, line)
  return { ...frameOf(data, axis, zoom, padding), series: { data } }
}

/**
 * A line that is zoomed by itself keeps that zoom; the others use the chart's.
 * @param name the collection whose zoom is the chart's
 */
export function multiChart (history: History, name: CollectionName, lines: readonly Line[], padding: Padding):
MultiChart {
  const zoom = history.zoom(name)
  const shown = lines.map(line => ({
    ...line,
    offsets: offsetsOf(history.points(line.collection), history.lastAt, history.zoom(line.collection) || zoom)
  })).filter(({ offsets }) => offsets.size > 0)
  const axis = axisOf(shown.map(({ offsets }) => offsets))
  const series = shown.map(({ offsets, label, color }) => ({ data: along(axis, offsets), label, color }))
  return { ...frameOf(series.flatMap(({ data }) => data), axis, zoom, padding), series }
}
