import type { Grey } from '../picture.js'
import { CELL } from './cell-grid.js'

/** Pixels around a cell in which it is searched for. */
const MARGIN = 3
const SIDE = CELL + 2 * MARGIN
const AREA = CELL * CELL
/** Farthest whole offset; one pixel more is needed to interpolate. */
const REACH = MARGIN - 1
/** A smoothed cell with less variance than this has no texture to find again. */
const LEAST_VARIANCE = 0.5

/** Where a place of a frame is expected in the previous one, in pixels. */
export interface Guess {
  readonly x: number
  readonly y: number
  /** How far one pixel to the right, and one down, leads there. */
  readonly across: readonly [x: number, y: number]
  readonly along: readonly [x: number, y: number]
}

const clamped = (value: number, most: number): number => value < 0 ? 0 : value > most ? most : value

/** The previous frame around the guessed place of a cell, as the frame would show it. */
function windowAt ({ width, height, data }: Grey, { x, y, across, along }: Guess): Float32Array {
  const out = new Float32Array(SIDE * SIDE)
  for (let row = 0, to = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++, to++) {
      const atX = clamped(x + (column - MARGIN) * across[0] + (row - MARGIN) * along[0], width - 1.001)
      const atY = clamped(y + (column - MARGIN) * across[1] + (row - MARGIN) * along[1], height - 1.001)
      const [left, top] = [Math.floor(atX), Math.floor(atY)]
      const [right, down] = [atX - left, atY - top]
      const at = top * width + left
      const above = (data[at] as number) * (1 - right) + (data[at + 1] as number) * right
      const below = (data[at + width] as number) * (1 - right) + (data[at + width + 1] as number) * right
      out[to] = above + (below - above) * down
    }
  }
  return out
}

/** The cell with its mean subtracted; undefined when it has too little texture. */
function cellAt ({ width, data }: Grey, left: number, top: number): Float32Array | undefined {
  const own = new Float32Array(AREA)
  let sum = 0
  for (let y = 0, to = 0; y < CELL; y++) {
    for (let x = 0, at = (top + y) * width + left; x < CELL; x++, at++, to++) sum += own[to] = data[at] as number
  }
  let squares = 0
  for (let at = 0; at < AREA; at++) {
    const value = (own[at] as number) - sum / AREA
    own[at] = value
    squares += value * value
  }
  if (squares < LEAST_VARIANCE * AREA) return undefined
  const scale = 1 / Math.sqrt(squares)
  for (let at = 0; at < AREA; at++) own[at] = (own[at] as number) * scale
  return own
}

/** Correlation of a cell with a window at an offset from its middle; between pixels it is interpolated. */
function fitAt (own: Float32Array, window: Float32Array, dx: number, dy: number): number {
  const [left, top] = [Math.floor(dx), Math.floor(dy)]
  const [right, down] = [dx - left, dy - top]
  const [a, b, c, d] = [(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down]
  let [sum, squares, product] = [0, 0, 0]
  for (let y = 0, from = 0; y < CELL; y++) {
    for (let x = 0, at = (MARGIN + top + y) * SIDE + MARGIN + left; x < CELL; x++, at++, from++) {
      const value = a * (window[at] as number) + b * (window[at + 1] as number) +
        c * (window[at + SIDE] as number) + d * (window[at + SIDE + 1] as number)
      sum += value
      squares += value * value
      product += value * (own[from] as number)
    }
  }
  const spread = squares - sum * sum / AREA
  return spread < LEAST_VARIANCE * AREA ? 0 : product / Math.sqrt(spread)
}

/** Offset of the peak of a parabola through three values a pixel apart, at most half a pixel. */
function peakOf (before: number, middle: number, after: number): number {
  const bend = before - 2 * middle + after
  return bend >= 0 ? 0 : clamped((before - after) / (2 * bend) + 0.5, 1) - 0.5
}

/**
 * Correlation of a cell with the previous frame near a guessed place, found to a fraction of a pixel; undefined where
 * there is no texture. Both frames must have been smoothed: otherwise fine texture looks different when it moves by
 * less than a pixel.
 */
export function fineCorrelation (frame: Grey, previous: Grey, left: number, top: number,
  guess: Guess): number | undefined {
  const own = cellAt(frame, left, top)
  if (!own) return undefined
  const window = windowAt(previous, guess)
  let [x, y] = [0, 0]
  let best = fitAt(own, window, 0, 0)
  // Climbs from pixel to pixel: the smoothed texture correlates over more than one.
  for (let step = 0; step < 2 * REACH; step++) {
    const [fromX, fromY] = [x, y]
    for (const [dx, dy] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as const) {
      if (Math.abs(fromX + dx) >= REACH || Math.abs(fromY + dy) >= REACH) continue
      const found = fitAt(own, window, fromX + dx, fromY + dy)
      if (found > best) [best, x, y] = [found, fromX + dx, fromY + dy]
    }
    if (x === fromX && y === fromY) break
  }
  const dx = peakOf(fitAt(own, window, x - 1, y), best, fitAt(own, window, x + 1, y))
  const dy = peakOf(fitAt(own, window, x, y - 1), best, fitAt(own, window, x, y + 1))
  return Math.max(best, fitAt(own, window, x + dx, y + dy))
}
