import { BadConfig, definePlugin } from '../../core/index.js'
import type {} from '../queue/index.js' // types of its service
import { openCertificates } from './certificates.js'
import type { RelayedGroupDeps } from './group/index.js'
import { createLogins } from './logins.js'
import { checkPlaces, Options, readClients } from './options.js'
import { createRelayedPrinter, type Relayed } from './relayed-printer.js'
import routes from './routes.js'

/** The relayed printers and groups. */
export interface Relay { readonly printers: readonly Relayed[] }

declare module 'prnd' {
  interface Services { relay: Relay }
}

/** Relays printers to programs that speak their protocol. Opens no port unless printers and clients are configured. */
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
  contributes: { routes },
  async setup ({ kernel, options, log, printers, optional, signal, folder, provide, onReady, onClose }) {
    const relayed: Relayed[] = []
    provide('relay', { printers: relayed })
    if (options.printers.length + options.groups.length === 0 || options.clients.length === 0) return
    checkPlaces(options)
    const clients = await readClients(options)
    for (const { code } of clients) kernel.maskSecret(code)
    const certificates = await openCertificates(await folder(), message => log.warn(message))
    const onLocked = (address: string): void =>
      log.warn({ address }, 'many wrong access codes: this address is locked out of the relay for ten minutes')
    const logins = createLogins({ clients, now: () => performance.now(), signal, onLocked })
    const ones = options.printers
      .map(wanted => createRelayedPrinter({
        kernel, log, options, wanted, clients, logins, certificates, plates: optional.projects?.plates
      }))
    const groups = options.groups.length === 0
      ? []
      : await openGroups({ kernel, log, options, queue: optional.queue, logins, certificates })
    relayed.push(...ones, ...groups)
    onReady(async () => {
      printers.eachLocal(session => ones.find(({ printer }) => printer === session.name)?.follow(session))
      await Promise.all(groups.map(group => group.open()))
    })
    onClose(async () => { await Promise.all(relayed.map(one => one.close())) })
  }
})

type GroupDeps = Omit<RelayedGroupDeps, 'wanted' | 'queue'> & { readonly queue: RelayedGroupDeps['queue'] | undefined }

/** The module is loaded only if groups are configured. @throws PRN_ERR_CONFIG */
async function openGroups ({ queue, ...deps }: GroupDeps) {
  if (queue === undefined) throw new BadConfig('plugins.relay.groups: a group needs the plugin queue')
  const { createRelayedGroup } = await import('./group/index.js')
  return deps.options.groups.map(wanted => createRelayedGroup({ ...deps, queue, wanted }))
}
