// States that hold what telemetry records, and a store with a clock of its own.
import { pino } from 'pino'
import { createPluginFaults } from '../../../core/kernel/plugin-faults.js'
import type { PrinterState } from '../../../core/index.js'
import type { Collection, HealthRecord } from '../../../plugins/telemetry/index.js'
import { COLLECTIONS } from '../../../plugins/telemetry/collections.js'
import { createStore } from '../../../plugins/telemetry/store.js'

/** s since the epoch. */
export const EPOCH_S = Date.UTC(2026, 0, 1) / 1000

interface Values {
  readonly bed?: number
  readonly bedTarget?: number
  readonly nozzle?: number
  readonly nozzleTarget?: number
  readonly chamberTarget?: number
  /** Left nozzle: makes it a dual printer, whose right one is `nozzle`. */
  readonly left?: number
  readonly leftTarget?: number
  readonly gcodeState?: string
  readonly subtaskName?: string
  readonly cancelled?: boolean
}

/** @param t s since {@link EPOCH_S} */
export function stateAt (t: number, values: Values = {}): PrinterState {
  const { bed = 20, bedTarget = 0, nozzle = 25, nozzleTarget = 0, chamberTarget = 0, left, leftTarget = 0 } = values
  const { gcodeState = 'IDLE', subtaskName = '', cancelled = false } = values
  const right = { actual: nozzle, target: nozzleTarget }
  return {
    receivedAt: (EPOCH_S + t) * 1000,
    job: { gcodeState, subtaskName, cancelled },
    heat: {
      bed: { actual: bed, target: bedTarget },
      chamber: { actual: 0, target: chamberTarget, sensor: false },
      nozzle: right
    },
    fans: { part: 10, aux: 20, exhaust: 30, heatbreak: 40 },
    extruders: left === undefined
      ? [{ id: -1, temperature: right }]
      : [{ id: 0, temperature: right }, { id: 1, temperature: { actual: left, target: leftTarget } }]
  } as unknown as PrinterState
}

interface Options {
  readonly collections?: readonly Collection[]
  readonly records?: () => readonly HealthRecord[]
}

export function storeAt ({ collections = COLLECTIONS, records = () => [] }: Options = {}) {
  const logged: Record<string, unknown>[] = []
  const clock = { s: 0 }
  const store = createStore({
    collections,
    health: records,
    now: () => (EPOCH_S + clock.s) * 1000,
    pluginFaults: createPluginFaults({
      outside: new Set(),
      now: Date.now,
      log: pino({ level: 'error' }, { write: (line: string) => { logged.push(JSON.parse(line)) } })
    }),
    originOf: () => 'outside'
  })
  return {
    store,
    logged,
    clock,
    /** Records a report at this time, which it then is. */
    record (t: number, values?: Values) {
      clock.s = t
      store.record('x1c', stateAt(t, values))
    }
  }
}

export const recordAt = (t: number, fields: Partial<HealthRecord> = {}): HealthRecord => ({
  ts: EPOCH_S + t,
  success_pct: 0.9731,
  confidence: 0.86,
  hot_pct: 0.2411,
  strand_score: 0.0123,
  diff_score: null,
  remaining_min: null,
  factors: {},
  ...fields
})
