// Where the nozzle is within a layer at a time. Pure.

import { MARGIN_MM, POINT_BYTES, STEPS_PER_MM } from './pack-track.js'

const WORDS = POINT_BYTES / 2

/**
 * When the nozzle reaches each point of a layer, as parts of the layer's time.
 * @param {ArrayBuffer} points @param {number} first @param {number} end
 */
export function sharesOf (points, first, end) {
  const words = new Uint16Array(points, first * POINT_BYTES, (end - first) * WORDS)
  const shares = new Float32Array(end - first)
  let sum = 0
  for (let at = 1; at < end - first; at++) {
    const [here, before] = [at * WORDS, (at - 1) * WORDS]
    const isMove = (words[here + 7] & 0xff) !== 0
    const [dx, dy, dz] = [0, 1, 2].map(axis => words[here + axis] - words[before + axis])
    const length = Math.hypot(dx, dy, dz)
    if (isMove) sum += length / Math.max(1, words[here + 5])
    shares[at] = sum
  }
  if (sum > 0) for (let at = 0; at < shares.length; at++) shares[at] /= sum
  return shares
}

/** How many points are reached at a part of the layer's time; at least two, so that there is a line. */
export function reached (shares, part) {
  let [low, high] = [0, shares.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (shares[middle] <= part) low = middle + 1
    else high = middle
  }
  return Math.max(Math.min(2, shares.length), low)
}

/** A point, mm. @param {ArrayBuffer} points @param {number} at */
export function pointAt (points, at) {
  const words = new Uint16Array(points, at * POINT_BYTES, 3)
  return [words[0] / STEPS_PER_MM - MARGIN_MM, words[1] / STEPS_PER_MM - MARGIN_MM, words[2] / STEPS_PER_MM]
}

/**
 * Place in the list of the layer that is printed at a time.
 * @param {readonly { starts_at: number, layer: number }[]} layers @param {number} seconds
 */
export function layerAt (layers, seconds) {
  let [low, high] = [0, layers.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (layers[middle].starts_at <= seconds) low = middle
    else high = middle - 1
  }
  return low
}
