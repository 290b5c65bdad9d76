import { definePlugin, privateFolder, type Plugin } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import type {} from '../broker/index.js' // the service broker, where that plugin is loaded
import type {} from '../camera/index.js' // the service camera, where that plugin is loaded
import type {} from '../queue/index.js' // its service and events
import type {} from '../toolpath/index.js' // its service
import { PlateClearer, type ClearingTiming, type PlateChange } from './clearing/plate-clearer.js'
import { CameraCheck } from './evidence/camera-check.js'
import type { SensorBroker } from './evidence/types.js'
import { PlateMaker } from './insert/plate-maker.js'
import { migrations } from './migrations.js'
import { plateChangePage } from './pages.js'
import routes from './routes.js'
import { ruleEvents, ruleValues } from './rules.js'
import { PlateChangeService } from './service.js'
import { PlateChangeStore } from './store.js'
import tools from './tools.js'

export type { PlateChange } from './clearing/plate-clearer.js'
export type { SensorBroker } from './evidence/types.js'
export type { PlateChangeService } from './service.js'

declare module 'prnd' {
  interface Services { plateChange: PlateChangeService }
  interface Events {
    /** A plate was found empty or a person has to look, or a magazine is empty. */
    'plate-change:changed': [change: PlateChange]
  }
}

export interface PlateChangeOverrides extends Partial<ClearingTiming> {
  /** Between the two pictures of a check, ms. */
  readonly betweenMs?: number
  /** Sensors, in place of the service's broker. */
  readonly broker?: SensorBroker
}

const TIMING: ClearingTiming = { tickMs: 1_000, refreshMs: 15_000, sensorMs: 60_000 }

/** @param overrides set by tests */
export const plateChangeWith = ({ betweenMs, broker, ...timing }: PlateChangeOverrides = {}): Plugin => definePlugin({
  name: 'plate-change',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Ejectors and plate changers between two prints of the queue; off until a person accepts a recipe',
  needs: ['database', 'files', 'projects', 'toolpath', 'queue', 'http'],
  leavesWithNeeds: true,
  optional: ['alerts', 'broker', 'camera'],
  provides: ['plateChange'],
  uses: ['commands', 'files', 'disk', 'camera'],
  contributes: { routes, tools, migrations, pages: [plateChangePage], ruleEvents, ruleValues },
  async setup (context) {
    const { kernel, log, services, optional, events, provide, onReady, onClose } = context
    const { queue } = services
    const store = new PlateChangeStore(services.database)
    const camera = new CameraCheck({
      store, latestFrame: optional.camera?.latestFrame, now: kernel.now, ...betweenMs !== undefined && { betweenMs }
    })
    const maker = new PlateMaker(await privateFolder(await context.folder(), 'plates'), services.toolpath, kernel.signal)
    await maker.open()
    const times = { ...TIMING, ...timing }
    const clearer = new PlateClearer({
      kernel,
      queue,
      store,
      camera,
      log,
      timing: times,
      isShared: services.database.status.kind === 'postgres',
      waitMs: times.sensorMs,
      broker: () => broker ?? optional.broker,
      raise: (printer, finding) => optional.alerts?.raise(printer, finding),
      happened: change => events.emit('plate-change:changed', change)
    })
    const plateChange = new PlateChangeService({ kernel, queue, store, maker, camera, clearer, log })
    provide('plateChange', plateChange)
    // Neither is taken back at the end: the queue closes later, and might start what was held until then.
    queue.heldBackBy(session => clearer.heldBack(session))
    queue.platesClearedBy({
      handles: serial => clearer.handles(serial),
      alerts: serial => clearer.alerts(serial),
      prepare: (session, run, path, signal) => plateChange.prepare(session, run, path, signal)
    })
    events.on('queue:run', run => {
      void clearer.runChanged(run).catch((error: unknown) => log.warn({ err: error }, 'the end of a print could not be recorded'))
    })
    onReady(() => clearer.start())
    onClose(() => clearer.close())
  }
})

export default plateChangeWith()
