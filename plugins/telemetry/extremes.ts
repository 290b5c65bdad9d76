/** Of each time the stretch it lies in, counted from `from`. @param stretches how many of them up to `to` */
export function stretchesOf (times: Float64Array, from: number, to: number, stretches: number): Float64Array {
  const perSecond = to > from ? stretches / (to - from) : 0
  return times.map(time => Math.floor((time - from) * perSecond))
}

/**
 * Which values show the course of all in a drawing: the lowest and the highest of each stretch, and both ends.
 * @param values those that are NaN are none
 * @param stretches of each value, so that equal ones stand together
 * @returns places, ascending
 */
export function extremes (values: ArrayLike<number>, stretches: Float64Array): number[] {
  const kept: number[] = []
  let [first, last, low, high] = [-1, -1, -1, -1]
  let [lowest, highest, stretch] = [NaN, NaN, NaN]
  const flush = () => {
    if (low < 0) return
    kept.push(Math.min(low, high))
    if (low !== high) kept.push(Math.max(low, high))
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
  if (first >= 0 && kept[0] !== first) kept.unshift(first)
  if (last >= 0 && kept.at(-1) !== last) kept.push(last)
  return kept
}
