import type { Picture } from '../picture.js'

/** Three channels, scaled down to a width by averaging whole pixels; smaller pictures keep their size. */
export function shrunkRgb ({ width, height, data }: Picture, most: number): Picture {
  if (width <= most) return { width, height, data }
  const high = Math.max(1, Math.round(height * most / width))
  const out = new Uint8Array(most * high * 3)
  const lefts = Array.from({ length: most + 1 }, (_, x) => Math.floor(x * width / most))
  for (let y = 0; y < high; y++) {
    const [top, bottom] = [Math.floor(y * height / high), Math.floor((y + 1) * height / high)]
    for (let x = 0; x < most; x++) {
      const [left, right] = [lefts[x]!, lefts[x + 1]!]
      let [red, green, blue] = [0, 0, 0]
      for (let row = top; row < bottom; row++) {
        for (let at = (row * width + left) * 3, end = (row * width + right) * 3; at < end; at += 3) {
          red += data[at]!
          green += data[at + 1]!
          blue += data[at + 2]!
        }
      }
      const count = (right - left) * (bottom - top)
      out.set([red / count, green / count, blue / count], (y * most + x) * 3)
    }
  }
  return { width: most, height: high, data: out }
}
