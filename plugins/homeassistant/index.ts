import { join } from 'node:path'
import { BadConfig, definePlugin, openJsonStore, validationError } from '../../core/index.js'
import { createBridge } from './bridge.js'
import { createCatalogue } from './entities/index.js'
import { createImages } from './images.js'
import { loginOf, Options } from './options.js'
import { createRetained, Ledger } from './retained.js'
import { topicsOf } from './topics.js'

/**
 * Tries to log in, with options as the configuration has them.
 * @returns false where no broker is configured
 * @throws Error with what hinders it
 */
export async function probeBroker (options: object): Promise<boolean> {
  const given = options as Options
  const problem = validationError(Options, given)
  if (problem !== undefined) throw new BadConfig(`plugins.homeassistant: ${problem}`)
  if (given.broker === undefined) return false
  const { url, ...credentials } = await loginOf(given)
  const { connectAsync } = await import('mqtt')
  const client = await connectAsync(url, { ...credentials, connectTimeout: PROBE_MS, reconnectPeriod: 0 }, false)
  await client.endAsync(true)
  return true
}
const PROBE_MS = 5_000

/** A printer's state is sent at most this often. */
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
    const { connectBroker } = await import('./broker.js') // the library is of use only here
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
    const bridge = createBridge({ kernel, broker, retained, topics, catalogue, images, log })
    printers.each(bridge.follow)
    events.on('alert', bridge.onAlert)
    events.on('health:verdict', bridge.onVerdict)
    const timer = setInterval(bridge.tick, EVERY_MS).unref()
    onClose(async () => {
      clearInterval(timer)
      await broker.close()
      await store.settled()
    })
  }
})
