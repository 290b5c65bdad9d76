import { definePlugin, type PrinterSession } from '../../core/index.js'
import type { OptionValues } from './commands.js'
import { createHeld, type Held } from './held.js'
import routes from './routes.js'
import tools from './tools.js'

declare module 'prn' {
  interface Services {
    hardware: {
      readonly held: Held
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
    provide('hardware', { held: createHeld(kernel.now), sentOptions: new WeakMap() })
  }
})
