import { defineLiveTopic, definePage, definePlugin, type Plugin } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import { why, type HoldBack } from '../queue/index.js'
import { PrintCounting } from './counting.js'
import { migrations } from './migrations.js'
import { Notices, type TaskEvent } from './notices.js'
import { servePhotos } from './photo-route.js'
import { Photos } from './photos.js'
import { abrasivePlaces } from './print-wear.js'
import routes from './routes.js'
import { ruleEvents, ruleValues } from './rules.js'
import { Maintenance } from './service.js'
import { createTaskStore } from './task-store.js'
import { texts } from './texts/index.js'
import tools from './tools.js'
import { Turns } from './turns.js'
import { WearMinutes } from './wear-minutes.js'
import { createWearStore } from './wear-store.js'

export { texts } from './texts/index.js'
export type { Counters } from './counters.js'
export type { TaskEvent } from './notices.js'
export type { Maintenance } from './service.js'
export type { PrinterStatus, TaskStatus } from './status.js'

declare module 'prnd' {
  interface Services { maintenance: Maintenance }
  interface Events {
    /** What is to do, was done or was counted has changed. */
    'maintenance:changed': []
    /** A task is soon due, is due, or was done. */
    'maintenance:task': [event: TaskEvent]
  }
}

const topic = defineLiveTopic({
  name: 'maintenance',
  description: 'What is to do on printers has changed: read `GET /api/maintenance` again',
  every: true,
  watch: ({ events, printers }, send) => events.on('maintenance:changed', () => {
    for (const printer of printers.names) send(printer, {})
  })
})

const page = definePage({
  id: 'maintenance',
  path: '/maintenance',
  icon: 'M14.5 6.5a4 4 0 0 0-5 5L4 17a2 2 0 0 0 3 3l5.500-5.500a4 4 0 0 0 5-5l-2.500 2.500-2.500-.5-.5-2.500Z',
  order: 42,
  key: 'w',
  texts,
  content: { files: 'maintenance' },
  badge: { path: 'maintenance/count', member: 'due' }
})

/** Overrides for tests that are no configuration options. */
interface Timing {
  /** Time between turns. */
  readonly everyMs?: number
}

const EVERY_MS = 60_000
/** A record is written shortly after its event. */
const AFTER_PRINT_MS = 2_000

/** Counts what wears printers, and says what is to do. */
export const maintenanceWith = ({ everyMs = EVERY_MS }: Timing = {}): Plugin => definePlugin({
  name: 'maintenance',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Maintenance: what wears printers, what is due, and what was done',
  needs: ['database', 'history', 'http', 'live'],
  leavesWithNeeds: true,
  optional: ['alerts', 'queue'],
  provides: ['maintenance'],
  uses: ['disk'],
  contributes: { routes, tools, migrations, liveTopics: [topic], pages: [page], ruleEvents, ruleValues },
  async setup (context) {
    const { kernel, services: { database, history }, optional, log, printers, events, signal } = context
    const { onReady, onClose } = context
    const { now } = kernel
    const store = createTaskStore(database)
    const wear = createWearStore(database)
    const minutes = new WearMinutes()
    const counting = new PrintCounting({ history, store: wear, now })
    const changed = () => { events.emit('maintenance:changed') }
    const happened = (event: TaskEvent) => { events.emit('maintenance:task', event) }
    const maintenance = new Maintenance({
      kernel,
      tasks: store,
      wear,
      photos: new Photos(context.folder),
      happened,
      changed: () => {
        changed()
        optional.queue?.runner.wake()
      }
    })
    const notices = new Notices({
      store, raise: (printer, finding) => optional.alerts?.raise(printer, finding), happened, now
    })
    const turns = new Turns({
      maintenance,
      counting,
      minutes,
      wear,
      notices,
      hasPrinters: () => printers.names.length > 0,
      onTurn: isNew => {
        if (isNew) changed()
        optional.queue?.runner.wake()
      },
      now,
      log,
      signal,
      everyMs
    })
    const holdBack: HoldBack = ({ name }) => {
      if (!maintenance.isRead) return why('maintenance_unread')
      const task = maintenance.blocking(name)
      return task && why('maintenance_due', { task: task.name })
    }
    let isReady = false
    printers.eachLocal(session => {
      if (isReady && !maintenance.isRead) turns.wake() // the first printer is held back until then
      return session.events.on('state', state => {
        if (session.live) minutes.see(session.config.serial, state, now())
      })
    })
    events.on('history:print', (printer, print) => {
      const state = printers.get(printer)?.state
      counting.see(print, state ? abrasivePlaces(state) : new Set())
      if (print.result !== 'running') turns.wake(AFTER_PRINT_MS)
    })
    context.provide('maintenance', maintenance)
    await servePhotos(context.app, kernel)
    onReady(() => {
      if (optional.queue) onClose(optional.queue.heldBackBy(holdBack))
      isReady = true
      turns.wake()
    })
    onClose(() => turns.close())
  }
})

export default maintenanceWith()
