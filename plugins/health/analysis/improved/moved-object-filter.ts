import type { Grey } from '../pixels.js'
import { CELL, type CellMap } from './cell-grid.js'
import { scaled } from './toolhead-tracker.js'
import { spreadsOf } from './edge-map.js'
import type { DownscaledImage } from './translation-search.js'
import { differences } from './local-contrast.js'
import { clamp01 } from '../pixels.js'
import type { Counterpart } from './frame-registration.js'
import type { Look } from './analysis-state.js'

/** What the tool head hides now is believed a little less each time. */
const BELIEF = 0.9

export const smoothStep = (value: number, from: number, to: number) => {
  const share = clamp01((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

export const emptyAs = (map: CellMap): CellMap => ({ ...map, values: new Float32Array(map.values.length) })

/** A frame that was analysed, and how it lies to the one of now. */
export interface Recalled { readonly look: Look, readonly then: Counterpart }

/** What the tool head hides is taken to be as it was before. */
export function withHidden (lasting: CellMap, hidden: Uint8Array, last: Recalled | undefined): CellMap {
  if (!last) return lasting
  const values = lasting.values.map((value, cell) => {
    const there = hidden[cell] === 1 ? last.then.cellOf(lasting, cell) : undefined
    return there === undefined ? value : Math.max(value, BELIEF * (last.look.lasting.values[there] as number))
  })
  return { ...lasting, values }
}

/** Half the side of what is looked for, in pixels of a picture of half size. */
const HALF = 12
const SIDE = 2 * HALF
const AREA = SIDE * SIDE
/** Squares with less contrast, as a root of the sum of squares, look like anything. */
const LEAST_SPREAD = SIDE
/** Nearer than this it is the same place. */
const NEAR = 10
/** A thing that comes nearer or goes farther looks larger or smaller. */
const SIZES = [0.8, 1.25]
/** Every so many places are tried, then those around the best. */
const STRIDE = 2

/** Half the size. */
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

/** Around each pixel so far the mean is taken. */
const BLUR = 3
const MOST = 127

/** A picture to look for a place in, and the contrast of its squares. */
export interface EdgeMap extends DownscaledImage { readonly spreads: Float32Array }

const withSpreads = (of: DownscaledImage): EdgeMap => ({ ...of, spreads: spreadsOf(of, SIDE) })

/** What stands out from its surroundings, in a picture of half the size: edges and marks, not shapes and light. */
export function edgeMapOf (grey: Grey): EdgeMap {
  const { width, height, data } = halved(grey)
  const values = new Float32Array(data.length)
  differences(width, height, data, BLUR, (at, difference) => {
    values[at] = Math.max(-MOST, Math.min(MOST, Math.floor(difference)))
  })
  return withSpreads({ width, height, values })
}

/** A square, its mean taken off. */
function squareAt ({ width, values }: DownscaledImage, left: number, top: number): Float32Array {
  const own = Float32Array.from({ length: AREA }, (_, at) =>
    values[(top + Math.floor(at / SIDE)) * width + left + at % SIDE] as number)
  const mean = own.reduce((sum, value) => sum + value, 0) / AREA
  return own.map(value => value - mean)
}

/**
 * How much the surroundings of a place look like some other place of an earlier picture, -1 to 1. The tool head is
 * seen there where it was then; strands that have just fallen were nowhere.
 * @param x and y of the middle, in pixels of the halved pictures
 * @param size of the earlier picture, which was resized by so much
 */
export function similarityElsewhere (now: EdgeMap, before: EdgeMap, x: number, y: number, size = 1): number {
  const left = Math.max(0, Math.min(now.width - SIDE, Math.round(x) - HALF))
  const top = Math.max(0, Math.min(now.height - SIDE, Math.round(y) - HALF))
  const spread = now.spreads[top * now.width + left] as number
  if (spread <= LEAST_SPREAD) return -1
  const own = squareAt(now, left, top)
  const { width, height, values, spreads } = before
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
  const look = (atX: number, atY: number) => {
    const fit = fitAt(atX, atY)
    if (fit > best) [best, bestX, bestY] = [fit, atX, atY]
  }
  const [lastX, lastY] = [width - SIDE, height - SIDE]
  for (let atY = 0; atY <= lastY; atY += STRIDE) for (let atX = 0; atX <= lastX; atX += STRIDE) look(atX, atY)
  for (let atY = Math.max(0, bestY - 1), toY = Math.min(lastY, bestY + 1); atY <= toY; atY++) {
    for (let atX = Math.max(0, bestX - 1), toX = Math.min(lastX, bestX + 1); atX <= toX; atX++) look(atX, atY)
  }
  return best
}

/** An outlined picture as it would look nearer and farther. */
export const otherSizes = (edges: EdgeMap) =>
  SIZES.map(size => ({ size, edges: withSpreads(scaled(edges, size)) }))

/** A map without the cells around one of them. */
export function without (map: CellMap, cell: number, reach: number): CellMap {
  const column = cell % map.columns
  const row = Math.floor(cell / map.columns)
  const values = map.values.map((value, at) =>
    Math.abs(at % map.columns - column) <= reach && Math.abs(Math.floor(at / map.columns) - row) <= reach ? 0 : value)
  return { ...map, values }
}

/** The middle of a cell in pixels of a picture of half size. */
export const middleOf = ({ columns }: CellMap, cell: number): readonly [x: number, y: number] =>
  [(cell % columns + 0.5) * CELL / 2, (Math.floor(cell / columns) + 0.5) * CELL / 2]
