import type { Grey } from '../pixels.js'

/** By how much a picture lies elsewhere than another, in pixels, and how well they then agree, -1 to 1. */
export interface Translation { readonly x: number, readonly y: number, readonly fit: number }

/** Shrunk by so much the search is quick. */
export const FACTOR = 4
/** As far as a plate may travel between two frames, in pixels of the shrunk pictures. */
const REACH = 26
/** Every so many pixels are compared. */
const STRIDE = 2
/** The plate is in the lower part of the frame, the gantry above. */
const FROM_Y = 0.33
/** Fewer pixels in common say nothing. */
const LEAST_COMMON = 200

/** A quarter of the size, brightness less that of the surroundings. */
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

function fitAt (now: DownscaledImage, before: DownscaledImage, dx: number, dy: number): number {
  let [count, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0]
  const top = Math.max(Math.floor(FROM_Y * now.height), -dy)
  for (let y = top; y < Math.min(now.height, now.height - dy); y += STRIDE) {
    for (let x = Math.max(0, -dx); x < Math.min(now.width, now.width - dx); x += STRIDE) {
      const a = now.values[y * now.width + x] as number
      const b = before.values[(y + dy) * now.width + x + dx] as number
      count++
      sumA += a
      sumB += b
      sumAA += a * a
      sumBB += b * b
      sumAB += a * b
    }
  }
  if (count < LEAST_COMMON) return -1
  const spread = (sumAA - sumA * sumA / count) * (sumBB - sumB * sumB / count)
  return spread <= 0 ? -1 : (sumAB - sumA * sumB / count) / Math.sqrt(spread)
}

/** Where in `before` that is found which `now` shows: coarsely first, then around the best. */
export function translationOf (now: DownscaledImage, before: DownscaledImage): Translation {
  let best: Translation = { x: 0, y: 0, fit: -1 }
  const look = (x: number, y: number) => {
    const fit = fitAt(now, before, x, y)
    if (fit > best.fit) best = { x, y, fit }
  }
  for (let y = -REACH; y <= REACH; y += 2) for (let x = -REACH; x <= REACH; x += 2) look(x, y)
  const { x: midX, y: midY } = best
  for (let y = -1; y <= 1; y++) for (let x = -1; x <= 1; x++) look(midX + x, midY + y)
  return { x: best.x * FACTOR, y: best.y * FACTOR, fit: best.fit }
}
