import {
  immutableJson, type Dispose, type Kernel, type PrinterSession, type PrinterState
} from '../../../core/index.js'
import type { StateDocument } from '../../../plugins/state/index.js'
import { multiChart, singleChart } from './charts.js'
import { COLLECTION_NAMES, DEGREES, FANS, ONE_TOOL, PERCENT, TWO_TOOLS, type CollectionName } from './collections.data.js'
import { createHistory, type History, type Read } from './history.js'
import type { Reading } from '../../../plugins/external-chamber/index.js'

/** Sent instead of a printer without data. */
export const NO_DATA = Object.freeze({ status: 'error', reason: 'no data to send' })

/** The telemetry of the one printer: its state, and its values over time. */
export interface TelemetryView {
  /** The state document, including the readings of an external chamber. */
  printer (session: PrinterSession): StateDocument
  /** The telemetry document. The same object until something in it changes. */
  telemetry (): object
  zoom (name: CollectionName, way: 'in' | 'out'): void
  /** Every collection as a line of JSON. */
  dump (): string
}

interface Records { readonly history: History, readonly durations: Durations }
interface CachedDocument { readonly key: readonly unknown[], readonly document: object }

/** Reports arrive, or there is at least a spool. */
export const hasData = (document: StateDocument): boolean =>
  document._recent_update || document._printer_state.spools.length > 0

function chartsOf (history: History) {
  const dual = history.points('tool_0').length > 0 || history.points('tool_1').length > 0
  return {
    tool: multiChart(history, 'tool', dual ? TWO_TOOLS : ONE_TOOL, DEGREES),
    bed: singleChart(history, 'bed', DEGREES),
    chamber: singleChart(history, 'chamber', DEGREES),
    fan: multiChart(history, 'fan', FANS, PERCENT)
  }
}

/** The telemetry view, and the functions that update it. */
export interface RunningTelemetryView {
  readonly board: TelemetryView
  follow (session: PrinterSession): Dispose
  /** A job began: its times start at zero. */
  begin (printer: string): void
  forget (printer: string): void
}

export function createTelemetryView (kernel: Kernel): RunningTelemetryView {
  const records = new Map<string, Records>()
  let charts: { readonly version: string, readonly value: ReturnType<typeof chartsOf> } | undefined
  let cached: CachedDocument | undefined

  function recordsOf (printer: string): Records {
    const known = records.get(printer)
    if (known) return known
    const chamber: Read = state => {
      const session = kernel.printers.get(printer)
      return (session && kernel.services.externalChamber.reading(session))?.celsius ?? state.heat.chamber.actual
    }
    const made = { history: createHistory({ chamber }), durations: createDurations() }
    records.set(printer, made)
    return made
  }

  const sessionNow = () => {
    // While its session restarts, no printer is chosen by itself.
    const printer = kernel.printers.choose().printer ?? kernel.printers.names[0] ?? ''
    return { printer, session: kernel.printers.get(printer) }
  }

  function current () {
    const { printer, session } = sessionNow()
    const own = recordsOf(printer)
    own.history.prune(kernel.now() / 1000)
    return { printer, session, ...own }
  }

  function chartsNow (printer: string, history: History) {
    const version = `${history.version} ${printer}`
    if (charts?.version !== version) charts = { version, value: chartsOf(history) }
    return charts.value
  }

  const printer = (session: PrinterSession) =>
    withChamber(kernel.services.state.document(session), kernel.services.externalChamber.reading(session))

  return {
    follow: session => session.events.on('state', state => {
      const { history, durations } = recordsOf(session.name)
      durations.add(state)
      history.add(state)
    }),
    begin: printer => recordsOf(printer).durations.reset(),
    forget: printer => { records.delete(printer) },
    board: {
      printer,
      telemetry () {
        const { printer: name, session, history, durations: { seconds } } = current()
        const values = chartsNow(name, history)
        const document = session && printer(session)
        const shown = document && hasData(document) ? document : NO_DATA
        const key = [values, seconds, shown]
        if (cached?.key.every((part, at) => part === key[at]) === true) return cached.document
        cached = { key, document: immutableJson({ ...values, gcode_state_durations: seconds, printer: shown }) }
        return cached.document
      },
      zoom (name, way) {
        const { history } = current()
        if (way === 'in') history.zoomIn(name)
        else history.zoomOut(name)
      },
      dump () {
        const { history } = current()
        return COLLECTION_NAMES.map(name =>
          JSON.stringify({ name, zoom: history.zoom(name), data: history.points(name) }) + '\n').join('')
      }
    }
  }
}

interface Supplemented { readonly reading: Reading, readonly document: StateDocument }
const supplemented = new WeakMap<StateDocument, Supplemented>()

/** The state document with the temperature of the external chamber, if the printer does not measure its own. */
function withChamber (document: StateDocument, reading: Reading | undefined): StateDocument {
  if (reading === undefined) return document
  const known = supplemented.get(document)
  if (known?.reading === reading) return known.document
  const { _config: config, _printer_state: state } = document
  const climate = { ...state.climate, chamber_temp: reading.celsius ?? state.climate.chamber_temp }
  const made = immutableJson({
    ...document,
    _config: { ...config, external_chamber: true },
    _printer_state: { ...state, climate }
  }) as StateDocument
  supplemented.set(document, { reading, document: made })
  return made
}

/** How long the printer has been in each job state since the job began. */
interface Durations {
  /** Adds the time since the previous report to the state of that report. */
  add (state: PrinterState): void
  reset (): void
  /** Seconds by state; a new object after every change. */
  readonly seconds: Readonly<Record<string, number>>
}

/** Printers have eight; one that reports ever new states must not fill the memory. */
const MOST_STATES = 16
const round = (seconds: number) => Math.round(seconds * 1000) / 1000

export function createDurations (): Durations {
  let seconds: Readonly<Record<string, number>> = {}
  let before: { readonly name: string, readonly at: number } | undefined

  function count (name: string, more: number): void {
    const known = Object.hasOwn(seconds, name)
    if (name === '' || (!known && Object.keys(seconds).length >= MOST_STATES)) return
    if (!known || more > 0) seconds = { ...seconds, [name]: round((seconds[name] ?? 0) + more) }
  }

  return {
    get seconds () { return seconds },
    add ({ job: { gcodeState: name }, receivedAt: at }) {
      if (before) count(before.name, Math.max(0, at - before.at) / 1000)
      count(name, 0)
      before = { name, at }
    },
    reset () {
      seconds = {}
      before = undefined
    }
  }
}
