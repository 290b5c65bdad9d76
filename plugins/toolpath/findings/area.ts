import type { ModelInfo } from '../../../core/index.js'
import type { Declared, Point } from '../read/declared.js'

/** mm, upright to the axes, as all beds of these printers and their excluded corners are. */
export interface Box {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

/** Where a printer may extrude. */
export interface Area {
  readonly printable: Box
  /** mm. */
  readonly height: number
  readonly excluded: readonly Box[]
  /** By nozzle, with its height; empty for a printer with one. */
  readonly byNozzle: readonly (Box & { readonly height: number })[]
}

const EVERYWHERE: Box = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity }

const boxOf = (corners: readonly Point[]): Box => ({
  minX: Math.min(...corners.map(([x]) => x)),
  minY: Math.min(...corners.map(([, y]) => y)),
  maxX: Math.max(...corners.map(([x]) => x)),
  maxY: Math.max(...corners.map(([, y]) => y))
})

const common = (one: Box, other: Box): Box => ({
  minX: Math.max(one.minX, other.minX),
  minY: Math.max(one.minY, other.minY),
  maxX: Math.min(one.maxX, other.maxX),
  maxY: Math.min(one.maxY, other.maxY)
})

/** mm that the maker's own profile may differ from the model's table: a file that claims more is not believed. */
const PROFILE_SLACK = 15

const isPositive = (value: number | undefined): value is number => value !== undefined && value > 0
const wordsOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Whether a file was sliced for the model that it would run on. */
export const isSameModel = (model: ModelInfo, { printer }: Declared): boolean =>
  printer !== undefined && wordsOf(printer) === wordsOf(model.name)

/**
 * What the printer has and what the file was sliced for, whichever is tighter. The maker's own profile of the same
 * model is exact, so it counts where there is one, within some millimetres of the table.
 */
export function areaOf (model: ModelInfo, declared: Declared): Area {
  const [x, y, z] = model.model === 'UNKNOWN' ? [Infinity, Infinity, Infinity] : model.bedMm
  const stated = declared.printable.length > 0 ? boxOf(declared.printable) : EVERYWHERE
  const slack = isSameModel(model, declared) && declared.printable.length > 0 ? PROFILE_SLACK : 0
  const own = model.model === 'UNKNOWN' ? EVERYWHERE : { minX: -slack, minY: -slack, maxX: x + slack, maxY: y + slack }
  const height = Math.min(z + slack, isPositive(declared.printableHeight) ? declared.printableHeight : Infinity)
  return {
    printable: common(stated, own),
    height,
    excluded: excludedBoxes(declared.excluded),
    byNozzle: declared.printableByNozzle.length < 2
      ? []
      : declared.printableByNozzle.map((corners, nozzle) =>
        ({ ...boxOf(corners), height: declared.heightByNozzle[nozzle] ?? height }))
  }
}

/** Slicers write one corner after the other, four for each area. Other shapes are left to the slicer to judge. */
const excludedBoxes = (corners: readonly Point[]): readonly Box[] =>
  Array.from({ length: Math.floor(corners.length / 4) }, (_, at) => corners.slice(at * 4, at * 4 + 4))
    .filter(isRectangle).map(boxOf)

function isRectangle (corners: readonly Point[]): boolean {
  const { minX, minY, maxX, maxY } = boxOf(corners)
  const isCorner = ([x, y]: Point) => (x === minX || x === maxX) && (y === minY || y === maxY)
  return maxX > minX && maxY > minY && corners.every(isCorner)
}

/** How far a point is outside, mm; 0 or less inside. */
export const beyond = ({ minX, minY, maxX, maxY }: Box, x: number, y: number): number =>
  Math.max(minX - x, x - maxX, minY - y, y - maxY)

/** How deep a straight move goes into a box, mm: the deepest of its middle and ends within it; 0 if it does not. */
export function depthInside (box: Box, fromX: number, fromY: number, toX: number, toY: number): number {
  const [dx, dy] = [toX - fromX, toY - fromY]
  let [start, end] = [0, 1]
  const axes = [[dx, box.minX - fromX, box.maxX - fromX], [dy, box.minY - fromY, box.maxY - fromY]] as const
  for (const [delta, low, high] of axes) {
    if (delta === 0) {
      if (low > 0 || high < 0) return 0
      continue
    }
    const [enter, leave] = delta > 0 ? [low / delta, high / delta] : [high / delta, low / delta]
    start = Math.max(start, enter)
    end = Math.min(end, leave)
  }
  if (start >= end) return 0
  const depthAt = (part: number) => Math.max(0, -beyond(box, fromX + dx * part, fromY + dy * part))
  return Math.max(depthAt(start), depthAt((start + end) / 2), depthAt(end))
}
