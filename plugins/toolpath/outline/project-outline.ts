import { positionOf, type Camera, type Point3 } from './camera.js'
import { OUTLINE_KINDS, STEPS_PER_MM, type HeightMap, type Outline, type OutlineKind } from './height-map.js'
import { PolygonFiller } from './polygon-filler.js'

export interface OutlineMask {
  /** px. */
  readonly width: number
  readonly height: number
  /**
   * Row by row: 0 where nothing of the print should be seen, else what should be: 1 the part, 2 a support, 3 the prime
   * tower, 4 skirt, brim, purge lines. What is nearer hides what is behind it.
   */
  readonly mask: Uint8Array
  /** By column: the highest row that should show the part; -1 for none. */
  readonly upperEdge: Int32Array
}

interface Side {
  /** Of the neighbour beyond it, from the cell. */
  readonly column: number
  readonly row: number
  /** Corners of the cell between which it is. */
  readonly ends: readonly [from: readonly [x: number, y: number], to: readonly [x: number, y: number]]
}

const SIDES: readonly Side[] = [
  { column: -1, row: 0, ends: [[0, 1], [0, 0]] },
  { column: 1, row: 0, ends: [[1, 0], [1, 1]] },
  { column: 0, row: -1, ends: [[0, 0], [1, 0]] },
  { column: 0, row: 1, ends: [[1, 1], [0, 1]] }
]

/** Draws the columns of one kind as far as they can be seen from outside. */
class ColumnPainter {
  readonly #outline: Outline
  readonly #map: HeightMap
  readonly #filler: PolygonFiller
  readonly #eye: Point3
  readonly #value: number

  constructor (outline: Outline, kind: OutlineKind, filler: PolygonFiller, eye: Point3) {
    this.#outline = outline
    this.#map = outline.kinds[kind]
    this.#filler = filler
    this.#eye = eye
    this.#value = OUTLINE_KINDS.indexOf(kind) + 1
  }

  paint (): void {
    const { columns, rows } = this.#outline
    const { tops, bottoms } = this.#map
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const cell = row * columns + column
        const top = tops[cell]!
        if (top === 0) continue
        const bottom = bottoms[cell]!
        const height = this.#eye[2] * STEPS_PER_MM
        if (height > top) this.#flat(column, row, top)
        if (height < bottom) this.#flat(column, row, bottom)
        for (const side of SIDES) this.#side(column, row, side, bottom, top)
      }
    }
  }

  /** @param height in steps */
  #flat (column: number, row: number, height: number): void {
    const filler = this.#filler
    for (const [x, y] of [[0, 0], [1, 0], [1, 1], [0, 1]] as const) this.#corner(column + x, row + y, height)
    filler.fill(this.#value)
  }

  /** Draws what the neighbour leaves open of a side, if it faces the camera. */
  #side (column: number, row: number, side: Side, bottom: number, top: number): void {
    if (!this.#isFacing(column, row, side)) return
    const [above, below] = this.#neighbour(column + side.column, row + side.row)
    if (above === 0) return this.#wall(column, row, side, bottom, top)
    if (above < top) this.#wall(column, row, side, Math.max(bottom, above), top)
    if (below > bottom) this.#wall(column, row, side, bottom, Math.min(top, below))
  }

  #isFacing (column: number, row: number, side: Side): boolean {
    const { originX, originY, cellMm } = this.#outline
    const [eyeX, eyeY] = this.#eye
    if (side.column !== 0) return (eyeX - originX - (column + Math.max(0, side.column)) * cellMm) * side.column > 0
    return (eyeY - originY - (row + Math.max(0, side.row)) * cellMm) * side.row > 0
  }

  /** Highest and lowest of a cell, in steps; 0 where nothing lies. */
  #neighbour (column: number, row: number): readonly [top: number, bottom: number] {
    const { columns, rows } = this.#outline
    if (column < 0 || row < 0 || column >= columns || row >= rows) return [0, 0]
    const cell = row * columns + column
    return [this.#map.tops[cell]!, this.#map.bottoms[cell]!]
  }

  #wall (column: number, row: number, { ends }: Side, low: number, high: number): void {
    if (low >= high) return
    const [[x, y], [toX, toY]] = ends
    this.#corner(column + x, row + y, low)
    this.#corner(column + toX, row + toY, low)
    this.#corner(column + toX, row + toY, high)
    this.#corner(column + x, row + y, high)
    this.#filler.fill(this.#value)
  }

  #corner (column: number, row: number, height: number): void {
    const { originX, originY, cellMm } = this.#outline
    this.#filler.corner(originX + column * cellMm, originY + row * cellMm, height / STEPS_PER_MM)
  }
}

function upperEdgeOf (mask: Uint8Array, width: number): Int32Array {
  const edge = new Int32Array(width).fill(-1)
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === 1 && edge[at % width] === -1) edge[at % width] = Math.floor(at / width)
  }
  return edge
}

/**
 * Where a camera should see what lies on the bed. Pure. It takes some 10 ms for a usual part and 100 ms for a full bed,
 * so call it in a worker thread.
 *
 * @param kinds that are drawn; what is left out hides nothing
 * @returns an empty mask for a projection that is none of a pinhole
 */
export function projectOutline (
  outline: Outline, camera: Camera, { kinds = OUTLINE_KINDS }: { readonly kinds?: readonly OutlineKind[] } = {}
): OutlineMask {
  const { width, height } = camera
  const filler = new PolygonFiller(camera)
  const eye = positionOf(camera)
  if (eye !== undefined) for (const kind of kinds) new ColumnPainter(outline, kind, filler, eye).paint()
  const { mask } = filler
  return { width, height, mask, upperEdge: upperEdgeOf(mask, width) }
}
