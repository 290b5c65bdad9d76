import type { Grey } from './picture.js'

/** Why a frame cannot be judged; `blurred` only lowers the confidence. */
export type Gate = 'dark' | 'washed' | 'flat' | 'blurred'

/** Of 255. */
const DARK = 40
const WASHED = 215
const LOW_SHARE = 0.05
const HIGH_SHARE = 0.95
/** A scene spans more grey levels than this between the 5th and the 95th percentile; a covered lens does not. */
const FLAT = 6
/** Variance of the Laplacian. */
const BLURRED = 4

function percentiles (data: Uint8Array): { low: number, high: number } {
  const counts = new Uint32Array(256)
  for (const value of data) counts[value] = (counts[value] ?? 0) + 1
  const at = (share: number) => {
    let left = share * data.length
    for (let value = 0; value < 256; value++) {
      left -= counts[value] ?? 0
      if (left <= 0) return value
    }
    return 255
  }
  return { low: at(LOW_SHARE), high: at(HIGH_SHARE) }
}

function laplacianVariance ({ width, height, data }: Grey): number {
  let sum = 0
  let squares = 0
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1, end = at + width - 2; at < end; at++) {
      const value = (data[at - 1] ?? 0) + (data[at + 1] ?? 0) + (data[at - width] ?? 0) + (data[at + width] ?? 0) -
        4 * (data[at] ?? 0)
      sum += value
      squares += value * value
    }
  }
  const count = Math.max(1, (width - 2) * (height - 2))
  return squares / count - (sum / count) ** 2
}

/** The reason why a frame is poor; undefined for a good one. */
export function gateOf (grey: Grey): Gate | undefined {
  const { low, high } = percentiles(grey.data)
  if (high < DARK) return 'dark'
  if (low > WASHED) return 'washed'
  if (high - low < FLAT) return 'flat'
  return laplacianVariance(grey) < BLURRED ? 'blurred' : undefined
}

/** Share of the camera's weight in the confidence that such a frame retains, 0 to 1. */
export const trustOf = (gate: Gate | undefined): number => gate === undefined ? 1 : gate === 'blurred' ? 0.5 : 0

/** The frame shows nothing of the print. */
export const isBlind = (gate: Gate | undefined): boolean => trustOf(gate) === 0
