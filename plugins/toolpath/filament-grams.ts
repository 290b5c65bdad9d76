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

/** Filament of one tool by layer: what was used at the end of it. Layer 0 is what comes before the first. */
export interface FilamentCourse {
  readonly tool: number
  readonly grams: Float64Array
  readonly metres: Float64Array
}

const MM_PER_METRE = 1_000

/** The same for each layer at once, in little memory. */
export function filamentCourses ({ declared, layers }: Pick<PlateRead, 'declared' | 'layers'>): FilamentCourse[] {
  const tools = [...new Set(layers.flatMap(({ extruded }) => [...extruded.keys()]))].sort((a, b) => a - b)
  return tools.map(tool => {
    let mm = 0
    const metres = Float64Array.from(layers, ({ extruded }) => {
      const { part, prime, flush } = extruded.get(tool) ?? { part: 0, prime: 0, flush: 0 }
      mm += part + prime + flush
      return mm / MM_PER_METRE
    })
    const gramsPerMetre = gramsByTool(declared, tool, MM_PER_METRE)
    return { tool, metres, grams: metres.map(length => length * gramsPerMetre) }
  })
}
