import type { Planned } from '../spools/index.js'
import type { Snapshot } from './types.js'

/** Filament that waiting copies, and those in progress, will need: what the slicer says of their first alternative. */
export function plannedFilament ({ jobs, runs, files }: Pick<Snapshot, 'jobs' | 'runs' | 'files'>): Planned[] {
  const sums = new Map<string, Planned>()
  for (const { id, copies, taken, alternatives: [first] } of jobs) {
    const plate = first && files.get(first.file)?.plates.find(({ number }) => number === first.plate)
    const open = copies - taken + runs.filter(({ job }) => job === id).length
    for (const { type: material, color, grams = 0 } of plate?.filaments ?? []) {
      const key = `${material}/${color}`
      const known = sums.get(key)?.grams ?? 0
      if (open > 0 && grams > 0) sums.set(key, { material, color, grams: known + grams * open })
    }
  }
  return [...sums.values()]
}
