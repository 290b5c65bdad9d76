import { immutableJson, type PluginFaults, type PrinterState } from '../../core/index.js'
import type { Collection } from './collections.js'
import { DocumentCache } from './document-cache.js'
import {
  dataOf, durationsOf, outlineOf, seriesOf, summaryOf, round, shown, TIME_DIGITS, type MonitoringData, type Series,
  type Statistics
} from './monitoring-data.js'
import {
  healthSeries, healthStatistics, isHealthField, MOST_RECORDS, type HealthField, type HealthRecord
} from './health-history.js'
import { createRecorder, type Reader, type Recorder } from './recorder.js'

/** Statistics of the last hour; with those of the job monitor when it has records. */
export interface MonitoringSummary {
  readonly summary: Readonly<Record<string, Statistics>>
  readonly gcode_state_durations: Readonly<Record<string, number>>
  readonly health?: Readonly<Record<HealthField, Statistics>>
}
/** Everything of the last hour; with the job monitor's records when it has any. */
export interface MonitoringHistory extends MonitoringData { readonly health?: readonly HealthRecord[] }
export interface NamedSeries { readonly field: string, readonly series: Series }

/** The recorded history of all printers. Returns the same objects until something new is recorded. */
export interface TelemetryStore {
  readonly collections: readonly Collection[]
  record (printer: string, state: PrinterState): void
  forget (printer: string): void
  data (printer: string): MonitoringData
  /** Like `data`, but not cached and downsampled for charts: the lowest and highest value of each of 256 intervals. */
  outline (printer: string): MonitoringData
  summary (printer: string): MonitoringSummary
  history (printer: string): MonitoringHistory
  /** Series of a collection or a health field; undefined for other names. */
  series (printer: string, name: string): NamedSeries | undefined
  health (printer: string): readonly HealthRecord[]
}

export interface StoreDeps {
  readonly collections: readonly Collection[]
  readonly health: (printer: string) => readonly HealthRecord[]
  readonly now: () => number
  readonly pluginFaults: Pick<PluginFaults, 'guard'>
  /** Name of the plugin that contributed a collection. */
  readonly originOf?: (collection: object) => string | undefined
}

function withHealth<T extends object, H> (records: readonly HealthRecord[], body: T,
  form: (records: readonly HealthRecord[]) => H) {
  return records.length === 0 ? body : { ...body, health: form(records) }
}

export function createStore (deps: StoreDeps): TelemetryStore {
  const { collections, now, pluginFaults, originOf = () => undefined } = deps
  const recorders = new Map<string, Recorder>()
  const cache = new DocumentCache()
  /** A collection that throws is disabled from then on, for every printer. */
  const readers: readonly Reader[] = collections.map(collection => {
    const guard = pluginFaults.guard(originOf(collection), 'collection', collection.name, { once: true })
    const where = { collection: collection.name }
    return state => guard.run(() => collection.read(state), where)
  })

  function recorderOf (printer: string): Recorder {
    const known = recorders.get(printer)
    if (known) return known
    const made = createRecorder(readers)
    recorders.set(printer, made)
    return made
  }

  const health = (printer: string) => deps.health(printer).slice(-MOST_RECORDS)

  /**
   * Caches each document until something new is recorded, so that it is serialised once too.
   * @param write a faster way to serialise it
   */
  function once<T extends object> (printer: string, name: string, make: (recorder: Recorder) => T,
    write?: (recorder: Recorder) => string): T {
    const recorder = recorderOf(printer)
    recorder.prune(now())
    const source = { version: recorder.version, verdict: deps.health(printer).at(-1) }
    return cache.once(printer, name, source, () => immutableJson(make(recorder), write && (() => write(recorder))))
  }

  const data = (printer: string) => once(printer, 'data', recorder => dataOf(recorder, collections),
    recorder => dataText(recorder, collections))

  return {
    collections,
    health,
    data,
    outline (printer) {
      const recorder = recorderOf(printer)
      recorder.prune(now())
      return outlineOf(recorder, collections)
    },
    record (printer, state) {
      cache.forget(printer) // serialised documents take megabytes and are out of date now
      recorderOf(printer).record(state)
    },
    forget (printer) {
      recorders.delete(printer)
      cache.forget(printer)
    },
    summary: printer => once(printer, 'summary', recorder => withHealth(health(printer), {
      summary: summaryOf(recorder, collections),
      gcode_state_durations: durationsOf(recorder)
    }, healthStatistics)),
    history (printer) {
      const records = health(printer)
      return records.length === 0
        ? data(printer)
        : once(printer, 'history', () => ({ ...data(printer), health: records }),
          recorder => `${dataText(recorder, collections).slice(0, -1)},"health":${JSON.stringify(records)}}`)
    },
    series (printer, name) {
      if (isHealthField(name)) {
        return once(printer, `series ${name}`, () => ({ field: name, series: healthSeries(health(printer), name) }))
      }
      const column = collections.findIndex(collection => collection.name === name)
      if (column < 0) return undefined
      return once(printer, `series ${name}`,
        recorder => ({ field: name, series: seriesOf(recorder, name, column) }),
        recorder => namedText(recorder, name, column))
    }
  }
}

// These functions produce the output of JSON.stringify faster and without an object for each point: an hour of points
// is a megabyte of text, and serialising it blocks all other requests.

/** The JSON prefix of every point with the comma before it, shared by all columns. */
const beginnings = ({ ring }: Recorder): string[] =>
  Array.from(ring.times(), time => `,{"t":${round(time, TIME_DIGITS)},"v":`)

function pointsText ({ ring }: Recorder, column: number, begin: readonly string[]): string {
  const pieces: string[] = []
  const ends = new Map<number, string>() // the same few values repeat
  ring.values(column).forEach((value, at) => {
    if (Number.isNaN(value)) return
    let end = ends.get(value)
    if (end === undefined) ends.set(value, end = `${JSON.stringify(shown(value))}}`)
    pieces.push(begin[at] as string, end)
  })
  return `[${pieces.join('').slice(1)}]`
}

const seriesText = (name: string, points: string) => `{"name":${JSON.stringify(name)},"data":${points}}`

/** The JSON of `dataOf`. */
function dataText (recorder: Recorder, collections: readonly Collection[]): string {
  const begin = beginnings(recorder)
  const series = collections.map(({ name }, column) =>
    `${JSON.stringify(name)}:${seriesText(name, pointsText(recorder, column, begin))}`)
  return `{"collections":{${series.join(',')}},"gcode_state_durations":${JSON.stringify(durationsOf(recorder))},` +
    `"events":${JSON.stringify(recorder.marks)}}`
}

/** The JSON of one column by its name. */
const namedText = (recorder: Recorder, name: string, column: number): string =>
  `{"field":${JSON.stringify(name)},"series":${seriesText(name, pointsText(recorder, column, beginnings(recorder)))}}`
