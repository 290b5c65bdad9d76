import { gramsByTool } from './findings/whole.js'
import { extrudedUntil, type Use } from './layers.js'
import type { PlateRead } from './findings/types.js'

export type FilamentGrams = Readonly<Record<Use, number>> & { readonly tool: number }

const USES = ['part', 'prime', 'flush'] as const

/** g of a filament for lengths of it. */
export function filamentGrams (declared: PlateRead['declared'], tool: number, mm: Record<Use, number>): FilamentGrams {
  const [part, prime, flush] = USES.map(use => gramsByTool(declared, tool, mm[use])) as [number, number, number]
  return { tool, part, prime, flush }
}

/** What a print has used at the end of a layer, by tool; of the whole plate if no layer is given. */
export const gramsUntil = ({ declared, layers }: Pick<PlateRead, 'declared' | 'layers'>, layer?: number): FilamentGrams[] =>
  [...extrudedUntil(layers, layer)].sort(([a], [b]) => a - b).map(([tool, mm]) => filamentGrams(declared, tool, mm))
