import type { Grey } from '../picture.js'
import { CELL, densestAt, type CellMap } from './cell-grid.js'
import { scaled } from './toolhead-tracker.js'
import { spreadsOf } from './edge-map.js'
import type { DownscaledImage } from './downscale.js'
import { localContrast } from './local-contrast.js'
import { once, type Registration } from './frame-registration.js'
import type { AnalysedFrame, GreyFrame } from './analysis-state.js'
import { CLEAN } from './suspicion.js'

/** A finding behind the tool head decays by this factor from frame to frame. */
const DECAY = 0.9

export const emptyAs = (map: CellMap): CellMap => ({ ...map, values: new Float32Array(map.values.length) })

/** Cells behind the tool head retain the findings of the previous frame. */
export function withHidden (lasting: CellMap, hidden: Uint8Array,
  last: Registration<AnalysedFrame> | undefined): CellMap {
  if (!last) return lasting
  const values = lasting.values.map((value, cell) => {
    const there = hidden[cell] === 1 ? last.cellOf(lasting, cell) : undefined
    return there === undefined ? value : Math.max(value, DECAY * (last.previous.lasting.values[there] as number))
  })
  return { ...lasting, values }
}

/** Half the side of the search window, in pixels of a frame of half size. */
const HALF = 12
const SIDE = 2 * HALF
const AREA = SIDE * SIDE
/** Windows with less contrast (root of the sum of squares) match anything. */
const LEAST_SPREAD = SIDE
/** Nearer than this counts as the same place. */
const NEAR = 10
/** An object that comes nearer or goes farther looks larger or smaller. */
const SIZES = [0.8, 1.25]
/** Step of the coarse search; then the places around the best are tried. */
const STRIDE = 2

function halved ({ width, height, data }: Grey): Grey {
  const wide = width >> 1
  const high = height >> 1
  const out = new Uint8Array(wide * high)
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const at = 2 * y * width + 2 * x
      out[y * wide + x] = ((data[at] as number) + (data[at + 1] as number) +
        (data[at + width] as number) + (data[at + width + 1] as number)) >> 2
    }
  }
  return { width: wide, height: high, data: out }
}

/** Pixels to each side over which the local mean is taken. */
const BLUR = 3
const MOST = 127

/** An edge map to search in, and the contrast of its windows. */
interface EdgeMap extends DownscaledImage { readonly spreads: Float32Array }

const withSpreads = (of: DownscaledImage): EdgeMap => ({ ...of, spreads: spreadsOf(of, SIDE) })

/** Local contrast of a frame of half the size: edges and marks, not shapes and light. */
function edgeMapOf (grey: Grey): EdgeMap {
  const { width, height, data } = halved(grey)
  const values = new Float32Array(data.length)
  localContrast(width, height, data, BLUR, (at, difference) => {
    values[at] = Math.max(-MOST, Math.min(MOST, Math.floor(difference)))
  })
  return withSpreads({ width, height, values })
}

/** A window with its mean subtracted. */
function squareAt ({ width, values }: DownscaledImage, left: number, top: number): Float32Array {
  const own = Float32Array.from({ length: AREA }, (_, at) =>
    values[(top + Math.floor(at / SIDE)) * width + left + at % SIDE] as number)
  const mean = own.reduce((sum, value) => sum + value, 0) / AREA
  return own.map(value => value - mean)
}

/**
 * Best correlation of the window around a place with any other place of a previous frame, -1 to 1. The tool head was
 * somewhere else then; strands that have just fallen were nowhere.
 * @param x and y of the middle, in pixels of the halved frames
 * @param size factor by which the previous edge map was resized
 */
