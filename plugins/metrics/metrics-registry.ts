import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type RegistryContentType } from 'prom-client'
import { SERVICE_STATES, type GaugeSpec, type Kernel, type LabelledGauge, type PlainGauge, type PrinterSession } from '../../core/index.js'
import type { Format } from './format.js'
import { addPrinterGauges, PRINTER_NAMES } from './printer-gauges.js'

/** Upper bounds of the histogram's buckets, s. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]
const REQUESTS = 'prnd_http_request_seconds'
const SESSIONS = 'prnd_sessions'
const CONNECTIONS = 'prnd_connection_up'

const TYPES = { text: Registry.PROMETHEUS_CONTENT_TYPE, openmetrics: Registry.OPENMETRICS_CONTENT_TYPE } as const

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
/** Prefixes of the default metrics of the process, which exist from the first scrape on. */
const PROCESS = /^(process|nodejs)_/

/**
 * @param taken names already in use
 * @throws TypeError for a name that is invalid, a duplicate or reserved
 */
function checkNames (gauges: readonly GaugeSpec[], taken: readonly string[]): void {
  const names = new Set(taken)
  for (const { name, labels } of gauges) {
    if (!NAME.test(name)) throw new TypeError(`'${name}' is not a valid metric name: use letters, digits and _`)
    if (PROCESS.test(name)) throw new TypeError(`'${name}': names that begin with process_ or nodejs_ are reserved`)
    if (names.has(name)) throw new TypeError(`Two metrics are named '${name}'`)
    names.add(name)
    const wrong = labels?.find(label => !NAME.test(label) || label.includes(':'))
    if (wrong !== undefined) throw new TypeError(`'${name}': '${wrong}' is not a valid name of a label: use letters, digits and _`)
  }
}

type AnyRegistry = Registry<RegistryContentType>

/** The result of a scrape. */
interface Exposition { readonly type: string, readonly text: string }

/** The metrics of one kernel. */
export function createMetrics (kernel: Kernel, gauges: readonly GaugeSpec[]) {
  const registry: AnyRegistry = new Registry<RegistryContentType>()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers })

  const reports = counter('prnd_reports_total', 'Reports that printers sent', ['printer'])
  const reconnects = counter('prnd_reconnects_total', 'Connections to printers that were lost', ['printer'])
  const commands = counter('prnd_commands_total', 'Commands that printers answered', ['printer', 'result'])
  const alerts = counter('prnd_alerts_total', 'Alerts raised', ['printer', 'type'])
  const requests = new Histogram({
    name: REQUESTS,
    help: 'Requests by method, route and status, with the time to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers
  })
  checkNames(gauges, [...registry.getMetricsAsArray().map(({ name }) => name), SESSIONS, CONNECTIONS, ...PRINTER_NAMES])
  addSessions(registry, kernel)
  addConnections(registry, kernel)
  const ofPrinters = addPrinterGauges(registry, kernel)
  for (const spec of gauges) {
    if (spec.labels === undefined) addGauge(registry, kernel, spec)
    else addLabelledGauge(registry, kernel, spec)
  }

  function follow ({ name: printer, events }: PrinterSession): () => void {
    const seen = reports.labels({ printer })
    const lost = reconnects.labels({ printer })
    seen.inc(0) // present from the start
    lost.inc(0)
    const off = [
      events.on('state', () => seen.inc()),
      events.on('service', (now, before) => { if (before === 'CONNECTED' && now === 'DISCONNECTED') lost.inc() }),
      events.on('reply', ({ accepted }) => commands.inc({ printer, result: accepted ? 'accepted' : 'refused' }))
    ]
    return () => off.forEach(stop => stop())
  }

  let ofProcess = false
  /** Scrapes run one at a time, because the format is a property of the registry. */
  let collecting: Promise<unknown> = Promise.resolve()

  async function collect (format: Format): Promise<Exposition> {
    registry.setContentType(TYPES[format])
    return { type: TYPES[format], text: await registry.metrics() }
  }

  return {
    follow,
    judge: ofPrinters.judge,
    /** Removes the series of a removed printer. */
    forget: async (printer: string) => {
      ofPrinters.forget(printer)
      for (const counter of [reports, reconnects, commands, alerts]) await removeSeries(counter, printer)
    },
    countAlert: (printer: string, type: string) => alerts.inc({ printer, type }),
    countRequest: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status }, seconds),
    /** Default metrics of the process are collected from the first scrape on, since many services are never scraped. */
    async exposition (format: Format): Promise<Exposition> {
      if (!ofProcess) collectDefaultMetrics({ register: registry })
      ofProcess = true
      const mine = collecting.then(() => collect(format))
      collecting = mine.catch(() => {})
      return await mine
    },
    clear: () => registry.clear()
  }
}

/** Unused connections have no series. */
function addConnections (registry: AnyRegistry, { connections }: Kernel): void {
  new Gauge({ // eslint-disable-line no-new
    name: CONNECTIONS,
    help: '1 if a connection other than to a printer works, 0 if it failed last',
    labelNames: ['connection'],
    registers: [registry],
    collect () {
      this.reset()
      for (const { name, status } of connections.list()) {
        if (status !== 'unused') this.set({ connection: name }, Number(status === 'connected'))
      }
    }
  })
}

async function removeSeries<Label extends string> (counter: Counter<Label>, printer: string): Promise<void> {
  for (const { labels } of (await counter.get()).values) {
    if ((labels as Partial<Record<string, string | number>>).printer === printer) counter.remove(labels as never)
  }
}

const addSessions = (registry: AnyRegistry, { printers }: Kernel): Gauge<'state'> => new Gauge({
  name: SESSIONS,
  help: 'Printers by the state of their session',
  labelNames: ['state'],
  registers: [registry],
  collect () {
    for (const state of SERVICE_STATES) {
      this.set({ state }, printers.sessions.filter(({ service }) => service === state).length)
    }
  }
})

/** A gauge whose reader fails is left out. */
function addGauge (registry: AnyRegistry, kernel: Kernel, spec: PlainGauge): void {
  const { name, help } = spec
  const guard = kernel.pluginFaults.guard(kernel.originOf(spec), 'gauge', name)
  const read = (): number | undefined => guard.run(() => {
    const value: unknown = spec.read(kernel)
    if (typeof value !== 'number') throw new TypeError(`it returned ${typeof value}, not a number`)
    return value
  })
  const gauge = new Gauge({
    name,
    help: help || name, // required by the library
    registers: [registry],
    collect () {
      const value = read()
      if (value === undefined) gauge.remove()
      else gauge.set(value)
    }
  })
}

/** Each is a time series that somebody stores. */
const MOST_SAMPLES = 1_000

/** Likewise, with a value for each thing; of equal labels the last counts. */
function addLabelledGauge (registry: AnyRegistry, kernel: Kernel, spec: LabelledGauge): void {
  const { name, help, labels } = spec
  const guard = kernel.pluginFaults.guard(kernel.originOf(spec), 'gauge', name)
  new Gauge({ // eslint-disable-line no-new
    name,
    help: help || name,
    labelNames: [...labels],
    registers: [registry],
    collect () {
      this.reset()
      const samples = guard.run(() => {
        const list = spec.read(kernel)
        const wrong = list.find(({ value }) => typeof value !== 'number')
        if (wrong) throw new TypeError(`it returned ${typeof wrong.value}, not a number`)
        return list
      })
      for (const { labels: own, value } of (samples ?? []).slice(0, MOST_SAMPLES)) {
        this.set(Object.fromEntries(labels.map(label => [label, String(own[label] ?? '')])), value)
      }
    }
  })
}
