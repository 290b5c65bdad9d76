import { clamp01 } from '../picture.js'

/** 0 up to `from`, 1 from `to` on, smooth in between. */
export const smoothStep = (value: number, from: number, to: number): number => {
  const share = clamp01((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}
