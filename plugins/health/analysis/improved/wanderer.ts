import type { Grey } from '../pixels.js'
import { CELL, type CellMap } from './cells.js'
import { differences } from './surroundings.js'

/** Half the side of what is looked for, in pixels of a picture of half size. */
const HALF = 12
const SIDE = 2 * HALF
const AREA = SIDE * SIDE
/** Nearer than this it is the same place. */
const NEAR = 10
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
const MIDDLE = 128

/** What stands out from its surroundings, in a picture of half the size: edges and marks, not shapes and light. */
export function outlined (grey: Grey): Grey {
  const { width, height, data } = halved(grey)
  const out = new Uint8ClampedArray(data.length)
  differences(width, height, data, BLUR, (at, difference) => { out[at] = Math.floor(MIDDLE + difference) })
  return { width, height, data: new Uint8Array(out.buffer) }
}

/** Integer sums over the square that begins at a place, and its product with another picture's square. */
function compare (a: Grey, atA: number, b: Grey, atB: number) {
  let [sumB, sumBB, sumAB] = [0, 0, 0]
  for (let y = 0; y < SIDE; y++) {
    let fromA = atA + y * a.width
    let fromB = atB + y * b.width
    for (let x = 0; x < SIDE; x++, fromA++, fromB++) {
      const value = b.data[fromB] as number
      sumB += value
      sumBB += value * value
      sumAB += value * (a.data[fromA] as number)
    }
  }
  return { sumB, sumBB, sumAB }
}

/**
 * How much the surroundings of a place look like some other place of an earlier picture, -1 to 1. The tool head is
 * seen there where it was then; strands that have just fallen were nowhere.
 * @param x and y of the middle, in pixels of the halved pictures
 */
export function likenessElsewhere (now: Grey, before: Grey, x: number, y: number): number {
  const left = Math.max(0, Math.min(now.width - SIDE, Math.round(x) - HALF))
  const top = Math.max(0, Math.min(now.height - SIDE, Math.round(y) - HALF))
  const from = top * now.width + left
  const { sumB: sum, sumBB: squares } = compare(now, from, now, from)
  const spread = squares - sum * sum / AREA
  if (spread <= AREA) return -1
  const fitAt = (atX: number, atY: number) => {
    if (Math.abs(atX - left) < NEAR && Math.abs(atY - top) < NEAR) return -1
    const { sumB, sumBB, sumAB } = compare(now, from, before, atY * before.width + atX)
    const other = sumBB - sumB * sumB / AREA
    return other <= AREA ? -1 : (sumAB - sum * sumB / AREA) / Math.sqrt(spread * other)
  }
  let [best, bestX, bestY] = [-1, left, top]
  const look = (atX: number, atY: number) => {
    const fit = fitAt(atX, atY)
    if (fit > best) [best, bestX, bestY] = [fit, atX, atY]
  }
  const [lastX, lastY] = [before.width - SIDE, before.height - SIDE]
  for (let atY = 0; atY <= lastY; atY += STRIDE) for (let atX = 0; atX <= lastX; atX += STRIDE) look(atX, atY)
  for (let atY = Math.max(0, bestY - 1), toY = Math.min(lastY, bestY + 1); atY <= toY; atY++) {
    for (let atX = Math.max(0, bestX - 1), toX = Math.min(lastX, bestX + 1); atX <= toX; atX++) look(atX, atY)
  }
  return best
}

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
