import type { Picture } from '../picture.js'

type Point = readonly [x: number, y: number]

/** The colour of the empty sheet over the picture: for each channel a level, and how it changes with x and y. */
export interface SheetLight { readonly planes: readonly (readonly [level: number, byX: number, byY: number])[] }

/** One pixel of so many in each direction is used. */
const STRIDE = 3
const BIN = 12
const BINS = 32
/** Levels by which the sheet may differ from its colour before and after the light is known. */
const WIDE = 34
const NARROW = 22
const PASSES = 3
/** Fewer pixels say nothing. */
const FEWEST = 200

export const contains = (polygon: readonly Point[], x: number, y: number): boolean => {
  let inside = false
  for (let at = 0, last = polygon.length - 1; at < polygon.length; last = at++) {
    const [[x1, y1], [x2, y2]] = [polygon[at]!, polygon[last]!]
    if ((y1 > y) !== (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)) inside = !inside
  }
  return inside
}

/** Solves three equations; undefined if they have no single solution. */
function solved (m: readonly number[], v: readonly number[]): [number, number, number] | undefined {
  const [a, b, c, , e, f, , , i] = m as [number, number, number, number, number, number, number, number, number]
  const determinant = a * (e * i - f * f) - b * (b * i - f * c) + c * (b * f - e * c)
  if (Math.abs(determinant) < 1e-9) return undefined
  const [x, y, z] = v as [number, number, number]
  return [
    ((e * i - f * f) * x + (c * f - b * i) * y + (b * f - c * e) * z) / determinant,
    ((c * f - b * i) * x + (a * i - c * c) * y + (b * c - a * f) * z) / determinant,
    ((b * f - c * e) * x + (b * c - a * f) * y + (a * e - b * b) * z) / determinant
  ]
}

/** The most frequent colour. */
function commonest ({ data }: Picture, pixels: readonly number[]): [number, number, number] {
  const counts = new Map<number, number>()
  for (const at of pixels) {
    const bins = [0, 1, 2].map(channel => Math.floor(data[at * 3 + channel]! / BIN))
    const key = bins.reduce((number, bin) => number * BINS + bin, 0)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  let [best, most] = [0, 0]
  for (const [key, count] of counts) if (count > most) [best, most] = [key, count]
  const bins = [Math.floor(best / BINS ** 2), Math.floor(best / BINS) % BINS, best % BINS]
  return bins.map(bin => (bin + 0.5) * BIN) as [number, number, number]
}

/**
 * Colour and light of the sheet, from those pixels of a region that have its commonest colour.
 * @param isSheet whether a pixel may show the empty sheet
 */
export function sheetLightOf (picture: Picture, isSheet: (x: number, y: number) => boolean): SheetLight | undefined {
  const { width, height, data } = picture
  const pixels: number[] = []
  for (let y = 1; y < height; y += STRIDE) {
    for (let x = 1; x < width; x += STRIDE) if (isSheet(x, y)) pixels.push(y * width + x)
  }
  if (pixels.length < FEWEST) return undefined
  let planes: (readonly [number, number, number])[] = commonest(picture, pixels).map(level => [level, 0, 0] as const)
  for (let pass = 0; pass < PASSES; pass++) {
    const most = pass === 0 ? WIDE : NARROW
    const m = new Float64Array(9)
    const sums = [new Float64Array(3), new Float64Array(3), new Float64Array(3)]
    let count = 0
    for (const at of pixels) {
      const [x, y] = [at % width / width, Math.floor(at / width) / width]
      const isOther = planes.some(([level, byX, byY], channel) =>
        Math.abs(data[at * 3 + channel]! - level - byX * x - byY * y) > most)
      if (isOther) continue
      count++
      const terms = [1, x, y]
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++) m[row * 3 + column]! += terms[row]! * terms[column]!
        for (let channel = 0; channel < 3; channel++) sums[channel]![row]! += terms[row]! * data[at * 3 + channel]!
      }
    }
    if (count < FEWEST / 2) return undefined
    const next = sums.map(sum => solved([...m], [...sum]))
    if (next.includes(undefined)) return undefined
    planes = next as [number, number, number][]
  }
  return { planes }
}

/** Levels of the empty sheet at a pixel, red, green and blue. @param out is filled */
export function lightAt ({ planes }: SheetLight, width: number, x: number, y: number, out: Float32Array): void {
  for (let channel = 0; channel < 3; channel++) {
    const [level, byX, byY] = planes[channel]!
    out[channel] = level + (byX * x + byY * y) / width
  }
}
