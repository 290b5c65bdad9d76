import type { FastifyBaseLogger } from 'fastify'
import { snapshot, type PrinterState } from '../../core/index.js'
import type { Collection } from './collections.js'
import { dataOf, durationsOf, pointsOf, summaryOf, type MonitoringData, type Series } from './documents.js'
import type { HealthRecord } from './health-history.js'
import { createRecorder, type Recorder } from './recorder.js'

/** The recorded history of all printers. */
export interface TelemetryStore {
  readonly collections: readonly Collection[]
  record (printer: string, state: PrinterState): void
  forget (printer: string): void
  /** The same object until something new is recorded. */
  data (printer: string): MonitoringData
  summary (printer: string): object
  /** undefined for a name that is no collection. */
  series (printer: string, name: string): Series | undefined
  health (printer: string): readonly HealthRecord[]
}

export interface StoreDeps {
  readonly collections: readonly Collection[]
  readonly health: (printer: string) => readonly HealthRecord[]
  readonly now: () => number
  readonly log: FastifyBaseLogger
}

export function createStore ({ collections, health, now, log }: StoreDeps): TelemetryStore {
  const recorders = new Map<string, Recorder>()
  const kept = new Map<string, { version: number, length: number, data: MonitoringData }>()
  const broken = new Set<Collection>()

  /** A collection that throws is left out from then on. */
  function guard (collection: Collection, state: PrinterState): number | undefined {
    if (broken.has(collection)) return undefined
    try {
      return collection.read(state)
    } catch (error) {
      broken.add(collection)
      log.error({ err: error, collection: collection.name }, 'a collection failed and is left out')
      return undefined
    }
  }

  function recorderOf (printer: string): Recorder {
    const recorder = recorders.get(printer) ?? createRecorder(collections, guard)
    recorders.set(printer, recorder)
    recorder.prune(now())
    return recorder
  }

  return {
    collections,
    health,
    record: (printer, state) => recorderOf(printer).record(state),
    forget (printer) {
      recorders.delete(printer)
      kept.delete(printer)
    },
    data (printer) {
      const recorder = recorderOf(printer)
      const { version, ring: { length } } = recorder
      const known = kept.get(printer)
      if (known?.version === version && known.length === length) return known.data
      const data = snapshot(dataOf(recorder, collections))
      kept.set(printer, { version, length, data })
      return data
    },
    summary (printer) {
      const recorder = recorderOf(printer)
      return { summary: summaryOf(recorder, collections), gcode_state_durations: durationsOf(recorder) }
    },
    series (printer, name) {
      const column = collections.findIndex(collection => collection.name === name)
      return column < 0 ? undefined : { name, data: pointsOf(recorderOf(printer), column) }
    }
  }
}
