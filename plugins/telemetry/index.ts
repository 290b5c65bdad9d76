import { definePlugin, type Kernel } from '../../core/index.js'
import { checkCollections } from './check.js'
import { COLLECTIONS, type Collection } from './collections.js'
import type { HealthHistory, HealthRecord } from './health-history.js'
import routes from './routes.js'
import { createStore, type TelemetryStore } from './store.js'
import tools from './tools.js'

export { defineCollection } from './collections.js'
export type { Collection } from './collections.js'
export type { MonitoringData, Point, Series, Statistics } from './documents.js'
export { extremes, stretchesOf } from './min-max-downsample.js'
export type { HealthField, HealthHistory, HealthRecord } from './health-history.js'
export type { Mark } from './event-markers.js'
export type { MonitoringHistory, MonitoringSummary, NamedSeries, TelemetryStore } from './store.js'

declare module 'prn' {
  interface Services { telemetry: TelemetryStore }
  interface Contributions {
    collections: Collection
    healthHistory: HealthHistory
  }
}

const NAME = 'telemetry'

/** One that fails has none. */
function recordsOf ({ pluginFaults, originOf }: Kernel, monitor: HealthHistory,
  printer: string): readonly HealthRecord[] {
  const guard = pluginFaults.guard(originOf(monitor), 'health history', '')
  return guard.run(() => monitor.records(printer), { printer }) ?? []
}

export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'The last hour of temperatures, fans and job states',
  needs: ['http'],
  provides: ['telemetry'],
  contributes: { routes, tools, collections: COLLECTIONS },
  setup ({ kernel, printers, events, contributed, provide }) {
    const { originOf, now } = kernel
    const collections = contributed('collections')
    const monitors = contributed('healthHistory')
    checkCollections(collections, collection => originOf(collection) ?? NAME)
    const store = createStore({
      collections,
      health: printer => monitors.flatMap(monitor => recordsOf(kernel, monitor, printer)),
      now,
      pluginFaults: kernel.pluginFaults,
      originOf
    })
    printers.each(session => session.events.on('state', state => {
      if (session.service !== 'PAUSED') store.record(session.name, state)
    }))
    // A session that is begun anew keeps its history; that of a removed printer goes.
    events.on('printer:forgotten', store.forget)
    provide('telemetry', store)
  }
})
