import { mostAround, type CellMap } from './cell-grid.js'
import type { Counterpart } from './frame-registration.js'
import type { Look } from './analysis-state.js'
import type { PlateView } from './plate-view.js'
import { emptyAs, smoothStep } from './persistence.js'

/** So many earlier frames must show it too: a tool head that is not known is not three times at one place. */
const CONFIRMED_BY = { known: 1, unknown: 2 }
/** Likeness to an earlier frame from which a cell may be at rest, and above which it is. */
const REST = { still: [0.1, 0.5], travelling: [0.3, 0.7] } as const
/** A rough or gridded sheet looks tangled a little everywhere: no more than so many times as much as most cells do. */
const ORDINARY = { most: 0.75, times: 2, nearlyAll: 0.9 }
/** What is told by the job's own plate counts so much, and what is known from nothing but the picture. */
const WEIGHT = { known: 1, travelling: 0.7, unknown: 0.5 }

/** How tangled an ordinary cell of the sheet looks. */
function ordinaryOf ({ tangle: { values }, plate: { sheet, inside }, hidden, travels }: Unexpected): number {
  const found = [...values].filter((_, cell) => sheet[cell] === 1 && inside?.[cell] !== 1 && hidden[cell] !== 1)
    .sort((a, b) => a - b)
  const at = (share: number) => found[Math.floor(share * found.length)] ?? 0
  return travels ? at(ORDINARY.nearlyAll) : Math.min(at(ORDINARY.nearlyAll), ORDINARY.times * at(ORDINARY.most))
}

export interface Unexpected {
  readonly tangle: CellMap
  readonly plate: PlateView
  readonly hidden: Uint8Array
  readonly isHeadKnown: boolean
  /** Where the plate is is known but roughly. */
  readonly travels: boolean
  /** The last frames, the newest first. */
  readonly earlier: readonly { readonly look: Look, readonly then: Counterpart }[]
}

/**
 * Tangles where nothing is to be printed that lie still in the last frames, whether or not the first picture showed
 * them too. Without the job's plate any place counts, but less.
 */
export function unexpectedOf (seen: Unexpected): CellMap {
  const { tangle, plate, isHeadKnown, travels, earlier } = seen
  const confirmations = isHeadKnown && !travels ? CONFIRMED_BY.known : CONFIRMED_BY.unknown
  if (earlier.length < confirmations) return emptyAs(tangle)
  const ordinary = ordinaryOf(seen)
  const { sheet, inside } = plate
  const weight = !inside ? WEIGHT.unknown : travels ? WEIGHT.travelling : WEIGHT.known
  const [moves, rests] = travels ? REST.travelling : REST.still
  const values = tangle.values.map((value, cell) => {
    if (value <= ordinary || sheet[cell] !== 1 || inside?.[cell] === 1) return 0
    let least = value - ordinary
    for (const { look, then } of earlier.slice(0, confirmations)) {
      const there = then.cellOf(tangle, cell)
      const stood = there === undefined ? 0 : Math.max(0, mostAround(look.tangle, there) - ordinary)
      if (stood === 0) return 0
      least = Math.min(least, stood) * smoothStep(then.like(tangle, cell, rests), moves, rests)
    }
    return weight * least
  })
  return { ...tangle, values }
}

/** How much a lasting tangle counts: supports and infill look tangled where parts are, and walls are no plate. */
const COUNTS = { sheet: 1.4, part: 0.9, tree: 0.6, elsewhere: 0.4 }

/** What lasts, weighed by where it is. */
export function weighed (lasting: CellMap, { sheet, inside }: PlateView, hasTrees: boolean): CellMap {
  if (!inside) return lasting
  const part = hasTrees ? COUNTS.tree : COUNTS.part
  const values = lasting.values.map((value, cell) =>
    value * (inside[cell] === 1 ? part : sheet[cell] === 1 ? COUNTS.sheet : COUNTS.elsewhere))
  return { ...lasting, values }
}
