import { secretOf, type PluginContext } from '../../core/index.js'
import type { Options } from './options.js'
import { createReporter, type Reporter } from './reporter.js'
import { createLocalKeeper } from './service.js'
import { createSpoolman, createSpoolmanKeeper } from './spoolman.js'
import type { Store } from './store.js'
import type { SpoolKeeper } from './types.js'

interface Opened {
  readonly keeper: SpoolKeeper
  /** Undefined without Spoolman. */
  readonly reporter?: Reporter
}

/** Opens what manages the spools: Spoolman if it is configured, otherwise the service's own database. */
export async function openKeeper (
  { kernel, log, options, signal }: PluginContext<Options>, store: Store, changed: () => void
): Promise<Opened> {
  const { redact, now } = kernel
  const address = options.spoolman
  if (!address) return { keeper: createLocalKeeper(store) }
  const token = address.token && await secretOf(address.token, 'plugins.spools.spoolman.token')
  if (token !== undefined) kernel.maskSecret(token)
  const spoolman = createSpoolman({ ...address, token, signal })
  const report = kernel.connections.add({
    name: 'spoolman',
    plugin: 'spools',
    what: 'Spoolman',
    address: address.url,
    check: async signal => { await spoolman.list(signal) }
  })
  const reporter = createReporter({
    store,
    spoolman,
    redact,
    now,
    ended: ({ id, spool, state, problem }) => {
      if (state === 'done') log.debug({ use: id, spool }, 'a use was reported to Spoolman')
      else log.warn({ use: id, spool, problem }, 'a use was not counted by Spoolman')
      changed()
    }
  })
  return { keeper: createSpoolmanKeeper(spoolman, redact, report), reporter }
}
