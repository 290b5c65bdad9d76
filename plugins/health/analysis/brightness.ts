import { boxOf, type Box, type Picture } from './picture.js'

/** The part of the frame that every brightness measure is taken from. */
export const airZone = (picture: Picture): Box => boxOf(picture, 0.1, 0, 0.9, 0.4)

/** Brighter than this counts as hot, of 255. */
export const HOT = 120

/** Share of a zone's pixels that are hot; 0 for an empty zone. */
export function hotShare ({ width, data }: Picture, { left, top, right, bottom }: Box): number {
  let hot = 0
  for (let y = top; y < bottom; y++) {
    let from = (y * width + left) * 3
    for (let x = left; x < right; x++, from += 3) {
      if ((data[from] ?? 0) + (data[from + 1] ?? 0) + (data[from + 2] ?? 0) > HOT * 3) hot++
    }
  }
  return hot / Math.max(1, (right - left) * (bottom - top))
}

/** Mean difference of two pictures of the same size over a zone and all channels, 0 to 1. */
export function brightnessDifference (picture: Picture, reference: Picture, { left, top, right, bottom }: Box): number {
  let sum = 0
  for (let y = top; y < bottom; y++) {
    const end = (y * picture.width + right) * 3
    for (let at = (y * picture.width + left) * 3; at < end; at++) {
      sum += Math.abs((picture.data[at] ?? 0) - (reference.data[at] ?? 0))
    }
  }
  return sum / Math.max(1, (right - left) * (bottom - top) * 3) / 255
}