function similarityElsewhere (frame: EdgeMap, previous: EdgeMap, x: number, y: number, size = 1): number {
  const left = Math.max(0, Math.min(frame.width - SIDE, Math.round(x) - HALF))
  const top = Math.max(0, Math.min(frame.height - SIDE, Math.round(y) - HALF))
  const spread = frame.spreads[top * frame.width + left] as number
  if (spread <= LEAST_SPREAD) return -1
  const own = squareAt(frame, left, top)
  const { width, height, values, spreads } = previous
  const isNear = (at: number, here: number) => Math.abs((at + HALF) / size - HALF - here) < NEAR
  const fitAt = (atX: number, atY: number) => {
    const other = spreads[atY * width + atX] as number
    if (other <= LEAST_SPREAD || (isNear(atX, left) && isNear(atY, top))) return -1
    let product = 0
    for (let row = 0, at = atY * width + atX, from = 0; row < SIDE; row++, at += width) {
      for (let column = 0; column < SIDE; column++, from++) {
        product += (values[at + column] as number) * (own[from] as number)
      }
    }
    return product / (spread * other)
  }
  let [best, bestX, bestY] = [-1, left, top]
  const compare = (atX: number, atY: number) => {
    const fit = fitAt(atX, atY)
    if (fit > best) [best, bestX, bestY] = [fit, atX, atY]
  }
  const [lastX, lastY] = [width - SIDE, height - SIDE]
  for (let atY = 0; atY <= lastY; atY += STRIDE) for (let atX = 0; atX <= lastX; atX += STRIDE) compare(atX, atY)
  for (let atY = Math.max(0, bestY - 1), toY = Math.min(lastY, bestY + 1); atY <= toY; atY++) {
    for (let atX = Math.max(0, bestX - 1), toX = Math.min(lastX, bestX + 1); atX <= toX; atX++) compare(atX, atY)
  }
  return best
}

/** An edge map as it would look nearer and farther. */
const otherSizes = (edges: EdgeMap) =>
  SIZES.map(size => ({ size, edges: withSpreads(scaled(edges, size)) }))

/** A map with the cells around one of them set to 0. */
function without (map: CellMap, cell: number, reach: number): CellMap {
  const column = cell % map.columns
  const row = Math.floor(cell / map.columns)
  const values = map.values.map((value, at) =>
    Math.abs(at % map.columns - column) <= reach && Math.abs(Math.floor(at / map.columns) - row) <= reach ? 0 : value)
  return { ...map, values }
}

/** The middle of a cell in pixels of a frame of half size. */
const middleOf = ({ columns }: CellMap, cell: number): readonly [x: number, y: number] =>
  [(cell % columns + 0.5) * CELL / 2, (Math.floor(cell / columns) + 0.5) * CELL / 2]

/** From this similarity to another place of a previous frame on, it is an object that moves: the tool head. */
const MOVED = 0.55
/** Cells around its middle that the head covers. */
const HEAD_REACH = 2
/** The head shows at no more peaks than this that are worth checking. */
const MOST_PEAKS = 5
/** Weaker peaks are not searched for at other sizes. */
const SUSPICIOUS = 0.1

/**
 * Removes findings that were elsewhere in a previous frame.
 * @param thorough whether other sizes are searched too, because the head is not known for sure
 */
export function withoutMovedObjects (lasting: CellMap, frame: GreyFrame, previous: readonly GreyFrame[],
  thorough: boolean): CellMap {
  let map = lasting
  let ownEdges: EdgeMap | undefined
  const others = previous.map(({ grey }) => once(() => edgeMapOf(grey)))
  const sizes = others.map(other => once(() => otherSizes(other())))
  for (let peak = 0; peak < MOST_PEAKS; peak++) {
    const { cell, mean } = densestAt(map)
    if (mean < CLEAN) break
    const own = ownEdges ??= edgeMapOf(frame.grey)
    const [x, y] = middleOf(map, cell)
    const hasMoved = others.some(other => similarityElsewhere(own, other(), x, y) >= MOVED) ||
      (thorough && mean > SUSPICIOUS && sizes.some(all => all().some(({ size, edges }) =>
        similarityElsewhere(own, edges, x, y, size) >= MOVED)))
    if (!hasMoved) break
    map = without(map, cell, HEAD_REACH)
  }
  return map
}
