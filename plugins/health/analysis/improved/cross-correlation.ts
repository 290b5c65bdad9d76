import type { Grey } from '../picture.js'
import { CELL } from './cell-grid.js'

/** Offsets within which a cell is searched for in the previous frame, in pixels. */
export interface Search {
  readonly fromX: number
  readonly toX: number
  readonly fromY: number
  readonly toY: number
}

/** A patch with less variance than this matches nothing. */
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

/** Where a cell was found in the previous frame, and how similar it is there. */
export interface Found { readonly fit: number, readonly x: number, readonly y: number }

/**
 * Highest normalised cross-correlation of a cell with the previous frame, there or nearby: 1 when they differ in
 * brightness and contrast only, 0 when they have nothing in common; 1 for a cell without contrast.
 * @param enough the search ends at this correlation
 */
export function crossCorrelation (frame: Grey, previous: Grey, left: number, top: number,
  { fromX, toX, fromY, toY }: Search, enough = 0.98): Found {
  const patch = patchOf(frame, left, top)
  if (patch.scale === 0) return { fit: 1, x: left, y: top }
  let best: Found = { fit: 0, x: left, y: top }
  const lastX = previous.width - CELL
  const lastY = previous.height - CELL
  for (let y = Math.max(0, top + fromY); y <= Math.min(lastY, top + toY); y++) {
    for (let x = Math.max(0, left + fromX); x <= Math.min(lastX, left + toX); x++) {
      const fit = correlation(patch, previous, x, y)
      if (fit <= best.fit) continue
      best = { fit, x, y }
      if (fit >= enough) return best
    }
  }
  return best
}
