import type { JobContext, PlateLayout } from '../../types.js'
import { geometryOf, heightOf, regionOf, type Point } from './geometry.js'
import type { CellMap } from './cell-grid.js'
import { smoothStep } from './smooth-step.js'

/** A rough or gridded sheet looks slightly tangled everywhere: quantiles of its cells, and the bound between them. */
const ORDINARY = { most: 0.75, times: 2, nearlyAll: 0.9 }

interface Ordinary {
  readonly tangle: CellMap
  readonly plate: PlateView
  readonly hidden: Uint8Array
  /** A moving bed: the position of the plate is known only roughly. */
  readonly travels: boolean
}

/** How tangled empty cells of the sheet look, the least first. */
const emptyCells = ({ tangle: { values }, plate: { sheet, inside }, hidden }: Ordinary): number[] =>
  [...values].filter((_, cell) => sheet[cell] === 1 && inside?.[cell] !== 1 && hidden[cell] !== 1).sort((a, b) => a - b)

/**
 * Where half the sheet looks tangled it has a grain. Where a travelling plate is is known roughly or not at all, so
 * more is taken for it.
 */
const GRAINED = { share: 0.5, roughly: 0.65, unplaced: 0.75, from: 0.1, to: 0.25 }

/** How much of a grain the sheet has, 0 to 1. */
export function grainOf (of: Ordinary): number {
  const found = emptyCells(of)
  const share = !of.travels ? GRAINED.share : of.plate.inside ? GRAINED.roughly : GRAINED.unplaced
  const most = found[Math.floor(share * found.length)] ?? 0
  return smoothStep(most, GRAINED.from, GRAINED.to)
}

/** How tangled an ordinary, empty cell of the sheet looks. */
export function ordinaryOf (of: Ordinary): number {
  const { travels } = of
  const found = emptyCells(of)
  const at = (share: number) => found[Math.floor(share * found.length)] ?? 0
  return travels ? at(ORDINARY.nearlyAll) : Math.min(at(ORDINARY.nearlyAll), ORDINARY.times * at(ORDINARY.most))
}

/** What each cell shows of the plate. */
export interface PlateView {
  /** The sheet, or what lies on it. */
  readonly sheet: Uint8Array
  /** A part, or the space for one; undefined when the job's plate is unknown. */
  readonly inside: Uint8Array | undefined
}

/** Projective map from fractions of the frame to fractions of the plate, and how near that place is. */
type Inverse = (x: number, y: number) => { readonly u: number, readonly v: number, readonly near: number }

/** From a place in the frame to one on the plate: (0, 0) at the rear left, (1, 1) at the front right. */
export function inverseOf ([a, b, c, d]: readonly [Point, Point, Point, Point]): Inverse {
  const [dx1, dx2, dx3] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]]
  const [dy1, dy2, dy3] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]]
  const spread = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / spread
  const h = (dx1 * dy3 - dx3 * dy1) / spread
  const [m00, m01, m02] = [b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0]]
  const [m10, m11, m12] = [b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1]]
  return (x, y) => {
    const u = (m11 - m12 * h) * x + (m02 * h - m01) * y + m01 * m12 - m02 * m11
    const v = (m12 * g - m10) * x + (m00 - m02 * g) * y + m02 * m10 - m00 * m12
    const w = (m10 * h - m11 * g) * x + (m01 * g - m00 * h) * y + m00 * m11 - m01 * m10
    const [atU, atV] = [u / w, v / w]
    return { u: atU, v: atV, near: 1 / (g * atU + h * atV + 1) }
  }
}

/** How far outside its box a part may show, mm: boxes are those of first layers, and cameras differ. */
const MARGIN_MM = 11
/** Tree supports spread beyond the box, mm. */
const TREES_MM = 10
const Z_STEP_MM = 6
/** Height of what lies on the sheet, mm. */
const LYING_MM = 15
/** Cells closer to the rim show the edge of the sheet, mm. */
const RIM_MM = 8
/** Range to either side and step of the search for a moving plate, mm. */
const TRAVEL = { most: 96, step: 8 }

type Ground = readonly (readonly [x: number, y: number])[]

/** The places on the plate that each cell shows at some heights, in mm from its lower left corner. */
function groundsOf (context: JobContext, [wide, deep]: PlateLayout['bedMm'], columns: number, rows: number) {
  const { corners, slinger, upPerMm } = geometryOf(context.series)
  if (!corners) return undefined
  const inverse = inverseOf(corners)
  const farthest = Math.min(...corners.map(([x, y]) => inverse(x, y).near))
  const sunk = slinger ? 0 : heightOf(context)
  return (heights: readonly number[]): Ground[] => Array.from({ length: columns * rows }, (_, cell) => {
    const [x, y] = [(cell % columns + 0.5) / columns, (Math.floor(cell / columns) + 0.5) / rows]
    const rise = upPerMm * inverse(x, y).near / farthest
    return heights.map(z => {
      const { u, v } = inverse(x, y + (z - sunk) * rise)
      return [u * wide, (1 - v) * deep] as const
    })
  })
}

