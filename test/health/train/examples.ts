import { EMPTY_STATE } from '../../../plugins/health/analysis/improved/analysis-state.js'
import { CELL } from '../../../plugins/health/analysis/improved/cell-grid.js'
import { FEATURES } from '../../../plugins/health/analysis/improved/cell-features.js'
import { improvedScore } from '../../../plugins/health/analysis/improved/score.js'
import { thresholdsFor } from '../../../plugins/health/verdict.js'
import { contextOf } from '../context.js'
import { BED_MM } from '../evaluate.js'
import type { SequenceOptions } from '../scene/plan.js'
import { createSequence, type Truth } from '../scene/sequence.js'
import type { Examples } from './boost.js'
import { framesOf } from './cache.js'

/** Strands with a bend here and there make no tangle; so many places of them in a cell do. */
const TANGLED = 3
/** Cells that hardly look tangled are easy, and most: one of so many is learned from, and counts for all of them. */
const EASY = { below: 0.05, of: 4 }
/** A false alarm is worse than a cell that is missed: others beside it will show. */
const GOOD_WEIGHT = 1.5
const MINUTE_MS = 60_000

/** How many places of strands each cell shows that are not behind the tool head. */
function strandsIn ({ strands, head: [left, top, right, bottom] }: Truth, columns: number, rows: number,
  height: number): Uint16Array {
  const counts = new Uint16Array(columns * rows)
  for (const [x, y] of strands) {
    if (x > left && x < right && y > top && y < bottom) continue
    const [column, row] = [Math.floor(x * columns), Math.floor(y * height / CELL)]
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue
    counts[row * columns + column] = (counts[row * columns + column] as number) + 1
  }
  return counts
}

interface Example { readonly row: Float32Array, readonly label: 0 | 1, readonly weight: number }

/** Every cell of a print that was measured, analysed frame by frame as the monitor does it. */
export async function examplesOf (folder: string, options: SequenceOptions): Promise<Example[]> {
  const { boxes, truth } = createSequence(options)
  const examples: Example[] = []
  let memory = EMPTY_STATE
  for (const [index, { ink, context: of, blind }] of (await framesOf(folder, options)).entries()) {
    if (blind) continue
    const context = contextOf({ ...of, plate: { boxes, bedMm: BED_MM } })
    const thresholds = thresholdsFor(context)
    const found = improvedScore({ grey: ink, context, memory, now: index * MINUTE_MS, thresholds })
    memory = found.memory
    const { columns, rows } = found.tangle
    const counts = strandsIn(truth(index), columns, rows, ink.height)
    const { features } = found
    features?.cells.forEach((cell, at) => {
      const count = counts[cell] as number
      if (count > 0 && count < TANGLED) return
      const row = features.rows.slice(at * FEATURES.length, (at + 1) * FEATURES.length)
      const isEasy = count === 0 && (row[0] as number) < EASY.below
      if (isEasy && (at + index) % EASY.of !== 0) return
      examples.push({ row, label: count === 0 ? 0 : 1, weight: count > 0 ? 1 : isEasy ? EASY.of : GOOD_WEIGHT })
    })
  }
  return examples
}

export function joined (all: readonly Example[]): Examples {
  const rows = new Float32Array(all.length * FEATURES.length)
  all.forEach(({ row }, at) => { rows.set(row, at * FEATURES.length) })
  return {
    features: FEATURES,
    rows,
    labels: Uint8Array.from(all, ({ label }) => label),
    weights: Float32Array.from(all, ({ weight }) => weight)
  }
}
