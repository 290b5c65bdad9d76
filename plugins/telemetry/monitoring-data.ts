import type { Collection } from './collections.js'
import { extremes, stretchesOf } from './extremes.js'
import type { Mark } from './marks.js'
import type { Recorder } from './recorder.js'

export interface Point { readonly t: number, readonly v: number }
export interface Series { readonly name: string, readonly data: readonly Point[] }

export const round = (value: number, digits: number) => Math.round(value * digits) / digits

const TWO_DECIMALS = 100
const FOUR_DECIMALS = 10_000
export const TIME_DIGITS = 1000
/** Values are stored with seven digits: from here on the third decimal is noise. */
const LARGE = 500
export const shown = (value: number) => round(value, Math.abs(value) < LARGE ? FOUR_DECIMALS : TWO_DECIMALS)

/** The points of one column, oldest first; points without a value are left out. */
export function pointsOf ({ ring }: Recorder, column: number): Point[] {
  const times = ring.times()
  const points: Point[] = []
  ring.values(column).forEach((value, at) => {
    if (!Number.isNaN(value)) points.push(pointAt(times, at, value))
  })
  return points
}

const pointAt = (times: Float64Array, at: number, value: number): Point =>
  ({ t: round(times[at] as number, TIME_DIGITS), v: shown(value) })

export interface MonitoringData {
  readonly collections: Readonly<Record<string, Series>>
  readonly gcode_state_durations: Readonly<Record<string, number>>
  readonly events: readonly Mark[]
}

const documentOf = (recorder: Recorder, collections: readonly Collection[],
  seriesOf: (name: string, column: number) => Series): MonitoringData => ({
  collections: Object.fromEntries(collections.map(({ name }, column) => [name, seriesOf(name, column)])),
  gcode_state_durations: durationsOf(recorder),
  events: [...recorder.marks]
})

/** Everything recorded of a printer. Points are created on first access, because there are thousands. */
export const dataOf = (recorder: Recorder, collections: readonly Collection[]): MonitoringData =>
  documentOf(recorder, collections, (name, column) => seriesOf(recorder, name, column))

/** Number of time intervals for which a chart shows the lowest and the highest value. */
const STRETCHES = 256

/** The data for a chart: the lowest and the highest value of each time interval. */
export function outlineOf (recorder: Recorder, collections: readonly Collection[]): MonitoringData {
  const times = recorder.ring.times()
  const stretches = stretchesOf(times, times[0] ?? 0, times.at(-1) ?? 0, STRETCHES)
  return documentOf(recorder, collections, (name, column) => {
    const values = recorder.ring.values(column)
    return { name, data: extremes(values, stretches).map(at => pointAt(times, at, values[at] as number)) }
  })
}

/** One column; its points are created on first access. */
export function seriesOf (recorder: Recorder, name: string, column: number): Series {
  let points: readonly Point[] | undefined
  return {
    name,
    get data () {
      points ??= pointsOf(recorder, column)
      return points
    }
  }
}

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
  for (const value of ring.values(column)) if (!Number.isNaN(value)) yield value
}

/** Statistics of every collection. */
export const summaryOf = (recorder: Recorder, collections: readonly Collection[]): Record<string, Statistics> =>
  Object.fromEntries(collections.map(({ name }, column) =>
    [name, statisticsOf(valuesOf(recorder, column), TWO_DECIMALS)]))