const marked = (grounds: readonly Ground[], travel: number, isIn: (x: number, y: number) => boolean): Uint8Array =>
  Uint8Array.from(grounds, places => places.some(([x, y]) => isIn(x, y + travel)) ? 1 : 0)

/**
 * What each cell shows. Without the camera's geometry the whole region counts as sheet.
 * @param marks how much each cell stands out; a moving plate is assumed to be where its parts stand out most
 */
export function plateViewOf (context: JobContext, columns: number, rows: number, marks: Float32Array): PlateView {
  const { plate, settings, series } = context
  const bedMm = plate?.bedMm ?? context.bedMm
  const grounds = groundsOf(context, bedMm, columns, rows)
  const { slinger } = geometryOf(series)
  if (!grounds || (slinger && !plate)) {
    return { sheet: regionOf(context, columns, rows) ?? new Uint8Array(columns * rows), inside: undefined }
  }
  const lying = grounds([0, LYING_MM])
  const isOnSheet = (x: number, y: number) =>
    x >= RIM_MM && y >= RIM_MM && x <= bedMm[0] - RIM_MM && y <= bedMm[1] - RIM_MM
  if (!plate) return { sheet: marked(lying, 0, isOnSheet), inside: undefined }
  const top = heightOf(context)
  const heights = Array.from({ length: Math.ceil(top / Z_STEP_MM) + 1 }, (_, at) => Math.min(top, at * Z_STEP_MM))
  const standing = grounds(heights)
  const margin = MARGIN_MM + (settings.support === 'tree' ? TREES_MM : 0)
  const isPart = occupancyOf(plate, margin)
  const viewAt = (travel: number): PlateView =>
    ({ sheet: marked(lying, travel, isOnSheet), inside: marked(standing, travel, isPart) })
  return slinger ? bestOf(viewAt, marks) : viewAt(0)
}

/** Resolution of the occupancy grid, mm. */
const STEP_MM = 3

/** Tells whether a place belongs to a part. A grid makes that as fast for many parts as for one. */
function occupancyOf ({ boxes, bedMm: [wide, deep] }: PlateLayout, margin: number) {
  const [columns, rows] = [Math.ceil(wide / STEP_MM), Math.ceil(deep / STEP_MM)]
  const taken = new Uint8Array(columns * rows)
  const stepOf = (mm: number, most: number) => Math.max(0, Math.min(most, Math.floor(mm / STEP_MM)))
  for (const [x1, y1, x2, y2] of boxes) {
    const [from, to] = [stepOf(x1 - margin, columns), stepOf(x2 + margin + STEP_MM, columns)]
    for (let row = stepOf(y1 - margin, rows); row < stepOf(y2 + margin + STEP_MM, rows); row++) {
      taken.fill(1, row * columns + from, row * columns + Math.max(from, to))
    }
  }
  return (x: number, y: number): boolean => {
    const [column, row] = [Math.floor(x / STEP_MM), Math.floor(y / STEP_MM)]
    return column >= 0 && row >= 0 && column < columns && row < rows && taken[row * columns + column] === 1
  }
}

/** Positions of a moving plate with at least this share of the best contrast: parts may be at any of them. */
const NEARLY = 0.85

function bestOf (viewAt: (travel: number) => PlateView, marks: Float32Array): PlateView {
  const steps = Array.from({ length: 2 * TRAVEL.most / TRAVEL.step + 1 }, (_, at) => at * TRAVEL.step - TRAVEL.most)
  const tried = steps.map(travel => {
    const view = viewAt(travel)
    return { view, gain: contrastOf(view, marks) }
  }).sort((a, b) => b.gain - a.gain)
  const [best] = tried
  if (!best) return viewAt(0)
  const likely = tried.filter(({ gain }) => gain >= NEARLY * best.gain)
  const inside = best.view.inside?.map((_, cell) => likely.some(({ view }) => view.inside?.[cell] === 1) ? 1 : 0)
  return { sheet: best.view.sheet, inside }
}

/** How much more the parts stand out than the rest of the sheet, as a t statistic. */
function contrastOf ({ inside, sheet }: PlateView, marks: Float32Array): number {
  const sums = [[0, 0, 0], [0, 0, 0]] as [number[], number[]]
  marks.forEach((value, cell) => {
    if (sheet[cell] !== 1 && inside?.[cell] !== 1) return
    const of = sums[inside?.[cell] === 1 ? 1 : 0] as [number, number, number]
    of[0]++
    of[1] += value
    of[2] += value * value
  })
  const [[n0 = 0, s0 = 0, q0 = 0], [n1 = 0, s1 = 0, q1 = 0]] = sums
  if (n0 === 0 || n1 === 0) return -Infinity
  const spread = (q0 - s0 * s0 / n0 + q1 - s1 * s1 / n1) / (n0 + n1)
  return (s1 / n1 - s0 / n0) / Math.sqrt(Math.max(1e-6, spread)) * Math.sqrt(1 / (1 / n0 + 1 / n1))
}
