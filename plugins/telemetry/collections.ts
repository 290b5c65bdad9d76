import type { PrinterState, Temperature } from '../../core/index.js'

/** One measured value over time. */
export interface Collection {
  /** Unique; lower-case letters, digits and underscores. */
  readonly name: string
  readonly unit: string
  /**
   * Called with every report, so it should allocate nothing. Values are stored with seven digits.
   * @returns undefined where the printer has no such value; one that is not finite counts as 0
   */
  readonly read: (state: PrinterState) => number | undefined
}

/** Adds a value to the recorded history. */
export const defineCollection = (collection: Collection): Collection => Object.freeze(collection)

const RIGHT = 0
const LEFT = 1

function nozzle ({ extruders }: PrinterState, id: number): Temperature | undefined {
  for (const extruder of extruders) if (extruder.id === id) return extruder.temperature
  return undefined
}

const isDual = ({ extruders }: PrinterState) => extruders.length > 1

/** The only nozzle, or the right one of a dual printer. */
const first = (state: PrinterState) => (isDual(state) ? nozzle(state, RIGHT) : undefined) ?? state.heat.nozzle
/** The left nozzle of a dual printer; others have none. */
const second = (state: PrinterState) => isDual(state) ? nozzle(state, LEFT) : undefined

const DOCUMENTED: readonly Collection[] = [
  { name: 'tool', unit: '°C', read: state => first(state).actual },
  { name: 'tool_1', unit: '°C', read: state => second(state)?.actual },
  { name: 'bed', unit: '°C', read: ({ heat }) => heat.bed.actual },
  { name: 'chamber', unit: '°C', read: ({ heat }) => heat.chamber.actual },
  { name: 'part_fan', unit: '%', read: ({ fans }) => fans.part },
  { name: 'aux_fan', unit: '%', read: ({ fans }) => fans.aux },
  { name: 'exhaust_fan', unit: '%', read: ({ fans }) => fans.exhaust },
  { name: 'heatbreak_fan', unit: '%', read: ({ fans }) => fans.heatbreak },
  { name: 'tool_target', unit: '°C', read: state => first(state).target },
  { name: 'tool_1_target', unit: '°C', read: state => second(state)?.target },
  { name: 'bed_target', unit: '°C', read: ({ heat }) => heat.bed.target },
  { name: 'chamber_target', unit: '°C', read: ({ heat }) => heat.chamber.target }
]

/** The documented collections, in their order. */
export const COLLECTIONS: readonly Collection[] = DOCUMENTED.map(defineCollection)
