import type { Collection } from './collections.js'
import type { Mark } from './marks.js'
import type { Recorder } from './recorder.js'

export interface Point { readonly t: number, readonly v: number }
export interface Series { readonly name: string, readonly data: readonly Point[] }

const round = (value: number, digits: number) => Math.round(value * digits) / digits

const TWO_DECIMALS = 100
const FOUR_DECIMALS = 10_000
const TIME_DIGITS = 1000
/** Values are kept with seven digits: from here on the third decimal is noise. */
const LARGE = 500
const shown = (value: number) => round(value, Math.abs(value) < LARGE ? FOUR_DECIMALS : TWO_DECIMALS)

/** The points of one column, oldest first; points without a value are left out. */
export function pointsOf ({ ring }: Recorder, column: number): Point[] {
  const points: Point[] = []
  for (let at = 0; at < ring.length; at++) {
    const v = ring.value(column, at)
    if (!Number.isNaN(v)) points.push({ t: round(ring.time(at), TIME_DIGITS), v: shown(v) })
  }
  return points
}

export interface MonitoringData {
  readonly collections: Readonly<Record<string, Series>>
  readonly gcode_state_durations: Readonly<Record<string, number>>
  readonly events: readonly Mark[]
}

/** Everything that is recorded of a printer. */
export const dataOf = (recorder: Recorder, collections: readonly Collection[]): MonitoringData => ({
  collections: Object.fromEntries(collections.map(({ name }, column) =>
    [name, { name, data: pointsOf(recorder, column) }])),
  gcode_state_durations: durationsOf(recorder),
  events: [...recorder.marks]
})

export const durationsOf = ({ durations }: Recorder): Record<string, number> =>
  Object.fromEntries(Object.entries(durations).map(([state, seconds]) => [state, round(seconds, TIME_DIGITS)]))

export interface Statistics {
  readonly count: number
  readonly min: number | null
  readonly max: number | null
  readonly avg: number | null
  readonly last: number | null
}

const NOTHING: Statistics = { count: 0, min: null, max: null, avg: null, last: null }

/** @param digits 100 rounds to two decimals */
export function statisticsOf (values: Iterable<number>, digits: number): Statistics {
  let count = 0
  let min = Infinity
  let max = -Infinity
  let sum = 0
  let last = 0
  for (const value of values) {
    count++
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
    last = value
  }
  if (count === 0) return NOTHING
  return {
    count,
    min: round(min, digits),
    max: round(max, digits),
    avg: round(sum / count, digits),
    last: round(last, digits)
  }
}

function * valuesOf ({ ring }: Recorder, column: number): Iterable<number> {
  for (let at = 0; at < ring.length; at++) {
    const value = ring.value(column, at)
    if (!Number.isNaN(value)) yield value
  }
}

/** Statistics of every collection. */
export const summaryOf = (recorder: Recorder, collections: readonly Collection[]): Record<string, Statistics> =>
  Object.fromEntries(collections.map(({ name }, column) =>
    [name, statisticsOf(valuesOf(recorder, column), TWO_DECIMALS)]))
