import { definePlugin, route, tool, type PrinterSession } from '../../core/index.js'
import type {} from '../database/index.js' // the service database, if that plugin is loaded
import { ignoreFault, listIgnored } from './operations.js'
import { createIgnoredFaults, type IgnoredFaults } from './ignored-faults.js'
import { createTableStore, migrations, openFileStore } from './store.js'

declare module 'prnd' {
  interface Services { faults: IgnoredFaults }
}

const tag = 'Print Control'
/** Retry after a failure to read the ignored faults; until then every fault counts. */
const RELOAD_MS = 30_000
/** Between two looks at what another service with the same database has changed. */
const REFRESH_MS = 30_000

/** Faults that a person chose to ignore on a printer, such as an entry that it always lists. */
export default definePlugin({
  name: 'faults',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Ignored faults of a printer',
  optional: ['database'],
  provides: ['faults'],
  uses: ['disk'],
  contributes: {
    migrations,
    routes: [
      route(listIgnored, { method: 'GET', path: '/ignored_faults', tag }),
      route(ignoreFault, { method: 'POST', path: '/ignore_fault', tag })
    ],
    tools: [
      tool(listIgnored, { name: 'list_ignored_faults', onRequest: true, errors: 'coded' }),
      tool(ignoreFault, { name: 'ignore_fault', onRequest: true, errors: 'coded' })
    ]
  },
  async setup ({ kernel, log, printers, onClose, optional: { database }, folder, provide }) {
    const store = database === undefined
      ? await openFileStore(await folder(), message => log.warn(message))
      : createTableStore(database)
    const faults = createIgnoredFaults(store)
    provide('faults', faults)

    function load (session: PrinterSession): void {
      if (session.signal.aborted || kernel.signal.aborted) return
      faults.load(session).catch((error: Error) => {
        log.warn({ err: error, printer: session.name }, 'ignored faults cannot be read: all of them count until then')
        setTimeout(load, RELOAD_MS, session).unref()
      })
    }
    printers.eachLocal(session => load(session))
    if (database?.status.kind !== 'postgres') return // no other service changes them
    let hasFailed = false
    const refresh = () => {
      const own = printers.sessions.filter(({ remote }) => remote === undefined)
      faults.refresh(own).then(() => { hasFailed = false }, (error: Error) => {
        if (!hasFailed) log.warn({ err: error }, 'changes of ignored faults cannot be read; retrying')
        hasFailed = true
      })
    }
    const timer = setInterval(refresh, REFRESH_MS).unref()
    onClose(() => clearInterval(timer))
  }
})
