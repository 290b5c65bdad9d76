import type { Thumb } from './shift.js'
import { differences } from './surroundings.js'

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

/** What stands out from its surroundings; faint marks and strong ones are brought together by the root. */
export function outlineOf ({ width, height, values }: Thumb): Thumb {
  const outline = new Float32Array(width * height)
  differences(width, height, values, BLUR, (at, difference) => {
    outline[at] = Math.sign(difference) * Math.sqrt(Math.abs(difference))
  })
  return { width, height, values: outline }
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
