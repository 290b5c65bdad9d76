import type { CellMap } from './cell-grid.js'
import type { PlateView } from './plate-view.js'

/** A rough or gridded sheet looks tangled a little everywhere: no more than so many times as much as most cells do. */
const ORDINARY = { most: 0.75, times: 2, nearlyAll: 0.9 }

interface Ordinary {
  readonly tangle: CellMap
  readonly plate: PlateView
  readonly hidden: Uint8Array
  /** Where the plate is is known but roughly. */
  readonly travels: boolean
}

/** How tangled an ordinary cell of the sheet looks. */
export function ordinaryOf ({ tangle: { values }, plate: { sheet, inside }, hidden, travels }: Ordinary): number {
  const found = [...values].filter((_, cell) => sheet[cell] === 1 && inside?.[cell] !== 1 && hidden[cell] !== 1)
    .sort((a, b) => a - b)
  const at = (share: number) => found[Math.floor(share * found.length)] ?? 0
  return travels ? at(ORDINARY.nearlyAll) : Math.min(at(ORDINARY.nearlyAll), ORDINARY.times * at(ORDINARY.most))
}
