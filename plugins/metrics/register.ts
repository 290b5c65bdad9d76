import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { SERVICE_STATES, type Kernel, type PrinterSession } from '../../core/index.js'
import type { GaugeSpec } from './gauge.js'
import { createRequestTimes } from './request-times.js'

/** Counts what happens in one kernel. */
export function createRegister (kernel: Kernel, gauges: readonly GaugeSpec[]) {
  const registry = new Registry()
  const registers = [registry]
  const of = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers })

  const reports = of('prn_reports_total', 'Reports that printers sent', ['printer'])
  const reconnects = of('prn_reconnects_total', 'Connections to printers that were lost', ['printer'])
  const commands = of('prn_commands_total', 'Commands that printers answered', ['printer', 'result'])
  const alerts = of('prn_alerts_total', 'Alerts raised', ['printer', 'type'])
  const requests = createRequestTimes(registry)
  countSessions(kernel, registers)
  for (const spec of gauges) show(kernel, spec, registers)
  collectDefaultMetrics({ register: registry })

  function follow ({ name, events }: PrinterSession): () => void {
    const seen = reports.labels(name)
    const lost = reconnects.labels(name)
    const off = [
      events.on('state', () => seen.inc()),
      events.on('service', (now, before) => { if (before === 'CONNECTED' && now === 'DISCONNECTED') lost.inc() }),
      events.on('reply', ({ accepted }) => commands.labels(name, accepted ? 'accepted' : 'refused').inc())
    ]
    return () => off.forEach(stop => stop())
  }

  /** A printer that is gone for good takes its figures with it. */
  function forget (printer: string): void {
    for (const counter of [reports, reconnects]) counter.remove(printer)
    for (const result of ['accepted', 'refused']) commands.remove(printer, result)
  }

  return {
    follow,
    forget,
    countAlert: (printer: string, type: string) => alerts.labels(printer, type).inc(),
    countRequest: requests.count,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    clear: () => registry.clear()
  }
}

/** A figure that cannot be read is not shown; the others are. */
function show (kernel: Kernel, spec: GaugeSpec, registers: Registry[]): void {
  const { name, help } = spec
  const part = kernel.isolation.part(kernel.originOf(spec), 'gauge', name)
  const gauge = new Gauge({
    name,
    help,
    registers,
    collect () {
      gauge.remove()
      if (part.cut) return
      try {
        gauge.set(spec.read(kernel))
      } catch (error) {
        part.failed(error)
      }
    }
  })
}

function countSessions ({ printers }: Kernel, registers: Registry[]): void {
  const gauge = new Gauge({
    name: 'prn_sessions',
    help: 'Printers by the state of their session',
    labelNames: ['state'],
    registers,
    collect () {
      const sessions = printers.sessions
      for (const state of SERVICE_STATES) {
        gauge.labels(state).set(sessions.filter(({ service }) => service === state).length)
      }
    }
  })
}
