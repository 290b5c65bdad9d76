/** What material is for. Its place in this list plus 1 is the number in a mask. */
export const OUTLINE_KINDS = ['part', 'support', 'tower', 'other'] as const
/** `other`: skirt, brim, purge lines and what is flushed on the bed. */
export type OutlineKind = (typeof OUTLINE_KINDS)[number]

/**
 * Where material lies, in 0.01 mm above the bed, row by row from the front, each from the left. Both are 0 where there
 * is none. What is between the lowest and the highest line of a cell counts as filled.
 */
export interface HeightMap {
  readonly tops: Uint16Array
  readonly bottoms: Uint16Array
}

/** What should lie on the bed at the end of a layer. It is shared, so do not change it. */
export interface Outline {
  /** Side of a cell. */
  readonly cellMm: number
  /** Front left corner of the first cell, in the printer's coordinates, mm. */
  readonly originX: number
  readonly originY: number
  readonly columns: number
  readonly rows: number
  /** From 1; 0: what is printed before the first, such as a purge line. */
  readonly layer: number
  /** mm, of the highest line of the part so far. */
  readonly z: number
  /** False if moves are missing, because the track of the plate would have been too long. */
  readonly isWhole: boolean
  readonly kinds: Readonly<Record<OutlineKind, HeightMap>>
}

export const STEPS_PER_MM = 100
const HIGHEST = 65_535
const CELL_MM = 1

const stepsOf = (mm: number): number => Math.min(HIGHEST, Math.max(0, Math.round(mm * STEPS_PER_MM)))

/** A bed with nothing on it. @param bedMm width and depth */
export function emptyOutline ([width, depth]: readonly number[], cellMm = CELL_MM): Outline {
  const [columns, rows] = [Math.ceil(width! / cellMm), Math.ceil(depth! / cellMm)]
  const empty = (): HeightMap => ({ tops: new Uint16Array(columns * rows), bottoms: new Uint16Array(columns * rows) })
  const kinds = { part: empty(), support: empty(), tower: empty(), other: empty() }
  return { cellMm, originX: 0, originY: 0, columns, rows, layer: 0, z: 0, isWhole: true, kinds }
}

/** Marks the cells that lines cross. */
export class LineMarker {
  readonly #columns: number
  readonly #rows: number
  readonly #cellMm: number
  readonly #originX: number
  readonly #originY: number
  #map: HeightMap
  #low = 0
  #high = 0
  /** Shares of the line at which it enters and leaves the raster. */
  #enter = 0
  #leave = 1

  constructor ({ columns, rows, cellMm, originX, originY, kinds }: Outline) {
    this.#columns = columns
    this.#rows = rows
    this.#cellMm = cellMm
    this.#originX = originX
    this.#originY = originY
    this.#map = kinds.part
  }

  /** What the lines that follow are for. @param bottom mm @param top mm */
  begin (map: HeightMap, bottom: number, top: number): void {
    this.#map = map
    this.#low = stepsOf(bottom)
    this.#high = stepsOf(top)
  }

  /** mm. */
  line (fromX: number, fromY: number, toX: number, toY: number): void {
    const cell = this.#cellMm
    const x = (fromX - this.#originX) / cell
    const y = (fromY - this.#originY) / cell
    const endX = (toX - this.#originX) / cell
    const endY = (toY - this.#originY) / cell
    const isInside = Math.min(x, endX) >= 0 && Math.max(x, endX) < this.#columns &&
      Math.min(y, endY) >= 0 && Math.max(y, endY) < this.#rows
    if (isInside) {
      this.#enter = 0
      this.#leave = 1
    } else if (!this.#clip(x, y, endX, endY)) return
    this.#walk(x, y, endX - x, endY - y)
  }

  #walk (x: number, y: number, dx: number, dy: number): void {
    const columns = this.#columns
    let column = within(x + dx * this.#enter, columns)
    let row = within(y + dy * this.#enter, this.#rows)
    this.#mark(row * columns + column)
    const lastColumn = within(x + dx * this.#leave, columns)
    const lastRow = within(y + dy * this.#leave, this.#rows)
    if (column === lastColumn && row === lastRow) return
    const stepX = Math.sign(dx)
    const stepY = Math.sign(dy)
    // Shares of the line at which it crosses into the next column and row.
    let nextX = stepX === 0 ? Infinity : (column + (stepX > 0 ? 1 : 0) - x) / dx
    let nextY = stepY === 0 ? Infinity : (row + (stepY > 0 ? 1 : 0) - y) / dy
    const steps = Math.abs(lastColumn - column) + Math.abs(lastRow - row)
    for (let step = 0; step < steps; step++) {
      if ((nextX <= nextY || row === lastRow) && column !== lastColumn) {
        column += stepX
        nextX += stepX / dx
      } else {
        row += stepY
        nextY += stepY / dy
      }
      this.#mark(row * columns + column)
    }
  }

  #mark (cell: number): void {
    const { tops, bottoms } = this.#map
    const top = tops[cell]!
    if (top === 0 || this.#low < bottoms[cell]!) bottoms[cell] = this.#low
    if (this.#high > top) tops[cell] = this.#high
  }

  /** @returns whether any of the line is in the raster */
  #clip (x: number, y: number, endX: number, endY: number): boolean {
    this.#enter = 0
    this.#leave = 1
    if (!this.#clipAxis(x, endX - x, this.#columns) || !this.#clipAxis(y, endY - y, this.#rows)) return false
    return this.#enter < this.#leave || (this.#enter > 0 && this.#enter === this.#leave && this.#leave < 1)
  }

  #clipAxis (from: number, delta: number, most: number): boolean {
    if (delta === 0) return from >= 0 && from < most
    const low = -from / delta
    const high = (most - from) / delta
    this.#enter = Math.max(this.#enter, Math.min(low, high))
    this.#leave = Math.min(this.#leave, Math.max(low, high))
    return true
  }
}

const within = (at: number, count: number): number => Math.min(count - 1, Math.max(0, Math.floor(at)))
