import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { PluginSetup } from './errors.js'
import type { Kernel } from './kernel.js'
import type { ArrangedPlugin, PluginContext } from './plugin.js'
import { privateFolder } from './store.js'
import { within } from './within.js'

/** How long the parts of plugins may take, ms. */
export interface Limits {
  readonly setup: number
  readonly ready: number
  readonly close: number
}

export const LIMITS: Limits = { setup: 10_000, ready: 60_000, close: 5_000 }

export type Provide = (name: string, service: unknown, by: string) => void

/** Makes a plugin a part of the application: what goes wrong in it names it. */
export function registerPlugin (kernel: Kernel, entry: ArrangedPlugin, provide: Provide, limits: Limits): void {
  const { name, encapsulate = true, setup, provides = [] } = entry.plugin
  const register = async (scope: FastifyInstance) => {
    const work = async () => await setup?.(contextOf(kernel, entry, scope, provide, limits))
    await named(name, work, limits.setup, kernel.signal)
    const missing = provides.find(service => !(service in kernel.services))
    if (missing !== undefined) throw new PluginSetup(name, `it declares the service '${missing}' but did not provide it`)
  }
  kernel.app.register(fp(register, { name: `prn:${name}`, encapsulate }))
}

function contextOf (kernel: Kernel, { plugin: { name }, options }: ArrangedPlugin, app: FastifyInstance,
  provide: Provide, limits: Limits): PluginContext {
  const { printers, ports, events, services, signal, contributed, dataDir } = kernel
  const log = kernel.logs.child('service', { plugin: name })
  return {
    app,
    options,
    log,
    kernel,
    printers,
    ports,
    events,
    services,
    signal,
    folder: () => privateFolder(dataDir, 'plugins', name),
    provide: (service, value) => provide(service, value, name),
    contributed,
    onReady: fn => { app.addHook('onReady', () => named(name, async () => await fn(), limits.ready, signal)) },
    onClose: fn => {
      app.addHook('onClose', () => named(name, async () => await fn(), limits.close)
        .catch((error: Error) => log.error({ err: error.cause ?? error }, 'closing failed')))
    }
  }
}

/** @throws PRN_ERR_PLUGIN_SETUP with the plugin's name; the signal's reason when it ended the wait */
async function named (plugin: string, work: () => Promise<void>, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  try {
    await within(ms, work(), () => new Error(`it did not finish within ${ms / 1000} s`), signal)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new PluginSetup(plugin, error instanceof Error ? error.message : String(error), { cause: error })
  }
}
