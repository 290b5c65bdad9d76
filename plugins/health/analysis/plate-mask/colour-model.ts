import type { Picture } from '../picture.js'
import type { Region } from './region.js'
import { lightAt, type SheetLight } from './sheet-light.js'

/** Levels in a bin of colours, and bins in a channel of differences from the sheet. */
const BIN = 16
const BINS = 32
/** Brightness of the sheet to which pictures are scaled, so that a lamp changes little, and below which no more. */
const USUAL = 90
const DARKEST = 30
/** A pixel in a bin counts so much for its neighbours too. */
const SPREAD = 0.5
/** Chance of a colour that was never seen. */
const UNSEEN = 2e-4
/** Log odds by which a pixel is taken as the one or the other. */
const CLEAR = 0.9

/** How often each colour was seen on the part and around it, as differences from the empty sheet. */
export interface ColourModel { readonly part: Float32Array, readonly around: Float32Array }

/** Bin of each pixel of a region, by its difference from the empty sheet. */
export function binsOf ({ width, data }: Picture, light: SheetLight, region: Region): Uint16Array {
  const { left, top, right, bottom } = region
  const bins = new Uint16Array((right - left) * (bottom - top))
  const sheet = new Float32Array(3)
  lightAt(light, width, (left + right) / 2, (top + bottom) / 2, sheet)
  const scale = USUAL / Math.max(DARKEST, (sheet[0]! + sheet[1]! + sheet[2]!) / 3) / BIN
  for (let y = top, to = 0; y < bottom; y++) {
    for (let x = left; x < right; x++, to++) {
      const at = (y * width + x) * 3
      lightAt(light, width, x, y, sheet)
      let bin = 0
      for (let channel = 0; channel < 3; channel++) {
        const off = Math.round((data[at + channel]! - sheet[channel]!) * scale) + BINS / 2
        bin = bin * BINS + Math.max(0, Math.min(BINS - 1, off))
      }
      bins[to] = bin
    }
  }
  return bins
}

/** Whether a bin is next to that of the empty sheet, or is it. */
export const isLikeSheet = (bin: number): boolean =>
  [bin % BINS, Math.floor(bin / BINS) % BINS, Math.floor(bin / BINS ** 2)].every(off => Math.abs(off - BINS / 2) <= 1)

/**
 * How well the colours tell what is in a mask from what is not: the share of what there is to know about it that they
 * say, 0 to 1.
 * @param sideOf 1 in the mask, -1 beside it, 0 neither, by pixel
 */
export function agreementOf (bins: Uint16Array, sideOf: (at: number) => number): number {
  const counts = new Uint32Array(BINS ** 3 * 2)
  let [inside, beside] = [0, 0]
  for (let at = 0; at < bins.length; at++) {
    const side = sideOf(at)
    if (side === 0) continue
    counts[bins[at]! * 2 + (side > 0 ? 1 : 0)]!++
    if (side > 0) inside++
    else beside++
  }
  const all = inside + beside
  const [p, q] = [inside / all, beside / all]
  const unknown = -p * Math.log(p) - q * Math.log(q)
  if (!(unknown > 0)) return 0 // all is on one side
  let left = 0
  for (let bin = 0; bin < counts.length; bin += 2) {
    const [no, yes] = [counts[bin]!, counts[bin + 1]!]
    if (no > 0) left -= no * Math.log(no / (no + yes))
    if (yes > 0) left -= yes * Math.log(yes / (no + yes))
  }
  return 1 - left / all / unknown
}

const STEPS = [1, BINS, BINS * BINS]

function spread (counts: Float32Array): Float32Array {
  let now = counts
  for (const step of STEPS) {
    const next = Float32Array.from(now)
    for (let bin = 0; bin < now.length; bin++) {
      const value = now[bin]! * SPREAD
      if (value === 0) continue
      const at = Math.floor(bin / step) % BINS
      if (at > 0) next[bin - step]! += value
      if (at < BINS - 1) next[bin + step]! += value
    }
    now = next
  }
  const sum = now.reduce((total, value) => total + value, 0)
  return sum === 0 ? now : now.map(value => value / sum)
}

/** Learns from a picture. @param sideOf 1 the part, -1 around it, 0 neither, by pixel */
export function learnColours (bins: Uint16Array, sideOf: (at: number) => number): ColourModel {
  const part = new Float32Array(BINS ** 3)
  const around = new Float32Array(BINS ** 3)
  for (let at = 0; at < bins.length; at++) {
    const side = sideOf(at)
    if (side > 0) part[bins[at]!]!++
    else if (side < 0) around[bins[at]!]!++
  }
  return { part: spread(part), around: spread(around) }
}

/** The mean of two models. @param share of the second */
export const mixed = (one: ColourModel, other: ColourModel, share: number): ColourModel => ({
  part: one.part.map((value, bin) => value + (other.part[bin]! - value) * share),
  around: one.around.map((value, bin) => value + (other.around[bin]! - value) * share)
})

/** What each pixel looks like: 1 the part, -1 what is around it, 0 either. */
export function classify (bins: Uint16Array, { part, around }: ColourModel): Int8Array {
  const classes = new Int8Array(part.length)
  for (let bin = 0; bin < part.length; bin++) {
    const odds = Math.log((part[bin]! + UNSEEN) / (around[bin]! + UNSEEN))
    classes[bin] = odds > CLEAR ? 1 : odds < -CLEAR ? -1 : 0
  }
  return Int8Array.from(bins, bin => classes[bin]!)
}
