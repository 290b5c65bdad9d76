import { SERVICE_STATES, type Kernel, type PrinterSession } from '../../core/index.js'
import { createCounter } from './counter.js'
import { checkNames, type MetricSource } from './metric.js'
import type { GaugeSpec } from './gauge.js'
import { createRequestTimes } from './request-times.js'

/** Counts what happens in one kernel. */
export function createRegister (kernel: Kernel, gauges: readonly GaugeSpec[]) {
  const reports = createCounter('prn_reports_total', 'Reports that printers sent', ['printer'])
  const reconnects = createCounter('prn_reconnects_total', 'Connections to printers that were lost', ['printer'])
  const commands = createCounter('prn_commands_total', 'Commands that printers answered', ['printer', 'result'])
  const alerts = createCounter('prn_alerts_total', 'Alerts raised', ['printer', 'type'])
  const requests = createRequestTimes()
  const counters = [reports, reconnects, commands, alerts]
  const figures: readonly MetricSource[] = [
    ...counters.map(({ figure }) => figure),
    requests.figure,
    sessionsOf(kernel),
    ...gauges.map(spec => gaugeOf(kernel, spec))
  ]
  checkNames(figures)

  function follow ({ name: printer, events }: PrinterSession): () => void {
    const seen = reports.of({ printer })
    const lost = reconnects.of({ printer })
    const off = [
      events.on('state', () => { seen.value++ }),
      events.on('service', (now, before) => { if (before === 'CONNECTED' && now === 'DISCONNECTED') lost.value++ }),
      events.on('reply', ({ accepted }) => { commands.of({ printer, result: accepted ? 'accepted' : 'refused' }).value++ })
    ]
    return () => off.forEach(stop => stop())
  }

  return {
    figures,
    follow,
    /** A printer that is gone for good takes its figures with it. */
    forget: (printer: string) => { for (const counter of counters) counter.forget('printer', printer) },
    countAlert: (printer: string, type: string) => { alerts.of({ printer, type }).value++ },
    countRequest: requests.count
  }
}

/** A figure that cannot be read is not shown; the others are. */
function gaugeOf (kernel: Kernel, spec: GaugeSpec): MetricSource {
  const { name, help } = spec
  const part = kernel.pluginFaults.guard(kernel.originOf(spec), 'gauge', name)
  return {
    name,
    help,
    type: 'gauge',
    read () {
      if (part.isDisabled) return []
      try {
        const value: unknown = spec.read(kernel)
        if (typeof value !== 'number') throw new TypeError(`it read ${typeof value}, no number`)
        return [{ labels: {}, value }]
      } catch (error) {
        part.failed(error)
        return []
      }
    }
  }
}

const sessionsOf = ({ printers }: Kernel): MetricSource => ({
  name: 'prn_sessions',
  help: 'Printers by the state of their session',
  type: 'gauge',
  read: () => SERVICE_STATES.map(state => ({
    labels: { state },
    value: printers.sessions.filter(({ service }) => service === state).length
  }))
})
