import { clamp01 } from '../pixels.js'
import { mostAround, type CellMap } from './cell-grid.js'
import type { Counterpart } from './frame-registration.js'
import type { Look } from './analysis-state.js'

/** Likeness to an earlier frame from which a cell may be at rest, and above which it is. */
const MOVES = 0.2
const RESTS = 0.8
/** What the tool head hides now is believed a little less each time. */
const BELIEF = 0.9

export const smoothStep = (value: number, from: number, to: number) => {
  const share = clamp01((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

export const emptyAs = (map: CellMap): CellMap => ({ ...map, values: new Float32Array(map.values.length) })

/** A frame that was analysed, and how it lies to the one of now. */
export interface Recalled { readonly look: Look, readonly then: Counterpart }

/**
 * What is new now and was new before at the same place of the plate or next to it, and looks the same: strands lie
 * where they fell, while the tool head has moved on.
 */
export function lastingOf (novelty: CellMap, earlier: readonly Recalled[]): CellMap {
  const values = novelty.values.map((value, cell) => {
    if (value === 0) return 0
    let most = 0
    for (const { look, then } of earlier) {
      const there = then.cellOf(novelty, cell)
      const stayed = there === undefined ? 0 : Math.min(value, mostAround(look.novelty, there))
      if (stayed > most) most = Math.max(most, stayed * smoothStep(then.like(novelty, cell, RESTS), MOVES, RESTS))
    }
    return most
  })
  return { ...novelty, values }
}

/** What the tool head hides is taken to be as it was before. */
export function withHidden (lasting: CellMap, hidden: Uint8Array, last: Recalled | undefined): CellMap {
  if (!last) return lasting
  const values = lasting.values.map((value, cell) => {
    const there = hidden[cell] === 1 ? last.then.cellOf(lasting, cell) : undefined
    return there === undefined ? value : Math.max(value, BELIEF * (last.look.lasting.values[there] as number))
  })
  return { ...lasting, values }
}
