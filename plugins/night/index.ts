import { definePage, definePlugin, type Plugin } from '../../core/index.js'
import type {} from '../energy/index.js' // the service energy, where that plugin is loaded
import type {} from '../alerts/index.js'
import type {} from '../maintenance/index.js'
import type {} from '../spools/index.js'
import { why, type HoldBack } from '../queue/index.js'
import { sendMorning } from './morning.js'
import { quietReason, quietUntil, switchLightsOff } from './quiet.js'
import routes from './routes.js'
import { Schedule } from './schedule.js'
import { Night } from './service.js'
import { createNightStore } from './store.js'
import { migrations } from './tables.js'
import { texts } from './texts/index.js'
import tools from './tools.js'
import { callNext } from './watch.js'

export type { Report } from './report.js'
export type { Night } from './service.js'

declare module 'prnd' {
  interface Services { night: Night }
}

const page = definePage({
  id: 'night',
  path: '/night',
  icon: 'M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500Z',
  order: 31,
  within: 'settings',
  texts,
  content: { files: 'night' }
})

/** Overrides for tests that are no configuration options. */
interface Timing {
  /** Time between turns. */
  readonly everyMs?: number
}

const EVERY_MS = 20_000
const PRUNE_MS = 3_600_000
/** Between two alerts that a place of the watch cannot be told. */
const UNHEARD_MS = 3_600_000

/** Quiet hours, a report in the morning, and a watch over alerts that nobody acknowledges. All is off at first. */
export const nightWith = ({ everyMs = EVERY_MS }: Timing = {}): Plugin => definePlugin({
  name: 'night',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Night: quiet hours, a report in the morning, a watch over alerts',
  needs: ['database', 'history', 'http', 'notify'],
  leavesWithNeeds: true,
  optional: ['alerts', 'audit', 'energy', 'maintenance', 'queue', 'spools'],
  provides: ['night'],
  uses: ['commands', 'network'],
  contributes: { routes, tools, migrations, pages: [page] },
  setup ({ kernel, services: { database, messages }, optional, log, printers, signal, provide, onReady, onClose }) {
    const store = createNightStore(database, kernel.now)
    const groups = () => optional.queue?.groups ?? []
    const unheardAt = new Map<string, number>()
    const unheard = (printer: string, target: string) => {
      const key = JSON.stringify([printer, target])
      if (performance.now() - (unheardAt.get(key) ?? -Infinity) < UNHEARD_MS) return
      unheardAt.set(key, performance.now())
      optional.alerts?.raise(printer, { type: 'watch_unheard', severity: 'medium', payload: { target } })
    }
    const deps = {
      kernel,
      database,
      store,
      groups,
      signal,
      unheard,
      answers: { since: kernel.now() as number | undefined },
      messages: () => messages,
      failed: new Map<string, number>()
    }
    const night: Night = new Night({
      ...deps,
      isQuiet: settings => quietUntil(settings, kernel.now()) !== undefined,
      changed: () => optional.queue?.runner.wake()
    })
    let prunedAt = -Infinity
    const schedule = new Schedule({
      works: [
        async () => {
          const wasRead = night.isRead
          if (printers.names.length > 0) await night.read()
          if (!wasRead && night.isRead) optional.queue?.runner.wake()
        },
        () => switchLightsOff(night.settings, deps),
        () => sendMorning(night.settings, night.since.report, deps),
        () => callNext(night.settings, night.since.watch, deps),
        async () => {
          if (!night.isRead || performance.now() - prunedAt < PRUNE_MS) return
          prunedAt = performance.now()
          await store.prune()
        }
      ],
      everyMs,
      log,
      signal
    })
    // A queue that starts a job before the quiet hours are read would be loud at night.
    const holdBack: HoldBack = ({ name }) => night.isRead
      ? quietReason(night.settings, name, groups(), kernel.now())
      : why('night_unread')
    provide('night', night)
    onReady(() => {
      if (optional.queue) {
        onClose(optional.queue.heldBackBy(holdBack))
        // Without their group these printers would be loud.
        onClose(optional.queue.groupRegistry.namedBy('Night', name => !night.isRead || night.settings.quiet.groups.includes(name)))
      }
      schedule.wake()
    })
    onClose(() => schedule.close())
  }
})

export default nightWith()
