import { definePlugin, type Kernel } from '../../core/index.js'
import { COLLECTIONS, type Collection } from './collections.js'
import { isHealthField, type HealthHistory, type HealthRecord } from './health-history.js'
import routes from './routes.js'
import { createStore, type TelemetryStore } from './store.js'
import tools from './tools.js'
import { BadCollection } from './errors.js'

export { COLLECTIONS, defineCollection } from './collections.js'
export type { Collection } from './collections.js'
export type { MonitoringData, Point, Series, Statistics } from './monitoring-data.js'
export { extremes, stretchesOf } from './extremes.js'
export type { HealthField, HealthHistory, HealthRecord } from './health-history.js'
export type { Mark } from './marks.js'
export type { MonitoringHistory, MonitoringSummary, NamedSeries, TelemetryStore } from './store.js'

declare module 'prnd' {
  interface Services { telemetry: TelemetryStore }
  interface Contributions {
    collections: Collection
    healthHistory: HealthHistory
  }
}

const NAME = 'telemetry'

/** A source that fails has no records. */
function recordsOf ({ pluginFaults, originOf }: Kernel, monitor: HealthHistory,
  printer: string): readonly HealthRecord[] {
  const guard = pluginFaults.guard(originOf(monitor), 'health history', '')
  return guard.run(() => monitor.records(printer), { printer }) ?? []
}

const COLLECTION_NAME = /^[a-z][a-z0-9_]{0,39}$/

function problemOf ({ name, unit, read }: Collection): string | undefined {
  if (typeof name !== 'string' || !COLLECTION_NAME.test(name)) {
    return 'the name must be lower-case letters, digits and underscores, 40 at most'
  }
  if (isHealthField(name)) return 'the job monitor has a value of the same name'
  if (typeof unit !== 'string') return 'unit must be a text'
  return typeof read === 'function' ? undefined : 'read must be a function'
}

/** @throws PRN_ERR_COLLECTION naming the collection and its plugin */
function checkCollections (collections: readonly Collection[],
  originOf: (collection: Collection) => string): void {
  const seen = new Map<string, Collection>()
  for (const collection of collections) {
    const { name } = collection
    const first = seen.get(name)
    const problem = first ? `plugin '${originOf(first)}' has one of the same name` : problemOf(collection)
    const plugin = originOf(collection)
    if (problem !== undefined) throw new BadCollection(String(name), plugin, problem).with({ plugins: [plugin] })
    seen.set(name, collection)
  }
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
    // History survives a restart of the session and is dropped when the printer is removed.
    events.on('printer:forgotten', store.forget)
    provide('telemetry', store)
  }
})
