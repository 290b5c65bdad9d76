import { defineLiveTopic, definePage, definePlugin, LONGEST_START_MS, type Plugin } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import type {} from '../history/index.js' // its events and service, where that plugin is loaded
import type {} from '../spools/index.js' // its event and service, where that plugin is loaded
import type {} from '../fleet/index.js' // its service, where that plugin is loaded
import { connectHistory, connectProjects } from './connections.js'
import { migrations } from './migrations.js'
import { openQueue } from './open-queue.js'
import { readGroups } from './operations/groups.js'
import type { queueJob } from './operations/jobs.js'
import { Options } from './options.js'
import { plannedFilament } from './planned-filament.js'
import routes from './routes.js'
import type { Timing } from './runner.js'
import type { QueueService } from './service.js'
import { texts } from './texts/index.js'
import tools from './tools.js'
import type { Run } from './types.js'
import { serveFileUpload } from './upload-route.js'

export { why, type ReasonCode, type Why } from './decide/index.js'
export { NoSlicedFile } from './errors.js'
export type { QueueService, QueueStatus } from './service.js'
export type { PlateClearing } from './plate-clearing.js'
export {
  ACTIVE_STATES, RUN_ENDS, type Job, type PlateFacts, type PlateRecord, type Run, type SlicedFile
} from './types.js'
export type { HoldBack } from './view.js'

declare module 'prnd' {
  interface Services { queue: QueueService }
  interface Operations { 'queue.add': typeof queueJob }
  interface Events {
    /** A copy of a job was assigned to a printer, began, ended, or its outcome is unknown: see `run.state`. */
    'queue:run': [run: Run]
    /** Jobs, plates or printers of the queue may have changed. */
    'queue:changed': [printers: readonly string[]]
  }
}

const TIMING: Timing = {
  turnMs: 1_000,
  idleMs: 15_000,
  retryMs: 60_000,
  startMs: 120_000,
  settleMs: 3_000,
  unansweredMs: LONGEST_START_MS,
  lookMs: 2_000,
  minuteMs: 60_000
}

const topic = defineLiveTopic({
  name: 'queue',
  description: 'What the queue does with a printer, at most once a second',
  current: ({ services }, printer) => services.queue.statusOf(printer),
  watch: ({ events }, send) => events.on('queue:changed', printers => { for (const printer of printers) send(printer) })
})

const page = definePage({
  id: 'queue',
  path: '/queue',
  icon: 'queue',
  order: 30,
  key: 'q',
  texts,
  content: { files: 'queue', styles: ['queue.css'] }
})

const groupsPage = definePage({
  id: 'groups',
  path: '/queue/groups',
  icon: 'M12 3.500a8.500 8.500 0 1 0 0 17a8.500 8.500 0 0 0 0-17Zm0 3.500v5l3.500 2',
  order: 32,
  within: 'settings',
  texts,
  operation: readGroups,
  content: { files: 'queue', html: 'groups.html', script: 'groups.js', styles: ['groups.css'] }
})

/** @param timing overrides the default times in tests */
export const queueWith = (timing: Partial<Timing> = {}): Plugin<typeof Options> => definePlugin({
  name: 'queue',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Jobs that start by themselves on printers that fit, and a library of sliced files',
  needs: ['database', 'files', 'projects', 'http', 'live'],
  optional: ['alerts', 'audit', 'history', 'fleet', 'spools'],
  provides: ['queue'],
  uses: ['commands', 'files', 'disk'],
  options: Options,
  contributes: { routes, tools, migrations, liveTopics: [topic], pages: [page, groupsPage] },
  async setup (context) {
    const { app, kernel, options, printers, events, provide, onReady, onClose } = context
    const queue = await openQueue(context, { ...TIMING, ...timing })
    const { observer, runner } = queue.service
    provide('queue', queue.service)
    connectProjects(context, queue)
    await serveFileUpload(app, kernel, options.fileMiB)
    events.on('spools:changed', queue.weighAgain)
    // A hub without a shared database has no jobs of its own.
    context.optional.spools?.plannedBy(() => queue.service.store.snapshot().then(plannedFilament, () => []))
    connectHistory(context, queue)
    onReady(() => {
      printers.eachLocal(session => observer.watch(session))
      runner.wake()
    })
    onClose(() => runner.close())
  }
})

export default queueWith()
