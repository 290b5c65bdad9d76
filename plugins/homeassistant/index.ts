import { join } from 'node:path'
import { definePlugin, openJsonStore } from '../../core/index.js'
import { Bridge } from './bridge.js'
import { createCatalogue } from './entities/index.js'
import { createImages } from './images.js'
import { loginOf, Options } from './options.js'
import { createRetained, Ledger } from './retained.js'
import { topicsOf } from './topics.js'

export { probeBroker } from './probe.js'

/** Shortest interval between two states of a printer. */
const EVERY_MS = 1_000

/** Makes every printer a device of Home Assistant, by MQTT discovery. Does nothing without a broker. */
export default definePlugin({
  name: 'homeassistant',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Printers as devices of Home Assistant, over MQTT',
  optional: ['camera'],
  uses: ['commands', 'camera', 'network', 'disk'],
  options: Options,
  async setup ({ kernel, options, log, printers, events, optional: { camera }, signal, folder, onClose }) {
    if (options.broker === undefined) return
    const login = await loginOf(options)
    if (login.password !== undefined) kernel.maskSecret(login.password)
    const store = await openJsonStore(join(await folder(), 'retained.json'),
      { schema: Ledger, initial: {}, warn: message => log.warn(message) })
    const { connectBroker } = await import('./broker.js') // loads the MQTT library only when needed
    const topics = topicsOf(options)
    const report = kernel.connections.add({
      name: 'homeassistant', plugin: 'homeassistant', what: 'the broker of Home Assistant', address: login.url
    })
    const broker = connectBroker({ login, topics, report, log })
    const retained = createRetained(broker, store, log)
    const sendsImages = camera !== undefined && (options.imageOnAlert || options.imageSeconds > 0)
    const images = sendsImages
      ? createImages({ ...options, camera, topics, retained, now: kernel.now, signal, log })
      : undefined
    const catalogue = createCatalogue({
      status: topics.status,
      offers: operation => !options.readOnly && kernel.operations.has(operation),
      watchesPrints: kernel.plugins.has('health'),
      hasImage: images && (({ session }) => images.has(session))
    })
    const bridge = new Bridge({ kernel, broker, retained, topics, catalogue, images, log })
    printers.each(session => bridge.follow(session))
    events.on('alert', alert => bridge.onAlert(alert))
    events.on('health:verdict', (printer, health) => bridge.onVerdict(printer, health))
    const timer = setInterval(() => bridge.tick(), EVERY_MS).unref()
    onClose(async () => {
      clearInterval(timer)
      await broker.close()
      await store.settled()
    })
  }
})
