import type { ModelInfo } from '../../core/index.js'
import type { Every } from './counters.js'

/** What is known of a printer, beside its model. */
export interface Equipment {
  readonly model: Pick<ModelInfo, 'series' | 'enclosed' | 'chamberHeater' | 'lidar'>
  /** It has reported a unit with spools. */
  readonly hasAms: boolean
  /** It has reported a unit that dries. */
  readonly hasDryer: boolean
}

export interface BuiltInTask {
  readonly id: string
  /** A starting value, which people change: makers and workshops differ. */
  readonly every: Every
  readonly suits: (equipment: Equipment) => boolean
}

const all = () => true
const ofSeries = (...series: readonly string[]) => ({ model }: Equipment): boolean => series.includes(model.series)

/**
 * Usual care of these printers. Which parts need it follows from how the models are built; how often is a starting
 * value, chosen so that a printer that runs eight hours a day is looked after every one to three months.
 */
export const TASKS = [
  { id: 'plate', every: { prints: 30, days: 30 }, suits: all },
  { id: 'rods', every: { hours: 300, days: 90 }, suits: ofSeries('X1', 'P1') },
  { id: 'rails', every: { hours: 300, days: 90 }, suits: ofSeries('A1', 'A2') },
  { id: 'guides', every: { hours: 300, days: 90 }, suits: ofSeries('H2', 'P2', 'X2') },
  { id: 'lead_screws', every: { hours: 600, days: 180 }, suits: all },
  { id: 'belts', every: { hours: 600, days: 180 }, suits: all },
  { id: 'nozzle', every: { abrasive_grams: 1_000, hours: 1_000 }, suits: all },
  { id: 'sock', every: { hot_hours: 300, hours: 800 }, suits: all },
  { id: 'wiper', every: { changes: 1_000, hours: 400 }, suits: all },
  { id: 'cutter', every: { changes: 2_000, hours: 1_500 }, suits: all },
  { id: 'extruder', every: { abrasive_grams: 2_000, grams: 20_000 }, suits: all },
  { id: 'fans', every: { hours: 500, days: 120 }, suits: all },
  { id: 'filter', every: { hours: 700, days: 180 }, suits: ({ model }: Equipment) => model.enclosed },
  { id: 'chamber', every: { chamber_hours: 400, days: 365 }, suits: ({ model }: Equipment) => model.chamberHeater !== null },
  { id: 'lenses', every: { hours: 300, days: 90 }, suits: all },
  { id: 'ams_feed', every: { changes: 3_000, days: 365 }, suits: ({ hasAms }: Equipment) => hasAms },
  { id: 'ams_tubes', every: { abrasive_grams: 2_000, grams: 30_000 }, suits: ({ hasAms }: Equipment) => hasAms },
  { id: 'ams_dry', every: { days: 60 }, suits: ({ hasAms }: Equipment) => hasAms },
  { id: 'dryer', every: { drying_hours: 500, days: 365 }, suits: ({ hasDryer }: Equipment) => hasDryer }
] as const satisfies readonly BuiltInTask[]
