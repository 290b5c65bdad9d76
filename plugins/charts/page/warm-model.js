// Temperatures over time, and how well they kept to their targets. Pure. A point is a time in s and a value in °C.

/** What is measured, and the series of its target. */
const PARTS = [['tool', 'tool_target'], ['tool_1', 'tool_1_target'], ['bed', 'bed_target'], ['chamber', 'chamber_target']]
/** As near as this to its target, a part is warm. */
const WARM_WITHIN_C = 2

/** The last point at or before a time, and -1 before the first one. */
function indexAt (points, at) {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (points[middle][0] <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * The last value at or before a time; undefined before the first one.
 * @param {readonly any[]} points @param {number} at
 */
export const valueAt = (points, at) => points[indexAt(points, at)]?.[1]

/** Least, greatest and mean by time. @param {readonly any[]} points */
export function statisticsOf (points) {
  let [least, greatest, area, time] = [Infinity, -Infinity, 0, 0]
  points.forEach(([at, value], number) => {
    least = Math.min(least, value)
    greatest = Math.max(greatest, value)
    const next = points[number + 1]
    if (!next) return
    area += (next[0] - at) * (value + next[1]) / 2
    time += next[0] - at
  })
  return { least, greatest, mean: time > 0 ? area / time : points.at(-1)?.[1] ?? NaN }
}

/** How far it was from its target at most, once it had reached it; undefined if it never did. */
function farthestOff (points, targets) {
  let [target, isWarm, off] = [0, false, -1]
  for (const [at, value] of points) {
    const now = valueAt(targets, at) ?? 0
    if (now !== target) [target, isWarm] = [now, false]
    isWarm ||= now > 0 && Math.abs(value - now) <= WARM_WITHIN_C
    if (isWarm && now > 0) off = Math.max(off, Math.abs(value - now))
  }
  return off < 0 ? undefined : off
}

/**
 * The parts that have values, each with its target if it was ever heated.
 * @param {ReadonlyMap<string, readonly any[]>} series
 */
export const linesOf = series => PARTS.flatMap(([name, targetName]) => {
  const points = series.get(name) ?? []
  if (points.length === 0) return []
  const own = series.get(targetName) ?? []
  const targets = own.some(([, value]) => value > 0) ? own : []
  return [{ name, points, targets, off: farthestOff(points, targets), ...statisticsOf(points) }]
})
