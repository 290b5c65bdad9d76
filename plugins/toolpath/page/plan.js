// Which points of a plate are drawn. Pure.

/** Highest layers that are drawn in full while the view moves, and the points from which there is time for them. */
const FULL_LAYERS = 3
const ROOM_FOR_FULL = 25_000
/** Points that are drawn at once at most: more would hold up other windows. */
const MOST_AT_ONCE = 40_000

/**
 * @typedef {object} Draw
 * @property {number} part its place @property {boolean} isOutline
 * @property {number} first @property {number} end points
 * @property {number} [tall] factor of the height of its lines
 *
 * @typedef {{ first: number, last: number, starts: readonly number[], outlineStarts: readonly number[] }} PartLayers
 * @typedef {{ first: number, last: number, end?: number }} Shown layers; `end` is the number of points of the last one
 */

/** @param {readonly number[]} starts @param {number} from layer @param {number} to layer, both within the part */
const span = (starts, from, to, first) => [starts[from - first] ?? 0, starts[to - first + 1] ?? 0]

/** The parts of a plate that hold some layers, with the layers in each. @param {readonly PartLayers[]} parts */
function * within (parts, first, last) {
  for (const [at, part] of parts.entries()) {
    const [from, to] = [Math.max(first, part.first), Math.min(last, part.last)]
    if (from <= to) yield { at, part, from, to }
  }
}

/** How many points the outlines of layers have. @param {readonly PartLayers[]} parts */
export function countOutline (parts, first, last) {
  let count = 0
  for (const { part, from, to } of within(parts, first, last)) {
    const [start, end] = span(part.outlineStarts, from, to, part.first)
    count += end - start
  }
  return count
}

/**
 * Outlines of layers: of every layer, or of every few, as high as those between.
 * @param {readonly PartLayers[]} parts @returns {Draw[]}
 */
export function planOutline (parts, first, last, budget) {
  const every = Math.max(1, Math.ceil(countOutline(parts, first, last) / budget))
  /** @type {Draw[]} */
  const draws = []
  for (const { at, part, from, to } of within(parts, first, last)) {
    if (every === 1) {
      const [start, end] = span(part.outlineStarts, from, to, part.first)
      draws.push({ part: at, isOutline: true, first: start, end })
      continue
    }
    for (let layer = Math.ceil(from / every) * every; layer <= to; layer += every) {
      const [start, end] = span(part.outlineStarts, layer, layer, part.first)
      draws.push({ part: at, isOutline: true, first: start, end, tall: Math.min(every, layer) })
    }
  }
  return draws
}

/**
 * All points of layers, the highest first, because they hide others.
 * @param {readonly PartLayers[]} parts @param {Shown} shown @returns {Draw[]}
 */
export function planFull (parts, { first, last, end }, atOnce = MOST_AT_ONCE) {
  /** @type {Draw[]} */
  const draws = []
  for (const { at, part, from, to } of within(parts, first, last)) {
    const [start, whole] = span(part.starts, from, to, part.first)
    const stop = end !== undefined && to === last ? Math.min(whole, (part.starts[to - part.first] ?? 0) + end) : whole
    for (let next = start; next < stop - 1; next += atOnce) {
      draws.push({ part: at, isOutline: false, first: next, end: Math.min(stop, next + atOnce + 1) })
    }
  }
  return draws.reverse()
}

/**
 * While the view moves: the highest layers in full, of the others what can be seen from outside.
 * @param {readonly PartLayers[]} parts @param {Shown} shown @param {number} budget points
 */
export function planQuick (parts, { first, last, end }, budget) {
  const from = Math.max(first, last - (budget < ROOM_FOR_FULL ? 1 : FULL_LAYERS) + 1)
  return [
    ...planFull(parts, { first: from, last, ...(end !== undefined && { end }) }, Infinity),
    ...planOutline(parts, first, from - 1, budget).reverse()
  ]
}
