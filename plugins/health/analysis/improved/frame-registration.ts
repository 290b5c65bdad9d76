import type { JobContext } from '../../types.js'
import { CELL, type CellMap } from './cell-grid.js'
import { contains, geometryOf, plateOf } from './geometry.js'
import { crossCorrelation, type Search } from './cross-correlation.js'
import type { AnalysedFrame } from './analysis-state.js'
import { edgesOf } from './edge-map.js'
import { FACTOR, type DownscaledImage } from './translation-search.js'
import { plateDropOf } from './plate-drop.js'
import { refined, warped } from './affine-fit.js'
import { fitOver, travelBetween, travelling, type Mapping } from './plate-travel.js'

/** An earlier picture, laid over the one of now. */
export interface Counterpart {
  readonly view: AnalysedFrame
  /** How well the plates lie upon each other, -1 to 1. */
  readonly fit: number
  /** How like a cell of now is to what was seen at its place. */
  like (map: CellMap, cell: number, enough: number): number
  /** Which cell it was then; undefined when it was out of sight. */
  cellOf (map: CellMap, cell: number): number | undefined
}

/** What does not move trembles by so much, in pixels. */
const TREMBLES = 2
/** Parts are higher than the plate and so shift a little otherwise than it does. */
const WARPED: Search = { fromX: -3, toX: 3, fromY: -4, toY: 4 }
/** The plate is known but roughly. */
const LOOSE: Search = { fromX: -5, toX: 5, fromY: -6, toY: 6 }

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

/** Made when first asked for. */
export function once<T> (make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** How far from where it is thought to be a piece of the plate is looked for, in pixels of an edge map. */
const REACH = 4

/** Where the plate of now lies in an earlier picture, roughly, in pixels of edge maps. */
function travelled (now: DownscaledImage, before: DownscaledImage, { series }: JobContext): Mapping {
  const at = travelling(series, now.width, now.height)
  return at ? at(travelBetween(now, before, at)) : (x, y) => [x, y]
}

/** A plate that travels is seen larger the nearer it comes, while what is around it stays. */
function onTravellingPlate (now: AnalysedFrame, view: AnalysedFrame, context: JobContext): Counterpart {
  const edges = once(() => [edgesOf(now.downscaled), edgesOf(view.downscaled)] as const)
  const guess = travelled(...edges(), context)
  const overlay = once(() => {
    const { map, isFound } = refined(...edges(), guess, REACH)
    return { map, then: warped(view.grey, map), search: isFound ? WARPED : LOOSE }
  })
  return {
    view,
    fit: fitOver(now.downscaled, view.downscaled, guess),
    like (map, cell, enough) {
      const [left, top] = cornerOf(map, cell)
      const { then, search } = overlay()
      const moved = crossCorrelation(now.grey, then, left, top, search, enough)
      return moved >= enough ? moved : Math.max(moved, crossCorrelation(now.grey, view.grey, left, top, STILL, enough))
    },
    cellOf (map, cell) {
      const [left, top] = cornerOf(map, cell)
      const [x, y] = overlay().map(left + CELL / 2, top + CELL / 2)
      const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)]
      return column >= 0 && row >= 0 && column < map.columns && row < map.rows ? row * map.columns + column : undefined
    }
  }
}

export const counterpartOf = (now: AnalysedFrame, view: AnalysedFrame, context: JobContext): Counterpart =>
  geometryOf(context.series).slinger ? onTravellingPlate(now, view, context) : fixed(now, view, context)
