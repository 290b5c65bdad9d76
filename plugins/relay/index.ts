import { BadConfig, createKeyedQueue, definePlugin } from '../../core/index.js'
import type {} from '../queue/index.js' // types of its service
import { openCertificates } from './certificates.js'
import { ClientRegistry } from './client-registry.js'
import { ClientSetup } from './client-setup.js'
import type { RelayedGroupDeps } from './group/index.js'
import { createLogins } from './logins.js'
import { checkPlaces, Options, readClients, type PrinterOptions } from './options.js'
import { relayPage } from './pages.js'
import { keepOpening, Places } from './places.js'
import { PrinterSetup } from './printer-setup.js'
import { createRelayedPrinter, type Relayed } from './relayed-printer.js'
import routes from './routes.js'
import { entriesFor, viewOf, type SetupView } from './setup-view.js'
import { openStoredAccess } from './stored-access.js'

/** The relayed printers and groups, and who may connect to them. */
export interface Relay {
  readonly places: readonly Relayed[]
  readonly clients: ClientSetup
  readonly printers: PrinterSetup
  view (): SetupView
  /** What a client types into a slicer. @param allowed null for all printers */
  entriesFor (allowed: readonly string[] | null): ReturnType<typeof entriesFor>
}

declare module 'prnd' {
  interface Services { relay: Relay }
}

/** Relays printers to programs that speak their protocol. Opens no port unless printers and clients are set up. */
export default definePlugin({
  name: 'relay',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Relays printers to slicers over their own protocol, with separate access codes',
  provides: ['relay'],
  needs: ['files'],
  optional: ['camera', 'projects', 'queue'],
  uses: ['commands', 'camera', 'files', 'network', 'disk'],
  options: Options,
  contributes: { routes, pages: [relayPage] },
  async setup ({ kernel, options, log, printers, optional, signal, folder, provide, onReady, onClose }) {
    const warn = (message: string): void => log.warn(message)
    checkPlaces(options)
    const fixed = await readClients(options)
    for (const { code } of fixed) kernel.maskSecret(code)
    const registry = new ClientRegistry(kernel.signal)
    const stored = await openStoredAccess(await folder(), kernel.dataDir, warn)
    const certificates = await openCertificates(await folder(), warn)
    const onLocked = (address: string): void =>
      log.warn({ address }, 'many wrong access codes: this address is locked out of the relay for ten minutes')
    const logins = createLogins({
      clients: () => registry.all,
      onLogin: ({ code }) => kernel.maskSecret(code),
      now: () => performance.now(),
      signal,
      onLocked
    })
    const places = new Places(() => registry.all.length > 0)
    const create = (wanted: PrinterOptions): Relayed => createRelayedPrinter({
      kernel,
      log,
      printers,
      options,
      wanted,
      clients: () => registry.all,
      logins,
      certificates,
      plates: optional.projects?.plates
    })
    for (const wanted of options.printers) places.add(create(wanted))
    const groups = options.groups.length === 0
      ? []
      : await openGroups({ kernel, log, options, queue: optional.queue, logins, certificates })
    for (const group of groups) places.add(group)

    const queue = createKeyedQueue()
    const clientSetup = new ClientSetup({
      fixed, registry, stored, places, printers: kernel.printers, mask: kernel.maskSecret, warn, queue
    })
    const printerSetup = new PrinterSetup({ options, stored, places, printers: kernel.printers, create, warn, queue })
    clientSetup.open()
    printerSetup.open()
    provide('relay', {
      get places () { return places.all },
      clients: clientSetup,
      printers: printerSetup,
      view: () => viewOf({ options, places, clients: clientSetup, printers: printerSetup }),
      entriesFor: allowed => entriesFor(allowed, places)
    })
    onReady(async () => {
      await places.begin()
      keepOpening(places, queue, signal).catch((error: unknown) => log.error({ err: error }, 'the relay gave up trying'))
    })
    onClose(async () => {
      await queue.run('', () => places.close())
      await stored.settled()
    })
  }
})

type GroupDeps = Omit<RelayedGroupDeps, 'wanted' | 'queue'> & { readonly queue: RelayedGroupDeps['queue'] | undefined }

/** The module is loaded only if groups are configured. @throws PRN_ERR_CONFIG */
async function openGroups ({ queue, ...deps }: GroupDeps) {
  if (queue === undefined) throw new BadConfig('plugins.relay.groups: a group needs the plugin queue')
  const { createRelayedGroup } = await import('./group/index.js')
  return deps.options.groups.map(wanted => createRelayedGroup({ ...deps, queue, wanted }))
}
