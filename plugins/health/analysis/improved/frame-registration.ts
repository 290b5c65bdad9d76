import type { JobContext } from '../../types.js'
import { CELL, type CellMap } from './cell-grid.js'
import { contains, geometryOf, plateOf } from './geometry.js'
import { crossCorrelation, type Search } from './cross-correlation.js'
import type { AnalysedFrame } from './analysis-state.js'
import { edgesOf } from './edge-map.js'
import { FACTOR, translationOf } from './translation-search.js'
import { plateDropOf } from './plate-drop.js'
import { warped, warpOf } from './affine-fit.js'

/** An earlier picture, laid over the one of now. */
export interface Counterpart {
  readonly view: AnalysedFrame
  /** How well the plates lie upon each other, -1 to 1. */
  readonly fit: number
  /** By how much the plate lay elsewhere, in pixels. */
  readonly x: number
  readonly y: number
  /** How like a cell of now is to what was seen at its place. */
  like (map: CellMap, cell: number, enough: number): number
  /** Which cell it was then; undefined when it was out of sight. */
  cellOf (map: CellMap, cell: number): number | undefined
}

/** What does not move trembles by so much, in pixels. */
const TREMBLES = 2
/** Parts are higher than the plate and so shift a little otherwise than it does. */
const WARPED: Search = { fromX: -5, toX: 5, fromY: -5, toY: 5 }
const SIDEWAYS = 8

const around = ({ fromX, toX, fromY, toY }: Search, x: number, y: number): Search =>
  ({ fromX: fromX + x, toX: toX + x, fromY: fromY + y, toY: toY + y })

/** Near the camera the plate goes down by up to so many times as much as at its rear. */
const NEARER = 2.5
/** How far the plate sank is known to so many pixels. */
const FITTED = 4
const STILL: Search = { fromX: -TREMBLES, toX: TREMBLES, fromY: -TREMBLES, toY: TREMBLES }

/** A plate that only sinks: what is seen now lay farther up. */
function fixed (now: AnalysedFrame, view: AnalysedFrame, context: JobContext): Counterpart {
  const { up, down } = geometryOf(context.series)
  const sunk = now.sunk === undefined || view.sunk === undefined ? 0 : now.sunk - view.sunk
  const most = NEARER * sunk * now.grey.height
  // As long as it can have sunk but little, all it can have sunk by is tried.
  const plateDrop = most <= up
    ? undefined
    : plateDropOf(edgesOf(now.downscaled), edgesOf(view.downscaled), onPlate(now, context), Math.ceil(most / FACTOR))
  const anyhow: Search = { fromX: -TREMBLES, toX: TREMBLES, fromY: -Math.max(up, Math.ceil(most)), toY: down }
  const downAt = (y: number) => plateDrop === undefined ? 0 : Math.max(0, Math.round(plateDrop.a + plateDrop.c * y))
  return {
    view,
    fit: 1,
    x: 0,
    y: 0,
    like (map, cell, enough) {
      const [left, top] = cornerOf(map, cell)
      if (!plateDrop) return crossCorrelation(now.grey, view.grey, left, top, anyhow, enough)
      const by = downAt(top + CELL / 2)
      const search = { ...STILL, fromY: -by - FITTED, toY: -by + FITTED }
      const found = crossCorrelation(now.grey, view.grey, left, top, search, enough)
      return found >= enough ? found : Math.max(found, crossCorrelation(now.grey, view.grey, left, top, STILL, enough))
    },
    cellOf (map, cell) {
      const [left, top] = cornerOf(map, cell)
      const middle = top + CELL / 2
      const row = Math.floor((middle - downAt(middle)) / CELL)
      return row < 0 ? undefined : row * map.columns + left / CELL
    }
  }
}

/** Whether a place of an edge map shows the plate. */
function onPlate ({ downscaled: { width, height } }: AnalysedFrame, context: JobContext) {
  const plate = plateOf(context)
  return (x: number, y: number) => contains(plate, x / width, y / height)
}

const cornerOf = ({ columns }: CellMap, cell: number): [left: number, top: number] =>
  [cell % columns * CELL, Math.floor(cell / columns) * CELL]

/** A plate that travels is seen larger the nearer it comes, while what is around it stays. */
function travelled (now: AnalysedFrame, view: AnalysedFrame, context: JobContext): Counterpart {
  const { x, y, fit } = translationOf(now.downscaled, view.downscaled)
  const { up, down } = geometryOf(context.series)
  const warp = warpOf(edgesOf(now.downscaled), edgesOf(view.downscaled), { x, y })
  const then = warp ? warped(view.grey, warp) : view.grey
  const search = warp ? WARPED : around({ fromX: -SIDEWAYS, toX: SIDEWAYS, fromY: -up, toY: down }, x, y)
  const [a, b, c, d, e, f] = warp ?? [x, 1, 0, y, 0, 1]
  return {
    view,
    fit,
    x,
    y,
    like (map, cell, enough) {
      const [left, top] = cornerOf(map, cell)
      const moved = crossCorrelation(now.grey, then, left, top, search, enough)
      return moved >= enough ? moved : Math.max(moved, crossCorrelation(now.grey, view.grey, left, top, STILL, enough))
    },
    cellOf (map, cell) {
      const [left, top] = cornerOf(map, cell)
      const [midX, midY] = [left + CELL / 2, top + CELL / 2]
      const column = Math.floor((a + b * midX + c * midY) / CELL)
      const row = Math.floor((d + e * midX + f * midY) / CELL)
      return column < 0 || row < 0 || column >= map.columns || row >= map.rows ? undefined : row * map.columns + column
    }
  }
}

export const counterpartOf = (now: AnalysedFrame, view: AnalysedFrame, context: JobContext): Counterpart =>
  geometryOf(context.series).slinger ? travelled(now, view, context) : fixed(now, view, context)
