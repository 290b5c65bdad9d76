import type { Picture } from '../picture.js'

const WINDOW = 8

/** Integral images (summed-area tables) of brightness and of its square. */
function integrals ({ width, height, data }: Picture): { sums: Float64Array, squares: Float64Array } {
  const wide = width + 1
  const sums = new Float64Array(wide * (height + 1))
  const squares = new Float64Array(sums.length)
  for (let y = 1; y <= height; y++) {
    let sum = 0
    let square = 0
    for (let x = 1, from = (y - 1) * width * 3; x <= width; x++, from += 3) {
      const value = ((data[from] ?? 0) + (data[from + 1] ?? 0) + (data[from + 2] ?? 0)) / 3
      sum += value
      square += value * value
      const at = y * wide + x
      sums[at] = (sums[at - wide] ?? 0) + sum
      squares[at] = (squares[at - wide] ?? 0) + square
    }
  }
  return { sums, squares }
}

/** Mean standard deviation of brightness in windows of 8 by 8 pixels, in grey levels. */
export function localTexture (picture: Picture): number {
  const { width, height } = picture
  const wide = width + 1
  const { sums, squares } = integrals(picture)
  const inWindow = (table: Float64Array, at: number) =>
    (table[at + WINDOW * wide + WINDOW] ?? 0) - (table[at + WINDOW * wide] ?? 0) -
    (table[at + WINDOW] ?? 0) + (table[at] ?? 0)
  const area = WINDOW * WINDOW
  let total = 0
  for (let y = 0; y <= height - WINDOW; y++) {
    for (let x = 0; x <= width - WINDOW; x++) {
      const at = y * wide + x
      const mean = inWindow(sums, at) / area
      total += Math.sqrt(Math.max(0, inWindow(squares, at) / area - mean * mean))
    }
  }
  return total / Math.max(1, (height - WINDOW + 1) * (width - WINDOW + 1))
}
