import {
  createOptimisticSettings, definePlugin, type Detector, type OptimisticSettings, type PrinterSession
} from '../../core/index.js'
import type { OptionValues } from './commands.js'
import routes from './routes.js'
import { DETECTORS } from './schemas.js'
import tools from './tools.js'

const WATCHERS = [...DETECTORS, 'buildplate_marker'] as const
type WatcherName = (typeof WATCHERS)[number]

declare module 'prnd' {
  interface Services {
    hardware: {
      /** New settings of each detector, because firmware may report the old ones for a while. */
      readonly detectorSettings: Readonly<Record<WatcherName, OptimisticSettings<PrinterSession, Detector>>>
      /** Print options set through this service, by printer; later messages repeat them. */
      readonly sentOptions: WeakMap<PrinterSession, OptionValues>
    }
  }
}

export default definePlugin({
  name: 'hardware',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Detectors, print options, nozzles',
  provides: ['hardware'],
  uses: ['commands'],
  contributes: { routes, tools },
  setup ({ kernel, provide }) {
    const settings = () => createOptimisticSettings<PrinterSession, Detector>(kernel.now)
    provide('hardware', {
      detectorSettings: Object.fromEntries(WATCHERS.map(name => [name, settings()])) as never,
      sentOptions: new WeakMap()
    })
  }
})
