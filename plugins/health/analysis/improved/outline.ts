import type { Thumb } from './shift.js'

/** Around each pixel so far the mean is taken. */
const BLUR = 4
/** Less contrast than this, as a share of the area, fits anything. */
const LEAST_SPREAD = 0.05

/** Part of an outline, its mean taken off. */
export interface Patch {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
  readonly norm: number
}

function sumsOf ({ width, height, values }: Thumb): Float64Array {
  const wide = width + 1
  const sums = new Float64Array(wide * (height + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0, line = 0; x < width; x++) {
      line += values[y * width + x] as number
      sums[(y + 1) * wide + x + 1] = (sums[y * wide + x + 1] as number) + line
    }
  }
  return sums
}

/** What stands out from its surroundings; faint marks and strong ones are brought together by the root. */
export function outlineOf (thumb: Thumb): Thumb {
  const { width, height } = thumb
  const sums = sumsOf(thumb)
  const at = (x: number, y: number) => sums[y * (width + 1) + x] as number
  const values = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - BLUR), Math.min(height, y + BLUR + 1)]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - BLUR), Math.min(width, x + BLUR + 1)]
      const sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top)
      const value = (thumb.values[y * width + x] as number) - sum / ((bottom - top) * (right - left))
      values[y * width + x] = Math.sign(value) * Math.sqrt(Math.abs(value))
    }
  }
  return { width, height, values }
}

export function patchOf (of: Thumb, left = 0, top = 0, width = of.width, height = of.height): Patch {
  const values = new Float32Array(width * height)
  let sum = 0
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, at = (top + y) * of.width + left; x < width; x++, at++, to++) {
      sum += values[to] = of.values[at] as number
    }
  }
  let squares = 0
  for (let at = 0; at < values.length; at++) {
    const value = (values[at] as number) - sum / values.length
    values[at] = value
    squares += value * value
  }
  return { width, height, values, norm: Math.sqrt(squares) }
}

export const fitsIn = ({ width, height }: Patch, within: Thumb, left: number, top: number): boolean =>
  left >= 0 && top >= 0 && left + width <= within.width && top + height <= within.height

/** Correlation of a patch with a place of an outline that it fits in; 0 where there is nothing to see. */
export function fitOf ({ width, height, values, norm }: Patch, within: Thumb, left: number, top: number): number {
  let sum = 0
  let squares = 0
  let product = 0
  for (let y = 0, own = 0; y < height; y++) {
    for (let x = 0, at = (top + y) * within.width + left; x < width; x++, at++, own++) {
      const value = within.values[at] as number
      sum += value
      squares += value * value
      product += value * (values[own] as number)
    }
  }
  const spread = squares - sum * sum / values.length
  return norm === 0 || spread <= LEAST_SPREAD * values.length ? 0 : product / (norm * Math.sqrt(spread))
}
