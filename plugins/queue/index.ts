import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Type } from 'typebox'
import {
  defineLiveTopic, definePage, definePlugin, LONGEST_START_MS, openJsonStore, privateFolder, type Plugin,
  type PrinterSession
} from '../../core/index.js'
import { loadPalette } from '../filament/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import type { Print } from '../history/index.js' // with its event and service, where that plugin is loaded
import type {} from '../spools/index.js' // its event, where that plugin is loaded
import type {} from '../fleet/index.js' // its service, where that plugin is loaded
import { createQueueAlerts } from './alerts.js'
import { createSpoolFinder, decide, type SpoolFinder } from './decide/index.js'
import { QueueDatabaseNeeded } from './errors.js'
import { isOurs } from './run-verdict.js'
import { createLibrary } from './library.js'
import { migrations } from './migrations.js'
import type { queueJob } from './operations/jobs.js'
import routes from './routes.js'
import { createRunner, type Role, type Timing } from './runner.js'
import { createQueueService, type QueueService } from './service.js'
import { createUsedPlate, createPrinterObserver } from './printer-observer.js'
import { createContents } from './store/contents.js'
import { createStore } from './store/index.js'
import { texts } from './texts/index.js'
import tools from './tools.js'
import type { Run, Snapshot } from './types.js'
import { serveFileUpload } from './upload-route.js'
import { createTrayReader, groupsOf, viewOf, type GroupOptions, type Situation } from './view.js'

export type { QueueService, QueueStatus } from './service.js'
export type { Job, Run } from './types.js'

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

const Clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

const Options = Type.Object({
  groups: Type.Array(Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64 }),
    printers: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { description: 'Names of its printers' }),
    hours: Type.Optional(Type.Object({
      from: Clock,
      to: Clock,
      days: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1 }))
    }, { description: 'Working hours, in which prints are started: `from`, `to`, and `days` from 1 Monday to 7 Sunday' })),
    spacingSeconds: Type.Integer({ minimum: 0, maximum: 86_400, default: 0, description: 'Least time between the starts of two prints' }),
    selfClearing: Type.Boolean({ default: false, description: 'Its printers remove finished prints by themselves' })
  }), { default: [], description: 'Printers that belong together; a printer may be in several' }),
  fileMiB: Type.Integer({ minimum: 1, maximum: 4096, default: 512, description: 'Largest file of the library' }),
  libraryMiB: Type.Integer({ minimum: 1, default: 8192, description: 'Most that all files of the library may take' })
})

const TIMING: Timing =
  { turnMs: 1_000, idleMs: 15_000, retryMs: 60_000, startMs: 120_000, settleMs: 3_000, unansweredMs: LONGEST_START_MS }

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
  content: { files: 'queue' }
})

const Instance = Type.Object({ id: Type.String() })

/** @param timing overrides the default times in tests */
export const queueWith = (timing: Partial<Timing> = {}): Plugin<typeof Options> => definePlugin({
  name: 'queue',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Jobs that start by themselves on printers that fit, and a library of sliced files',
  needs: ['database', 'files', 'projects', 'http', 'live'],
  optional: ['alerts', 'history', 'fleet'],
  provides: ['queue'],
  uses: ['commands', 'files', 'disk'],
  options: Options,
  contributes: { routes, tools, migrations, liveTopics: [topic], pages: [page] },
  async setup ({ app, kernel, log, options, printers, events, services, optional, folder, provide, onReady, onClose }) {
    const groups: readonly GroupOptions[] = options.groups
    const times = { ...TIMING, ...timing }
    const own = await folder()
    const identity = await openJsonStore(join(own, 'instance.json'),
      { schema: Instance, initial: { id: randomUUID() }, warn: message => log.warn(message) })
    await identity.set(identity.get())
    /** A hub starts nothing: nodes are closer to the printers, and continue without it. */
    const role = (): Role => {
      if (printers.others !== undefined) return isShared ? 'hub' : 'none'
      return optional.fleet?.status().role === 'node' ? 'node' : 'alone'
    }
    const isShared = services.database.status.kind === 'postgres'
    const library = createLibrary({
      ...options,
      folder: await privateFolder(own, 'files'),
      now: kernel.now,
      contents: isShared ? createContents(services.database) : undefined
    })
    await library.open()
    const store = createStore(services.database, () => { if (role() === 'none') throw new QueueDatabaseNeeded() })
    const alerts = createQueueAlerts({
      hms: kernel.hms,
      now: kernel.now,
      raise: (printer, finding) => optional.alerts?.raise(printer, finding)
    })
    const ended = (session: PrinterSession): void => {
      if (!groupsOf(session.name, groups).some(group => group.selfClearing)) alerts.plateUsed(session)
    }
    const observer = createPrinterObserver({
      markUsed: serial => store.markUsed(serial, kernel.now()),
      ended,
      wake: () => runner.wake()
    })
    const trays = createTrayReader(services.projects.weigh)
    const situation = (snapshot: Snapshot): Situation =>
      ({ kernel, snapshot, groups, identity: observer.identity, trays })
    let finder: Promise<SpoolFinder> | undefined
    const spools = () => (finder ??= loadPalette().then(createSpoolFinder))
    const runner = createRunner({
      kernel,
      files: services.files,
      library,
      store,
      groups,
      observer,
      situation,
      alerts,
      instance: identity.get().id,
      role,
      spools,
      timing: times,
      log,
      changed: names => events.emit('queue:changed', names),
      runChanged: run => events.emit('queue:run', run)
    })
    provide('queue', createQueueService({
      kernel,
      store,
      library,
      runner,
      groups,
      observer,
      situation,
      evaluate: async snapshot => {
        const view = viewOf(situation(snapshot), library.present, times.retryMs)
        return { snapshot, decision: decide(view, await spools()) }
      }
    }))
    services.projects.watchPlatesBy(createUsedPlate({ store, observer }))
    await serveFileUpload(app, kernel, options.fileMiB)
    events.on('spools:changed', () => {
      trays.weighAgain()
      runner.wake()
    })
    optional.history?.offerFiles(async ({ id }, session, path, signal) => {
      const file = await store.fileOfPrint(id)
      const found = file === undefined ? undefined : await library.verified(file).catch(() => undefined)
      if (found !== undefined) await services.files.upload(session, found, path, { signal })
      return found !== undefined
    })
    /** Asks the database, since the last turn may be older than the run. */
    async function linkPrint (serial: string, print: Print): Promise<void> {
      const run = await store.unlinkedRun(serial, run => isOurs(run, print.job))
      if (run === undefined) return
      optional.history?.linkJob(print.id, run.job)
      await store.linkPrint(run, print.id)
    }
    events.on('history:print', (printer, print) => {
      const serial = printers.config(printer)?.serial
      if (serial === undefined || print.queueJob !== undefined || role() === 'none') return
      linkPrint(serial, print).catch((error: Error) => log.debug({ err: error }, 'a print could not be linked to its job'))
    })
    events.on('history:ended-unseen', printer => {
      const session = printers.get(printer)
      if (session && role() !== 'none') ended(session)
    })
    onReady(() => {
      printers.eachLocal(observer.watch)
      runner.wake()
    })
    onClose(services.projects.onGivenUp(runner.giveUp))
    onClose(runner.close)
  }
})

export default queueWith()
