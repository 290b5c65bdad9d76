import { CELL, gridOf, type CellMap } from './cell-grid.js'
import type { Grey } from '../picture.js'
import { DIRECTIONS, type Ridges } from './ridges.js'

/** Texture of each cell on its own; each list has one value for a cell. */
export interface CellTexture {
  readonly columns: number
  readonly rows: number
  /** Share of the cell's pixels on centre lines of thin structures. */
  readonly density: Float32Array
  /** Normalised entropy of their directions, 0 to 1; of the cell, and of the cell with its eight neighbours. */
  readonly disorder: Float32Array
  readonly disorderAround: Float32Array
  /** Strength of the lines and deviation of brightness, relative to the mean brightness. */
  readonly contrast: Float32Array
  readonly spread: Float32Array
}

/** Grey levels added to a divisor: sensors see no contrast in the dark. */
const DARK = 10

function disorderOf (counts: ArrayLike<number>, from: number): number {
  let total = 0
  for (let at = 0; at < DIRECTIONS; at++) total += counts[from + at] as number
  if (total === 0) return 0
  let entropy = 0
  for (let at = 0; at < DIRECTIONS; at++) {
    const share = (counts[from + at] as number) / total
    if (share > 0) entropy -= share * Math.log(share)
  }
  return entropy / Math.log(DIRECTIONS)
}

/** Histograms of directions, each summed with those of the eight neighbours. */
function pooled (counts: Uint16Array, columns: number, rows: number): Uint32Array {
  const out = new Uint32Array(counts.length)
  for (let cell = 0; cell < columns * rows; cell++) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)]
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        for (let at = 0; at < DIRECTIONS; at++) {
          out[cell * DIRECTIONS + at] = (out[cell * DIRECTIONS + at] as number) +
            (counts[(y * columns + x) * DIRECTIONS + at] as number)
        }
      }
    }
  }
  return out
}

/** Measures every cell of a frame by its ridges. */
export function textureOf (grey: Grey, { marks, strength }: Ridges): CellTexture {
  const { columns, rows } = gridOf(grey)
  const count = columns * rows
  const list = () => new Float32Array(count)
  const [density, disorder, disorderAround, contrast, spread] = [list(), list(), list(), list(), list()]
  const counts = new Uint16Array(count * DIRECTIONS)
  for (let cell = 0; cell < count; cell++) {
    const left = cell % columns * CELL
    const top = Math.floor(cell / columns) * CELL
    let [lines, strong, light, squares] = [0, 0, 0, 0]
    for (let y = top; y < top + CELL; y++) {
      for (let at = y * grey.width + left, end = at + CELL; at < end; at++) {
        const value = grey.data[at] as number
        light += value
        squares += value * value
        const mark = marks[at] as number
        if (mark === 0) continue
        lines++
        strong += strength[at] as number
        counts[cell * DIRECTIONS + mark - 1] = (counts[cell * DIRECTIONS + mark - 1] as number) + 1
      }
    }
    const area = CELL * CELL
    const mean = light / area
    density[cell] = lines / area
    contrast[cell] = lines === 0 ? 0 : strong / lines / (mean + DARK)
    spread[cell] = Math.sqrt(Math.max(0, squares / area - mean * mean)) / (mean + DARK)
    disorder[cell] = disorderOf(counts, cell * DIRECTIONS)
  }
  const around = pooled(counts, columns, rows)
  for (let cell = 0; cell < count; cell++) disorderAround[cell] = disorderOf(around, cell * DIRECTIONS)
  return { columns, rows, density, disorder, disorderAround, contrast, spread }
}

/** The mean of a cell and its neighbours; those outside the frame do not count. */
export function meanAround ({ columns, rows }: Pick<CellMap, 'columns' | 'rows'>, values: ArrayLike<number>,
  cell: number): number {
  const [column, row] = [cell % columns, Math.floor(cell / columns)]
  let [sum, count] = [0, 0]
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      sum += values[y * columns + x] as number
      count++
    }
  }
  return sum / count
}
