import type { JobContext } from '../../types.js'
import { CELL, type CellMap } from './cell-grid.js'
import { contains, geometryOf, plateOf } from './geometry.js'
import { crossCorrelation, type Found, type Search } from './cross-correlation.js'
import type { GreyFrame } from './analysis-state.js'
import { fineCorrelation, type Guess } from './fine-correlation.js'
import { shakeBetween } from './camera-shake.js'
import { smoothStep } from './smooth-step.js'
import { edgesOf } from './edge-map.js'
import { FACTOR, type DownscaledImage } from './downscale.js'
import { plateDropOf } from './plate-drop.js'
import { refinedMapping, warpedFrame } from './affine-fit.js'
import { fitOver, travelBetween, travelling, type Mapping } from './plate-travel.js'

/** A previous frame, aligned with the current one. */
export interface Registration<F extends GreyFrame = GreyFrame> {
  readonly previous: F
  /** Correlation of the aligned plates, -1 to 1. */
  readonly fit: number
  /** Similarity of a cell to the same place in the previous frame, 0 to 1; the search ends at `enough`. */
  similarity (map: CellMap, cell: number, enough: number): number
  /** The cell of the previous frame that shows the same place; undefined outside of it. */
  cellOf (map: CellMap, cell: number): number | undefined
}

/** Camera shake, in pixels. */
const SHAKE = 2
/** Parts stand above the plate, so their parallax differs from its own. */
const WARPED: Search = { fromX: -3, toX: 3, fromY: -4, toY: 4 }
/** For a plate whose position is known only roughly. */
const LOOSE: Search = { fromX: -5, toX: 5, fromY: -6, toY: 6 }

/** Near the camera the plate sinks by up to this many times as much as at its rear. */
const NEARER = 2.5
/** Accuracy of the fitted plate drop, in pixels. */
const FITTED = 4
const STATIC: Search = { fromX: -SHAKE, toX: SHAKE, fromY: -SHAKE, toY: SHAKE }

/** From this correlation of smoothed texture on a cell begins to count as the same, and at this it does entirely. */
const ALIKE = 0.75
const SAME = 0.92

/** How two frames are compared. */
export interface Comparison {
  readonly context: JobContext
  /** How much of the sheet has a grain that has to be found to a fraction of a pixel, 0 to 1. */
  readonly grain: number
  /** Cells that show the plate, which moves by itself. */
  readonly region: Uint8Array | undefined
}

/** From this movement of the whole picture on texture begins to look different, and at this it does, in pixels. */
const MOVED = { from: 0.1, to: 0.25 }

/** How much the texture has to be found to a fraction of a pixel, 0 to 1. */
const fineness = (frame: GreyFrame, previous: GreyFrame, { grain, region }: Comparison): number => grain === 1
  ? 1
  : Math.max(grain, smoothStep(shakeBetween(frame.smoothed, previous.smoothed, region), MOVED.from, MOVED.to))

/** Similarity of a cell, once its grain was found to a fraction of a pixel. */
function refined (fit: number, fineness: number, find: () => number | undefined): number {
  const found = fineness === 0 ? undefined : find()
  return found === undefined ? fit : fit + (1 - fit) * fineness * smoothStep(found, ALIKE, SAME)
}

const straight = ({ x, y }: Found): Guess => ({ x, y, across: [1, 0], along: [0, 1] })

/** For a bed that only sinks: the same places lay farther up in the previous frame. */
function onSinkingBed<F extends GreyFrame> (frame: GreyFrame, previous: F,
  comparison: Comparison): Registration<F> {
  const { context } = comparison
  const fine = once(() => fineness(frame, previous, comparison))
  const { up, down } = geometryOf(context.series)
  const sunk = frame.sunk === undefined || previous.sunk === undefined ? 0 : frame.sunk - previous.sunk
  const most = NEARER * sunk * frame.grey.height
  // While the possible drop is small, trying every offset is cheaper than fitting it.
  const plateDrop = most <= up
    ? undefined
    : plateDropOf(edgesOf(frame.downscaled), edgesOf(previous.downscaled), onPlate(frame, context),
      Math.ceil(most / FACTOR))
  const anyDrop: Search = { fromX: -SHAKE, toX: SHAKE, fromY: -Math.max(up, Math.ceil(most)), toY: down }
  const downAt = (y: number) => plateDrop === undefined ? 0 : Math.max(0, Math.round(plateDrop.a + plateDrop.c * y))
  return {
    previous,
    fit: 1,
    similarity (map, cell, enough) {
      const [left, top] = cornerOf(map, cell)
      const by = downAt(top + CELL / 2)
      const searches = plateDrop ? [{ ...STATIC, fromY: -by - FITTED, toY: -by + FITTED }, STATIC] : [anyDrop]
      let best = 0
      for (const search of searches) {
        const found = crossCorrelation(frame.grey, previous.grey, left, top, search, enough)
        best = Math.max(best, refined(found.fit, fine(), () =>
          fineCorrelation(frame.smoothed, previous.smoothed, left, top, straight(found))))
        if (best >= enough) return best
      }
      return best
    },
    cellOf (map, cell) {
      const [left, top] = cornerOf(map, cell)
      const middle = top + CELL / 2
      const row = Math.floor((middle - downAt(middle)) / CELL)
      return row < 0 ? undefined : row * map.columns + left / CELL
    }
  }
}

