import { definePlugin } from '../../core/index.js'
import { openCertificates } from './certificates.js'
import { createLogins } from './logins.js'
import { checkPrinters, Options, readClients } from './options.js'
import { createRelayedPrinter, type RelayedPrinter } from './relayed-printer.js'
import routes from './routes.js'

/** The printers as clients find them here. */
export interface Relay { readonly printers: readonly RelayedPrinter[] }

declare module 'prn' {
  interface Services { relay: Relay }
}

/** Printers once more, for programs that speak their protocol. Opens nothing unless printers and clients are named. */
export default definePlugin({
  name: 'relay',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Printers once more, for slicers: their own protocol, with access codes of our own',
  provides: ['relay'],
  needs: ['files'],
  optional: ['camera'],
  uses: ['commands', 'camera', 'files', 'network', 'disk'],
  options: Options,
  contributes: { routes },
  async setup ({ kernel, options, log, printers, signal, folder, provide, onReady, onClose }) {
    const relayed: RelayedPrinter[] = []
    provide('relay', { printers: relayed })
    if (options.printers.length === 0 || options.clients.length === 0) return
    checkPrinters(options)
    const clients = await readClients(options)
    for (const { code } of clients) kernel.maskSecret(code)
    const certificates = await openCertificates(await folder(), message => log.warn(message))
    const onLocked = (address: string): void =>
      log.warn({ address }, 'many wrong access codes: this address is locked out of the relay for ten minutes')
    const logins = createLogins({ clients, now: kernel.now, signal, onLocked })
    for (const wanted of options.printers) {
      relayed.push(createRelayedPrinter({ kernel, log, options, wanted, clients, logins, certificates }))
    }
    onReady(() => {
      printers.eachLocal(session => relayed.find(({ printer }) => printer === session.name)?.follow(session))
    })
    onClose(async () => { await Promise.all(relayed.map(one => one.close())) })
  }
})
