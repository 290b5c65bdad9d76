// Readings of the last hour, thinned for small charts. Pure.

const KEPT_S = 3_600
const NEAR_S = 4

/** @typedef {{ t: number, v: number }} Point */

/**
 * Adds a reading; one soon after the last replaces it, to keep the list short.
 * @param {readonly Point[]} points @param {Point} point
 * @returns {readonly Point[]}
 */
export function withPoint (points, point) {
  if (typeof point.v !== 'number' || !Number.isFinite(point.v)) return points
  const last = points.at(-1)
  if (last && point.t < last.t) return points
  const before = points.at(-2)
  const replaces = last && before && point.t - before.t < NEAR_S
  const earlier = (replaces ? points.slice(0, -1) : points).filter(({ t }) => t > point.t - KEPT_S)
  return [...earlier, point]
}

/** The service's recorded readings for every chart. @param {any} recorded */
export const historyOf = recorded => Object.fromEntries(Object.entries(recorded?.collections ?? {})
  .map(([name, { data }]) => [name, data.reduce(withPoint, [])]))

const LINES = {
  Tool: 'tool',
  Right: 'tool',
  Left: 'tool_1',
  'Part Cooling': 'part_fan',
  Auxiliary: 'aux_fan',
  Exhaust: 'exhaust_fan',
  Heatbreak: 'heatbreak_fan'
}

/**
 * The recorded readings of the standalone application.
 * @param {any} telemetry @param {number} now s
 */
export function historyOfCharts ({ tool, bed, chamber, fan }, now) {
  const points = (axis, values) => axis.map((offset, at) => ({ t: now + offset, v: values[at] })).reduce(withPoint, [])
  const several = chart => (chart?.series ?? [])
    .map(({ label, data }) => [LINES[label] ?? label, points(chart.xAxis.data, data)])
  const one = (name, chart) => chart ? [[name, points(chart.xAxis.data, chart.series.data)]] : []
  return Object.fromEntries([...several(tool), ...several(fan), ...one('bed', bed), ...one('chamber', chamber)])
}

/** Adds the current readings of a view. @param {Record<string, readonly Point[]>} history */
export function withView (history, { heaters, fans }, t) {
  const now = [...heaters.map(({ key, actual }) => [key, actual]), ...fans.map(({ key, percent }) => [key, percent])]
  return { ...history, ...Object.fromEntries(now.map(([key, v]) => [key, withPoint(history[key] ?? [], { t, v })])) }
}

/**
 * SVG path of a line in a box whose right edge is now.
 * @param {readonly Point[]} points
 * @param {{ width: number, height: number, from: number, to: number, span: number, now: number }} box
 */
export function linePath (points, { width, height, from, to, span, now }) {
  const x = t => width * (1 - (now - t) / span)
  const y = v => height - height * (Math.min(to, Math.max(from, v)) - from) / (to - from)
  const seen = points.filter(({ t }) => t >= now - span)
  const text = seen.map(({ t, v }, at) => `${at === 0 ? 'M' : 'L'}${x(t).toFixed(1)} ${y(v).toFixed(1)}`)
  const last = seen.at(-1)
  return last ? `${text.join('')}L${width} ${y(last.v).toFixed(1)}` : ''
}
