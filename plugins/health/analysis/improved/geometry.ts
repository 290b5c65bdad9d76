import type { JobContext, Series } from '../../types.js'

export type Point = readonly [x: number, y: number]

/** The plate as the camera of a series sees it. */
export interface Geometry {
  /** The plate at the top of its travel, in fractions of the frame. */
  readonly plate: readonly Point[]
  /** Its corners at the top of its travel: rear left, rear right, front right, front left. */
  readonly corners?: readonly [Point, Point, Point, Point]
  /** Share of the frame's height by which a place rises in the frame for each mm above the farthest corner. */
  readonly upPerMm: number
  /** Share of the frame's height by which the plate sinks for each mm of print. */
  readonly sinkPerMm: number
  /** How far up and down the same places lay in the previous frame, in pixels of the scaled-down frame. */
  readonly up: number
  readonly down: number
  /** Bed slinger: the plate moves while it prints, so two frames never show it at the same place. */
  readonly slinger: boolean
}

const CHAMBER: Geometry = {
  plate: [[0.02, 0.82], [0.4, 0.59], [0.93, 0.7], [0.94, 1], [0.06, 1]],
  corners: [[0.02, 0.82], [0.4, 0.59], [0.93, 0.7], [0.62, 1.15]],
  upPerMm: 0.0016,
  sinkPerMm: 0.0016,
  up: 16,
  down: 2,
  slinger: false
}

const BY_SERIES: Readonly<Record<Series, Geometry>> = {
  X1: CHAMBER,
  P1: CHAMBER,
  P2: CHAMBER,
  // At every nozzle change the plate jumps by some 5 mm.
  H2: {
    ...CHAMBER,
    plate: [[0.02, 0.32], [0.49, 0.25], [0.91, 0.37], [0.85, 1], [0.38, 0.73]],
    corners: [[0.02, 0.37], [0.49, 0.26], [0.92, 0.4], [0.44, 0.92]],
    up: 24,
    down: 10
  },
  // The corners are those of the emulator's camera in the middle of the travel; no real one was measured.
  A1: {
    plate: [[0.05, 0.33], [0.95, 0.33], [0.95, 1], [0.05, 1]],
    corners: [[0.22, 0.47], [0.78, 0.47], [0.93, 0.9], [0.07, 0.9]],
    upPerMm: 0.0018,
    sinkPerMm: 0,
    up: 10,
    down: 10,
    slinger: true
  },
  UNKNOWN: {
    plate: [[0.05, 0.05], [0.95, 0.05], [0.95, 0.95], [0.05, 0.95]],
    upPerMm: 0,
    sinkPerMm: 0,
    up: 16,
    down: 4,
    slinger: false
  }
}

export const geometryOf = (series: Series): Geometry => BY_SERIES[series]

const LAYER_MM = 0.2
/** Heights above the plate that may show the part, in fractions of the frame. */
const ABOVE: readonly number[] = [0, 0.12, 0.22]
/** A region with a smaller share of the cells than this is not analysed. */
const LEAST_VISIBLE = 0.03

const MOST_MM = 400
/** Height of the print so far, in mm. */
export const heightOf = ({ layer, settings }: JobContext): number =>
  Math.min(MOST_MM, layer * (settings.layerHeightMm ?? LAYER_MM))

/** How far the plate has sunk, as a fraction of the frame's height. */
export const sunkBy = (context: JobContext): number => geometryOf(context.series).sinkPerMm * heightOf(context)

export function contains (polygon: readonly Point[], x: number, y: number): boolean {
  let inside = false
  polygon.forEach(([x1, y1], at) => {
    const [x2, y2] = polygon[(at + 1) % polygon.length] as Point
    if ((y1 > y) !== (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)) inside = !inside
  })
  return inside
}

/** The outline of the plate at the current height, in fractions of the frame. */
export function plateOf (context: JobContext): readonly Point[] {
  const sunk = sunkBy(context)
  return geometryOf(context.series).plate.map(([x, y]) => [x, y + sunk])
}

/** Marks the cells of a grid that show the plate or the space above it; undefined when hardly any do. */
export function regionOf (context: JobContext, columns: number, rows: number): Uint8Array | undefined {
  const plate = plateOf(context)
  const region = new Uint8Array(columns * rows)
  let count = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = (column + 0.5) / columns
      const y = (row + 0.5) / rows
      if (!ABOVE.some(rise => contains(plate, x, y + rise))) continue
      region[row * columns + column] = 1
      count++
    }
  }
  return count >= LEAST_VISIBLE * region.length ? region : undefined
}
