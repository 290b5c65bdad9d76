import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { isServiceError, PluginSetup } from '../errors.js'
import { boundedLog, ownEvents, ownPrinters } from './plugin-scope.js'
import type { Kernel } from './kernel.js'
import type { ArrangedPlugin, PluginContext } from './plugin.js'
import { privateFolder } from '../util/json-store.js'
import { withTimeout } from '../util/with-timeout.js'

/** How long the parts of plugins may take, ms. */
export interface Limits {
  readonly setup: number
  readonly ready: number
  readonly close: number
  /** One call of an operation of a plugin that did not come with the application. */
  readonly call: number
}

export const LIMITS: Limits = { setup: 10_000, ready: 60_000, close: 5_000, call: 120_000 }

export type Provide = (name: string, service: unknown, by: string) => void

/** Makes a plugin a part of the application: what goes wrong in it names it. */
export function registerPlugin (kernel: Kernel, entry: ArrangedPlugin, provide: Provide, limits: Limits): void {
  const { name, encapsulate = true, setup, provides = [] } = entry.plugin
  const register = async (scope: FastifyInstance) => {
    if (encapsulate && kernel.pluginFaults.isOutside(name)) noteFailures(kernel, name, scope)
    const context = contextOf(kernel, entry, scope, provide, limits)
    const work = async () => await kernel.pluginFaults.as(name, () => setup?.(context))
    await named(name, work, limits.setup, kernel.signal)
    const missing = provides.find(service => !(service in kernel.services))
    if (missing !== undefined) throw new PluginSetup(name, `it declares the service '${missing}' but does not provide it`)
  }
  kernel.app.register(fp(register, { name: `prn:${name}`, encapsulate }))
}

/** A route that a plugin adds by hand answers for itself; what it throws unforeseen is told to the plugin. */
function noteFailures ({ pluginFaults }: Kernel, plugin: string, scope: FastifyInstance): void {
  scope.addHook('onError', async ({ method, routeOptions }, _reply, error) => {
    if (isServiceError(error) || (error.statusCode ?? 500) < 500) return
    pluginFaults.guard(plugin, 'route', `${method} ${routeOptions.url ?? ''}`).failed(error)
  })
}

function contextOf (kernel: Kernel, { plugin: { name }, options }: ArrangedPlugin, app: FastifyInstance,
  provide: Provide, limits: Limits): PluginContext {
  const { ports, services, signal, contributed, dataDir, pluginFaults } = kernel
  const log = boundedLog(pluginFaults, name, kernel.logs.child('service', { plugin: name }))
  const hook = (ms: number, fn: () => Promise<void> | void, until?: AbortSignal) =>
    named(name, async () => await pluginFaults.as(name, fn), ms, until)
  return {
    app,
    options,
    log,
    kernel,
    printers: ownPrinters(pluginFaults, name, kernel.printers),
    ports,
    events: ownEvents(pluginFaults, name, kernel.events),
    services,
    signal,
    folder: () => privateFolder(dataDir, 'plugins', name),
    provide: (service, value) => provide(service, value, name),
    contributed,
    onReady: fn => { app.addHook('onReady', () => hook(limits.ready, fn, signal)) },
    onClose: fn => {
      app.addHook('onClose', () => hook(limits.close, fn)
        .catch((error: Error) => log.error({ err: error.cause ?? error }, 'closing failed')))
    }
  }
}

/** @throws PRN_ERR_PLUGIN_SETUP with the plugin's name; the signal's reason when it ended the wait */
async function named (plugin: string, work: () => Promise<void>, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  try {
    await withTimeout(ms, work(), () => new Error(`it did not finish within ${ms / 1000} s`), signal)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new PluginSetup(plugin, error instanceof Error ? error.message : String(error), { cause: error })
  }
}
