import type { Collection } from './collections.js'
import type { Mark } from './marks.js'
import type { Recorder } from './recorder.js'

export interface Point { readonly t: number, readonly v: number }
export interface Series { readonly name: string, readonly data: readonly Point[] }

/** Values are kept as 32-bit numbers; more digits than these are noise. */
const VALUE_DIGITS = 100
const TIME_DIGITS = 1000
const round = (value: number, digits: number) => Math.round(value * digits) / digits

/** The points of one column, oldest first; points without a value are left out. */
export function pointsOf ({ ring }: Recorder, column: number): Point[] {
  const points: Point[] = []
  for (let at = 0; at < ring.length; at++) {
    const v = ring.value(column, at)
    if (!Number.isNaN(v)) points.push({ t: round(ring.time(at), TIME_DIGITS), v: round(v, VALUE_DIGITS) })
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
export function statisticsOf (values: readonly number[], digits: number): Statistics {
  const last = values.at(-1)
  if (last === undefined) return NOTHING
  let min = Infinity
  let max = -Infinity
  let sum = 0
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
  }
  const shown = (value: number) => round(value, digits)
  return { count: values.length, min: shown(min), max: shown(max), avg: shown(sum / values.length), last: shown(last) }
}

/** Statistics of every collection. */
export const summaryOf = (recorder: Recorder, collections: readonly Collection[]): Record<string, Statistics> =>
  Object.fromEntries(collections.map(({ name }, column) =>
    [name, statisticsOf(pointsOf(recorder, column).map(({ v }) => v), VALUE_DIGITS)]))
