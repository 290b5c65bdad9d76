import { clamp01, type Grey } from '../picture.js'
import { DIRECTIONS, type Ridges } from './ridges.js'

/** Side of a cell in pixels of the scaled-down frame. */
export const CELL = 16

/** One value for each cell of a frame. */
export interface CellMap {
  readonly columns: number
  readonly rows: number
  readonly values: Float32Array
}

/** Density of lines at which a cell begins to count, and the span up to the full value. */
const DENSITY = { from: 0.04, span: 0.2 }
/** The same for disorder, as a share of the maximum. */
const DISORDER = { from: 0.55, span: 0.4 }

export const gridOf = ({ width, height }: Grey): { columns: number, rows: number } =>
  ({ columns: Math.floor(width / CELL), rows: Math.floor(height / CELL) })

function tangleIn (counts: Uint16Array): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const density = clamp01((total / (CELL * CELL) - DENSITY.from) / DENSITY.span)
  if (density === 0) return 0
  let entropy = 0
  for (const count of counts) if (count > 0) entropy -= count / total * Math.log(count / total)
  return density * clamp01((entropy / Math.log(DIRECTIONS) - DISORDER.from) / DISORDER.span)
}

/** How tangled each cell looks, 0 to 1: many lines in all directions. Straight, orderly lines do not count. */
export function tangles (grey: Grey, { marks }: Ridges): CellMap {
  const { columns, rows } = gridOf(grey)
  const values = new Float32Array(columns * rows)
  const counts = new Uint16Array(DIRECTIONS)
  for (let cell = 0; cell < values.length; cell++) {
    counts.fill(0)
    const left = cell % columns * CELL
    const top = Math.floor(cell / columns) * CELL
    for (let y = top; y < top + CELL; y++) {
      for (let at = y * grey.width + left, end = at + CELL; at < end; at++) {
        const mark = marks[at] as number
        if (mark !== 0) counts[mark - 1] = (counts[mark - 1] as number) + 1
      }
    }
    values[cell] = tangleIn(counts)
  }
  return { columns, rows, values }
}

/** The maximum of a cell and its eight neighbours. */
export function mostAround ({ columns, rows, values }: CellMap, cell: number): number {
  const column = cell % columns
  const row = Math.floor(cell / columns)
  let most = 0
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      most = Math.max(most, values[y * columns + x] as number)
    }
  }
  return most
}

/** A map with the masked cells set to 0. */
export const masked = (map: CellMap, mask: Uint8Array): CellMap =>
  ({ ...map, values: map.values.map((value, cell) => mask[cell] === 1 ? 0 : value) })

/** The 3 × 3 block with the greatest sum, by its centre, and the mean of its nine cells; cells outside count as 0. */
export function densestAt ({ columns, rows, values }: CellMap): { readonly cell: number, readonly mean: number } {
  let most = 0
  let cell = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
          sum += values[y * columns + x] as number
        }
      }
      if (sum <= most) continue
      most = sum
      cell = row * columns + column
    }
  }
  return { cell, mean: most / 9 }
}

export const densest = (map: CellMap): number => densestAt(map).mean

/** Values at which a cell stands out fully: its share of line pixels, its difference in brightness. */
const FULL = { lines: 0.12, light: 30 }

/** How much each cell stands out by its lines and by its difference from the median brightness, 0 to 1. */
export function standOut (grey: Grey, { marks }: Ridges): Float32Array {
  const { columns, rows } = gridOf(grey)
  const [lines, light] = [new Float32Array(columns * rows), new Float32Array(columns * rows)]
  for (let y = 0; y < rows * CELL; y++) {
    for (let x = 0; x < columns * CELL; x++) {
      const cell = Math.floor(y / CELL) * columns + Math.floor(x / CELL)
      const at = y * grey.width + x
      if (marks[at] !== 0) lines[cell] = (lines[cell] as number) + 1 / (CELL * CELL)
      light[cell] = (light[cell] as number) + (grey.data[at] as number) / (CELL * CELL)
    }
  }
  const usual = Float32Array.from(light).sort()[light.length >> 1] ?? 0
  return lines.map((share, cell) =>
    Math.min(1, share / FULL.lines) / 2 + Math.min(1, Math.abs((light[cell] as number) - usual) / FULL.light) / 2)
}
