import type { Grey } from '../picture.js'
import { CELL, gridOf } from './cell-grid.js'

/** One cell of so many is measured. */
const SAMPLE = 2
/** Fewer cells are inconclusive. */
const FEWEST = 8
/** Share of the cells that must have moved like the median, to so many pixels: cameras also turn. */
const LEAST_SHARE = 0.2
const ALIKE = 0.25
/** Standard deviation from which on a cell shows how far it moved, in grey levels. */
const TEXTURED = 3
/** A cell whose lines all have one direction shows movement in the other direction only. */
const LEAST_CORNER = 0.1

/** Mean and deviation of a cell. */
function lightOf ({ width, data }: Grey, left: number, top: number): { mean: number, spread: number } {
  let [sum, squares] = [0, 0]
  for (let y = top; y < top + CELL; y++) {
    for (let at = y * width + left, end = at + CELL; at < end; at++) {
      sum += data[at] as number
      squares += (data[at] as number) ** 2
    }
  }
  const mean = sum / (CELL * CELL)
  return { mean, spread: Math.sqrt(Math.max(0, squares / (CELL * CELL) - mean * mean)) }
}

/** How far a cell moved, by its gradients (Lucas and Kanade); undefined when they do not tell. */
function moveOf (frame: Grey, previous: Grey, left: number, top: number): readonly [x: number, y: number] | undefined {
  const { width, data } = frame
  const [now, before] = [lightOf(frame, left, top), lightOf(previous, left, top)]
  if (now.spread < TEXTURED || before.spread < TEXTURED) return undefined
  const gain = now.spread / before.spread
  let [xx, yy, xy, xt, yt] = [0, 0, 0, 0, 0]
  for (let y = top; y < top + CELL; y++) {
    for (let at = y * width + left, end = at + CELL; at < end; at++) {
      const across = ((data[at + 1] as number) - (data[at - 1] as number)) / 2
      const along = ((data[at + width] as number) - (data[at - width] as number)) / 2
      const change = (data[at] as number) - now.mean - gain * ((previous.data[at] as number) - before.mean)
      xx += across * across
      yy += along * along
      xy += across * along
      xt += across * change
      yt += along * change
    }
  }
  const det = xx * yy - xy * xy
  if (det <= LEAST_CORNER * ((xx + yy) / 2) ** 2) return undefined
  return [(xy * yt - yy * xt) / det, (xy * xt - xx * yt) / det]
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * How far the whole picture moved since a previous frame, in pixels: the median over what does not move by itself.
 * @param frame and previous, smoothed and of the same size
 * @param region cells that may move, as they show the plate
 */
export function shakeBetween (frame: Grey, previous: Grey, region: Uint8Array | undefined): number {
  const { columns, rows } = gridOf(frame)
  const [xs, ys]: [number[], number[]] = [[], []]
  for (let cell = columns; cell < columns * (rows - 1); cell += SAMPLE) {
    if (region?.[cell] === 1 || cell % columns === 0 || cell % columns === columns - 1) continue
    const move = moveOf(frame, previous, cell % columns * CELL, Math.floor(cell / columns) * CELL)
    if (!move) continue
    xs.push(move[0])
    ys.push(move[1])
  }
  const [x, y] = [median(xs), median(ys)]
  const agree = xs.filter((one, at) => Math.hypot(one - x, (ys[at] as number) - y) < ALIKE).length
  return xs.length < FEWEST || agree < LEAST_SHARE * xs.length ? 0 : Math.hypot(x, y)
}
