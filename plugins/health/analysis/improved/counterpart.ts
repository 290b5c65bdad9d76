import type { JobContext } from '../../types.js'
import type { Grey } from '../pixels.js'
import { CELL, type CellMap } from './cells.js'
import { geometryOf } from './geometry.js'
import { likeness, type Search } from './likeness.js'
import type { View } from './memory.js'
import { outlineOf } from './outline.js'
import { shiftOf } from './shift.js'
import { warped, warpOf } from './warp.js'

/** An earlier picture, laid over the one of now. */
export interface Counterpart {
  readonly view: View
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

/** A plate that only sinks: what is seen now lay a little farther up. */
function fixed (now: Grey, view: View, context: JobContext): Counterpart {
  const { up, down } = geometryOf(context.series)
  const search = { fromX: -TREMBLES, toX: TREMBLES, fromY: -up, toY: down }
  return {
    view,
    fit: 1,
    x: 0,
    y: 0,
    like: (map, cell, enough) => likeness(now, view.grey, ...cornerOf(map, cell), search, enough),
    cellOf: (_map, cell) => cell
  }
}

const cornerOf = ({ columns }: CellMap, cell: number): [left: number, top: number] =>
  [cell % columns * CELL, Math.floor(cell / columns) * CELL]

/** A plate that travels is seen larger the nearer it comes, while what is around it stays. */
function travelled (now: View, view: View, context: JobContext): Counterpart {
  const { x, y, fit } = shiftOf(now.thumb, view.thumb)
  const { up, down } = geometryOf(context.series)
  const warp = warpOf(outlineOf(now.thumb), outlineOf(view.thumb), { x, y })
  const then = warp ? warped(view.grey, warp) : view.grey
  const search = warp ? WARPED : around({ fromX: -SIDEWAYS, toX: SIDEWAYS, fromY: -up, toY: down }, x, y)
  const [a, b, c, d, e, f] = warp ?? [x, 1, 0, y, 0, 1]
  const still = { fromX: -TREMBLES, toX: TREMBLES, fromY: -TREMBLES, toY: TREMBLES }
  return {
    view,
    fit,
    x,
    y,
    like (map, cell, enough) {
      const [left, top] = cornerOf(map, cell)
      const moved = likeness(now.grey, then, left, top, search, enough)
      return moved >= enough ? moved : Math.max(moved, likeness(now.grey, view.grey, left, top, still, enough))
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

export const counterpartOf = (now: View, view: View, context: JobContext): Counterpart =>
  geometryOf(context.series).slinger ? travelled(now, view, context) : fixed(now.grey, view, context)
