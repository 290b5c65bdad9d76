import { definePlugin } from '../../core/index.js'
import { COLLECTIONS, type Collection } from './collections.js'
import type { HealthHistory } from './health-history.js'
import routes from './routes.js'
import { createStore, type TelemetryStore } from './store.js'
import tools from './tools.js'

export { defineCollection } from './collections.js'
export type { Collection } from './collections.js'
export type { MonitoringData, Point, Series, Statistics } from './documents.js'
export type { HealthField, HealthHistory, HealthRecord } from './health-history.js'
export type { Mark } from './marks.js'
export type { TelemetryStore } from './store.js'

declare module 'prn' {
  interface Services { telemetry: TelemetryStore }
  interface Contributions {
    collections: Collection
    healthHistory: HealthHistory
  }
}

export default definePlugin({
  name: 'telemetry',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'The last hour of temperatures, fans and job states',
  needs: ['http'],
  provides: ['telemetry'],
  contributes: { routes, tools, collections: COLLECTIONS },
  setup ({ kernel, log, printers, events, contributed, provide }) {
    const store = createStore({
      collections: contributed('collections'),
      health: printer => contributed('healthHistory').flatMap(({ records }) => records(printer)),
      now: kernel.now,
      log
    })
    printers.each(session => session.events.on('state', state => store.record(session.name, state)))
    // A session that is begun anew keeps its history; that of a removed printer goes.
    events.on('printer:forgotten', store.forget)
    provide('telemetry', store)
  }
})
