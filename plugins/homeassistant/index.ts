import { join } from 'node:path'
import { definePlugin, openJsonStore } from '../../core/index.js'
import { BrokerSetup } from './broker-setup.js'
import { Options } from './options.js'
import { homeassistantPage } from './pages.js'
import { Ledger } from './retained.js'
import routes from './routes.js'
import { openStoredBroker } from './stored-broker.js'

export { probeBroker } from './probe.js'

declare module 'prnd' {
  interface Services { homeassistant: BrokerSetup }
}

/** Makes every printer a device of Home Assistant, by MQTT discovery. Does nothing without a broker. */
export default definePlugin({
  name: 'homeassistant',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Printers as devices of Home Assistant, over MQTT',
  optional: ['camera', 'broker'],
  provides: ['homeassistant'],
  uses: ['commands', 'camera', 'network', 'disk'],
  options: Options,
  contributes: { routes, pages: [homeassistantPage] },
  async setup (context) {
    const { kernel, options, log, folder, provide, onClose } = context
    const warn = (message: string) => log.warn(message)
    const own = await folder()
    const ledger = await openJsonStore(join(own, 'retained.json'), { schema: Ledger, initial: {}, warn })
    const stored = await openStoredBroker(own, kernel.dataDir, warn)
    const setup = new BrokerSetup({ context, ledger, options, stored })
    await setup.open()
    provide('homeassistant', setup)
    onClose(async () => {
      await setup.close()
      await ledger.settled()
    })
  }
})
