/** Names of the recorded values, as the zoom routes accept them. */
export const COLLECTION_NAMES = ['tool', 'bed', 'chamber', 'fan', 'aux_fan', 'exhaust_fan', 'heatbreak_fan', 'tool_0',
  'tool_1'] as const
export type CollectionName = (typeof COLLECTION_NAMES)[number]

interface Line { readonly collection: CollectionName, readonly label: string, readonly color: string }

/** Lines of a printer with one nozzle. */
export const ONE_TOOL: readonly Line[] = [{ collection: 'tool', label: 'Tool', color: '#e15759' }]
export const TWO_TOOLS: readonly Line[] = [
  { collection: 'tool_0', label: 'Right', color: '#e15759' },
  { collection: 'tool_1', label: 'Left', color: '#76b7b2' }
]
export const FANS: readonly Line[] = [
  { collection: 'fan', label: 'Part Cooling', color: '#af7aa1' },
  { collection: 'aux_fan', label: 'Auxiliary', color: '#4e79a7' },
  { collection: 'exhaust_fan', label: 'Exhaust', color: '#f28e2c' },
  { collection: 'heatbreak_fan', label: 'Heatbreak', color: '#59a14f' }
]
export type { Line }

/** How far a chart extends beyond its values. */
export interface Padding { readonly below: number, readonly above: number }
export const DEGREES: Padding = { below: 3, above: 5 }
export const PERCENT: Padding = { below: 0.1, above: 1 }