/** Tells whether a pixel of an edge map shows the plate. */
function onPlate ({ downscaled: { width, height } }: GreyFrame, context: JobContext) {
  const plate = plateOf(context)
  return (x: number, y: number) => contains(plate, x / width, y / height)
}

const cornerOf = ({ columns }: CellMap, cell: number): [left: number, top: number] =>
  [cell % columns * CELL, Math.floor(cell / columns) * CELL]

/** Calls `make` on the first call only. */
export function once<T> (make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** How far from its guessed place a patch of the plate is searched for, in pixels of an edge map. */
const REACH = 4

/** A rough guess of where the plate lies in the previous frame, in pixels of edge maps. */
function travelled (frame: DownscaledImage, previous: DownscaledImage, { series }: JobContext): Mapping {
  const at = travelling(series, frame.width, frame.height)
  return at ? at(travelBetween(frame, previous, at)) : (x, y) => [x, y]
}

/** For a moving bed: the plate looks larger the nearer it comes, while its surroundings stay. */
function onMovingBed<F extends GreyFrame> (frame: GreyFrame, previous: F,
  comparison: Comparison): Registration<F> {
  const { context } = comparison
  const fine = once(() => fineness(frame, previous, comparison))
  const edges = once(() => [edgesOf(frame.downscaled), edgesOf(previous.downscaled)] as const)
  const guess = travelled(...edges(), context)
  const overlay = once(() => {
    const { map, isFound } = refinedMapping(...edges(), guess, REACH)
    return { map, warped: warpedFrame(previous.grey, map), search: isFound ? WARPED : LOOSE }
  })
  return {
    previous,
    fit: fitOver(frame.downscaled, previous.downscaled, guess),
    similarity (map, cell, enough) {
      const [left, top] = cornerOf(map, cell)
      const { map: to, warped, search } = overlay()
      const moved = crossCorrelation(frame.grey, warped, left, top, search, enough)
      const best = refined(moved.fit, fine(), () =>
        fineCorrelation(frame.smoothed, previous.smoothed, left, top, guessBy(to, moved)))
      if (best >= enough) return best
      const still = crossCorrelation(frame.grey, previous.grey, left, top, STATIC, enough)
      return Math.max(best, refined(still.fit, fine(), () =>
        fineCorrelation(frame.smoothed, previous.smoothed, left, top, straight(still))))
    },
    cellOf (map, cell) {
      const [left, top] = cornerOf(map, cell)
      const [x, y] = overlay().map(left + CELL / 2, top + CELL / 2)
      const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)]
      return column >= 0 && row >= 0 && column < map.columns && row < map.rows ? row * map.columns + column : undefined
    }
  }
}

/** A mapping around a place, as a straight one. */
function guessBy (to: Mapping, { x, y }: Found): Guess {
  const [atX, atY] = to(x, y)
  const [rightX, rightY] = to(x + CELL, y)
  const [downX, downY] = to(x, y + CELL)
  return {
    x: atX,
    y: atY,
    across: [(rightX - atX) / CELL, (rightY - atY) / CELL],
    along: [(downX - atX) / CELL, (downY - atY) / CELL]
  }
}

export function registerFrame<F extends GreyFrame> (frame: GreyFrame, previous: F,
  comparison: Comparison): Registration<F> {
  const register = geometryOf(comparison.context.series).slinger ? onMovingBed : onSinkingBed
  return register(frame, previous, comparison)
}
