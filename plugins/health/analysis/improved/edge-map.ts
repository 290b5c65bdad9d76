import type { DownscaledImage } from './downscale.js'
import { localContrast } from './local-contrast.js'

/** Pixels to each side over which the local mean is taken. */
const BLUR = 4
/** A window with less contrast than this, relative to its area, would match anything. */
const LEAST_SPREAD = 0.05

/** Part of an edge map, with its mean subtracted. */
export interface Patch {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
  readonly norm: number
}

/** Local contrast; the square root narrows the range between faint marks and strong ones. */
export function edgesOf ({ width, height, values }: DownscaledImage): DownscaledImage {
  const edges = new Float32Array(width * height)
  localContrast(width, height, values, BLUR, (at, difference) => {
    edges[at] = Math.sign(difference) * Math.sqrt(Math.abs(difference))
  })
  return { width, height, values: edges }
}

export function patchOf (of: DownscaledImage, left = 0, top = 0, width = of.width, height = of.height): Patch {
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

export const fitsIn = ({ width, height }: Patch, within: DownscaledImage, left: number, top: number): boolean =>
  left >= 0 && top >= 0 && left + width <= within.width && top + height <= within.height

/** Correlation of a patch with an edge map at a place where it fits; 0 where there is too little contrast. */
export function fitOf ({ width, height, values, norm }: Patch, within: DownscaledImage, left: number,
  top: number): number {
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

/** Contrast of each square of that side, stored at its upper left corner; 0 where there is too little. */
export function spreadsOf ({ width, height, values }: DownscaledImage, side: number): Float32Array {
  const out = new Float32Array(width * height)
  const sums = new Float64Array(width)
  const squares = new Float64Array(width)
  for (let y = 0; y < height; y++) {
    const [gone, corner] = [(y - side) * width, (y - side + 1) * width]
    let [sum, square] = [0, 0]
    for (let x = 0; x < width; x++) {
      const value = values[y * width + x] as number
      const old = y < side ? 0 : values[gone + x] as number
      sum += sums[x] = (sums[x] as number) + value - old
      square += squares[x] = (squares[x] as number) + value * value - old * old
      if (x >= side) {
        sum -= sums[x - side] as number
        square -= squares[x - side] as number
      }
      if (x < side - 1 || corner < 0) continue
      const spread = square - sum * sum / (side * side)
      if (spread > LEAST_SPREAD * side * side) out[corner + x - side + 1] = Math.sqrt(spread)
    }
  }
  return out
}

export function halved ({ width, height, values }: DownscaledImage): DownscaledImage {
  const [wide, high] = [width >> 1, height >> 1]
  const out = new Float32Array(wide * high)
  for (let y = 0; y < high; y++) {
    for (let x = 0, at = 2 * y * width; x < wide; x++, at += 2) {
      out[y * wide + x] = ((values[at] as number) + (values[at + 1] as number) +
        (values[at + width] as number) + (values[at + width + 1] as number)) / 4
    }
  }
  return { width: wide, height: high, values: out }
}
