import { join } from 'node:path'
import { Type } from 'typebox'
import { defineLiveTopic, definePage, definePlugin, defineRuleNames, openLasting } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import type {} from '../projects/index.js' // the service projects, where that plugin is loaded
import { createCounter } from './counter.js'
import { Counting } from './counting.js'
import { gauges } from './gauges.data.js'
import { createInventoryStore } from './inventory-store.js'
import { openKeeper } from './open-keeper.js'
import { Options } from './options.js'
import routes from './routes.js'
import { createSpools, type Spools } from './service.js'
import { ShortageAlerts } from './shortage-alerts.js'
import { placeOf, slotsOf } from './slots.js'
import { createStore } from './store.js'
import { migrations } from './migrations.js'
import { texts } from './texts/index.js'
import { serveImport } from './transfer/import-route.js'
import tools from './tools.js'

export { NoSpool } from './errors.js'
export type { Spools } from './service.js'
export { spoolTemperatures } from './spool-temperatures.js'
export type { TypeRow as SpoolType } from './tables.js'
export type { Planned } from './supply/forecast-supply.js'
export type { Slot, Spool, Use } from './types.js'

declare module 'prnd' {
  interface Services { spools: Spools }
  interface Events {
    /** Spools, their places or their uses changed. */
    'spools:changed': []
  }
}

const topic = defineLiveTopic({
  name: 'spools',
  description: 'Spools, their places or their uses changed: read `GET /api/spools` again',
  every: true,
  watch: ({ events, printers }, send) => events.on('spools:changed', () => {
    for (const printer of printers.names) send(printer, {})
  })
})

const page = definePage({
  id: 'spools',
  path: '/spools',
  hasDetails: true,
  icon: 'spool',
  order: 35,
  key: 'o',
  texts,
  content: { files: 'spools' }
})

/** For rules. */
const ruleNames = [['spools.change', 'id'] as const, ['spools.assign', 'spool'] as const].map(([operation, input]) =>
  defineRuleNames({ operations: [operation], input, list: ({ optional }) => optional.spools?.all() }))

const Since = Type.Object({ since: Type.Number() })

export default definePlugin({
  name: 'spools',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Spools: where they are, how much is left, and Spoolman',
  needs: ['database', 'history', 'http', 'live'],
  optional: ['alerts', 'projects'],
  provides: ['spools'],
  uses: ['disk', 'network'],
  contributes: { routes, tools, migrations, liveTopics: [topic], pages: [page], gauges, ruleNames },
  options: Options,
  async setup (context) {
    const { services: { database, history }, optional, kernel, log, printers, events, folder, signal } = context
    const { now } = kernel
    const begun = await openLasting(join(await folder(), 'begun.json'), {
      schema: Since, initial: { since: now() }, warn: message => log.warn(message)
    })
    const store = createStore(database)
    const changed = () => { events.emit('spools:changed') }
    const { keeper, reporter } = await openKeeper(context, store, changed)
    const { service, whereabouts, spoolOf } = createSpools({
      kernel, store, keeper, changed, rows: createInventoryStore(database), ownLinesFile: join(await folder(), 'catalogue.json'), running: history.inProgress
    })
    const counting = new Counting({
      counter: createCounter({ history, store, keeper, spools: service, whereabouts, now }),
      reporter,
      spools: service,
      hasPrinters: () => printers.names.length > 0,
      since: () => begun.since,
      now,
      changed,
      log,
      signal
    })
    const shortages = new ShortageAlerts({
      spools: service, spoolOf, raise: (printer, finding) => optional.alerts?.raise(printer, finding)
    })
    context.provide('spools', service)
    await serveImport(context.app, kernel, changed)
    optional.projects?.weighBy((session, tray) => {
      const slot = slotsOf(session).find(({ place }) => place === placeOf(tray, session))
      return slot && service.gramsIn(slot)
    })
    events.on('history:print', (printer, print) => {
      if (print.result === 'running') return shortages.check(printer, print)
      shortages.ended(print)
      counting.ended(print.id)
    })
    context.onReady(() => counting.wake())
    context.onClose(() => counting.close())
  }
})
