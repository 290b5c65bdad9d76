/** Integral image (summed-area table) with a leading row and column of zeros. */
function sumsOf (width: number, height: number, values: ArrayLike<number>): Float64Array {
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

/**
 * Calls `visit` with the difference of each value from the mean of the square around it, clipped at the borders.
 * @param reach pixels to each side
 */
export function localContrast (width: number, height: number, values: ArrayLike<number>, reach: number,
  visit: (at: number, difference: number) => void): void {
  const wide = width + 1
  const sums = sumsOf(width, height, values)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)]
      const sum = (sums[bottom * wide + right] as number) - (sums[bottom * wide + left] as number) -
        (sums[top * wide + right] as number) + (sums[top * wide + left] as number)
      visit(y * width + x, (values[y * width + x] as number) - sum / ((bottom - top) * (right - left)))
    }
  }
}
