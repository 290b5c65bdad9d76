import type { Grey } from '../picture.js'

/** Search for translations runs on images smaller by this factor. */
export const FACTOR = 4

/** A quarter of the size in each direction. */
export interface DownscaledImage { readonly width: number, readonly height: number, readonly values: Float32Array }

export function downscale (grey: Grey): DownscaledImage {
  const width = Math.floor(grey.width / FACTOR)
  const height = Math.floor(grey.height / FACTOR)
  const values = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let dy = 0; dy < FACTOR; dy++) {
        const from = (y * FACTOR + dy) * grey.width + x * FACTOR
        for (let dx = 0; dx < FACTOR; dx++) sum += grey.data[from + dx] as number
      }
      values[y * width + x] = sum / (FACTOR * FACTOR)
    }
  }
  return { width, height, values }
}
