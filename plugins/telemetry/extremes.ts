/** The interval that each time belongs to. @param stretches number of intervals between `from` and `to` */
export function stretchesOf (times: Float64Array, from: number, to: number, stretches: number): Float64Array {
  const perSecond = to > from ? stretches / (to - from) : 0
  return times.map(time => Math.floor((time - from) * perSecond))
}

/**
 * Downsamples values for a chart: the lowest and the highest of each interval, and both ends.
 * @param values NaN means no value
 * @param stretches the interval of each value, ascending
 * @returns indices, ascending
 */
export function extremes (values: ArrayLike<number>, stretches: Float64Array): number[] {
  const places: number[] = []
  let [first, last, low, high] = [-1, -1, -1, -1]
  let [lowest, highest, stretch] = [NaN, NaN, NaN]
  const flush = () => {
    if (low < 0) return
    places.push(Math.min(low, high))
    if (low !== high) places.push(Math.max(low, high))
  }
  for (let at = 0; at < stretches.length; at++) {
    const value = values[at] as number
    if (Number.isNaN(value)) continue
    if (first < 0) first = at
    last = at
    const own = stretches[at] as number
    if (own !== stretch) {
      flush()
      stretch = own
      low = high = at
      lowest = highest = value
    } else if (value < lowest) {
      low = at
      lowest = value
    } else if (value > highest) {
      high = at
      highest = value
    }
  }
  flush()
  if (first >= 0 && places[0] !== first) places.unshift(first)
  if (last >= 0 && places.at(-1) !== last) places.push(last)
  return places
}
