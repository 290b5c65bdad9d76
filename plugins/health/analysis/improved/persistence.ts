import { clamp01 } from '../pixels.js'
import type { CellMap } from './cell-grid.js'
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
