import { modelByName, type ModelInfo } from '../../../core/index.js'
import { decodeState } from '../../../core/printer/state/index.js'
import { EMPTY_CONTEXT } from '../../../core/printer/state/context.js'
import { UNKNOWN_MODEL } from '../../../core/printer/models.js'
import type { ChartView } from '../../../plugins/charts/index.js'
import type { HealthRecord, Mark, Point } from '../../../plugins/telemetry/index.js'

/** The moment of every view: a whole hour, s since the epoch. */
export const NOW_S = 1_767_225_600

export const modelOf = (name: string): ModelInfo => modelByName(name) ?? UNKNOWN_MODEL

/** The state that a report decodes to. */
export const stateOf = (raw: Record<string, unknown>, model = 'X1C') =>
  decodeState(raw, modelOf(model), EMPTY_CONTEXT, NOW_S * 1000).state

/** A value each `every` seconds over the last `seconds`, up to now. */
export const wave = (read: (age: number) => number, seconds = 3600, every = 1): Point[] =>
  Array.from({ length: Math.floor(seconds / every) }, (_, at) => {
    const age = seconds - every - at * every
    return { t: NOW_S - age, v: read(age) }
  })

interface Given {
  readonly series?: Readonly<Record<string, readonly Point[]>>
  readonly durations?: Readonly<Record<string, number>>
  readonly events?: readonly Mark[]
  readonly health?: readonly HealthRecord[]
  readonly state?: ChartView['state']
  readonly model?: string
  readonly printer?: string
}

export const viewOf = (given: Given = {}): ChartView => ({
  printer: given.printer ?? 'x1c',
  model: modelOf(given.model ?? 'X1C'),
  now: NOW_S * 1000,
  data: {
    collections: Object.fromEntries(Object.entries(given.series ?? {}).map(([name, data]) => [name, { name, data }])),
    gcode_state_durations: given.durations ?? {},
    events: given.events ?? []
  },
  health: given.health ?? [],
  state: given.state
})

const FACTORS = {
  material: 0.04,
  platform: 0.14,
  progress: 0.15,
  anomaly: 0.42,
  thermal: 0,
  humidity: 0.3,
  stability: 0,
  settings: 0.1
}

export const recordOf = (age: number, more: Partial<HealthRecord> = {}): HealthRecord => ({
  ts: NOW_S - age,
  success_pct: 0.97,
  confidence: 0.86,
  hot_pct: 0.02,
  strand_score: 0.012,
  diff_score: 0.02,
  remaining_min: 30,
  factors: FACTORS,
  ...more
})
