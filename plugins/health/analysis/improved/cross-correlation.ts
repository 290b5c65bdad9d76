import type { Grey } from '../pixels.js'
import { CELL } from './cell-grid.js'

/** Where what is seen now may have been before, in pixels. */
export interface Search {
  readonly fromX: number
  readonly toX: number
  readonly fromY: number
  readonly toY: number
}

/** A patch without contrast has no likeness to anything. */
const LEAST_VARIANCE = 1
const AREA = CELL * CELL

interface Patch { readonly pixels: Float32Array, readonly scale: number }

function patchOf ({ width, data }: Grey, left: number, top: number): Patch {
  const pixels = new Float32Array(AREA)
  let sum = 0
  for (let y = 0, to = 0; y < CELL; y++) {
    for (let x = 0, at = (top + y) * width + left; x < CELL; x++, at++, to++) {
      sum += pixels[to] = data[at] as number
    }
  }
  let squares = 0
  for (let at = 0; at < AREA; at++) {
    const value = (pixels[at] as number) - sum / AREA
    pixels[at] = value
    squares += value * value
  }
  return { pixels, scale: squares / AREA < LEAST_VARIANCE ? 0 : 1 / Math.sqrt(squares) }
}

function correlation ({ pixels, scale }: Patch, { width, data }: Grey, left: number, top: number): number {
  let sum = 0
  let squares = 0
  let product = 0
  for (let y = 0, own = 0; y < CELL; y++) {
    for (let x = 0, at = (top + y) * width + left; x < CELL; x++, at++, own++) {
      const value = data[at] as number
      sum += value
      squares += value * value
      product += value * (pixels[own] as number)
    }
  }
  const spread = squares - sum * sum / AREA
  return spread / AREA < LEAST_VARIANCE ? 0 : product * scale / Math.sqrt(spread)
}

/**
 * How like a cell of a picture is to what another of the same size shows there or nearby: 1 the same but for
 * brightness and contrast, 0 nothing in common.
 */
export function crossCorrelation (now: Grey, before: Grey, left: number, top: number,
  { fromX, toX, fromY, toY }: Search, enough = 0.98): number {
  const patch = patchOf(now, left, top)
  if (patch.scale === 0) return 1
  let best = 0
  const lastX = before.width - CELL
  const lastY = before.height - CELL
  for (let y = Math.max(0, top + fromY); y <= Math.min(lastY, top + toY); y++) {
    for (let x = Math.max(0, left + fromX); x <= Math.min(lastX, left + toX); x++) {
      const found = correlation(patch, before, x, y)
      if (found <= best) continue
      best = found
      if (best >= enough) return best
    }
  }
  return best
}
