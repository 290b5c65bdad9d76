// Which rows of a long list can be seen. Pure.

/** Rows beyond both edges, in pixels: a fast scroll shows no gaps. */
const BEYOND_PX = 700

/** The first index whose end is below a position. @param {readonly number[]} ends @param {number} at */
export function indexAt (ends, at) {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle] > at) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The rows that can be seen, and the space that the others take.
 * @param {readonly number[]} ends where each row ends, in pixels from the beginning of the list
 * @param {number} top of the visible part @param {number} bottom
 */
export function visibleRows (ends, top, bottom) {
  const from = Math.min(indexAt(ends, top - BEYOND_PX), Math.max(0, ends.length - 1))
  const to = Math.min(ends.length, indexAt(ends, bottom + BEYOND_PX) + 1)
  const total = ends.at(-1) ?? 0
  return { from, to, before: from > 0 ? ends[from - 1] : 0, after: total - (to > 0 ? ends[to - 1] : 0) }
}
