import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { isServiceError, PluginSetup } from '../errors.js'
import { closestMatch } from '../util/closest-match.js'
import { privateFolder } from '../util/json-store.js'
import { withTimeout } from '../util/with-timeout.js'
import type { PluginContext } from './plugin.js'
import type { PrinterRegistry } from './registry.js'
import type { ResolvedPlugin } from './resolve-plugins.js'
import type { Kernel, Limits } from './types.js'

export const LIMITS: Limits = { setup: 10_000, ready: 60_000, close: 5_000, call: 120_000 }

export type Provide = (name: string, service: unknown, by: string) => void

/**
 * Adds a plugin to the application. Fastify sets plugins up in order, closes them in reverse and separates their hooks
 * and parsers; this adds the plugin's name to every error.
 */
export function registerPlugin (kernel: Kernel, entry: ResolvedPlugin, provide: Provide, limits: Limits): void {
  const { settings, plugin: { name, encapsulate = true, setup, provides = [] } } = entry
  const register = async (scope: FastifyInstance) => {
    if (kernel.pluginFaults.isOutside(name)) {
      scope.addHook('onRoute', refuseMisspeltAccess)
      if (encapsulate) recordRouteFailures(kernel, name, scope)
    }
    const context = contextOf(kernel, entry, scope, provide, limits)
    const work = async () => {
      if (settings.spec !== undefined) {
        await settings.open(await context.folder(), message => context.log.error(message))
        scope.addHook('onClose', settings.settled)
      }
      await kernel.pluginFaults.runAs(name, () => setup?.(context))
    }
    await named(name, work, limits.setup, kernel.signal)
    const missing = provides.find(service => !(service in kernel.services))
    if (missing !== undefined) {
      throw new PluginSetup(name, `it declares the service '${missing}' but does not provide it`).with({ plugins: [name] })
    }
  }
  kernel.app.register(fp(register, { name: `prnd:${name}`, encapsulate }))
}

/** A route with a misspelt `access` in its `config` would be open to the whole network. */
function refuseMisspeltAccess ({ url, config = {} }: RouteOptions): void {
  const slip = Object.keys(config).find(key => key !== 'access' && closestMatch(key, ['access']) !== undefined)
  if (slip !== undefined) throw new TypeError(`Route '${url}': unknown member '${slip}' of config; did you mean 'access'?`)
}

/** A direct route handles its own errors; unexpected ones are recorded for the plugin. */
function recordRouteFailures ({ pluginFaults }: Kernel, plugin: string, scope: FastifyInstance): void {
  scope.addHook('onError', async ({ method, routeOptions }, _reply, error) => {
    if (isServiceError(error) || (error.statusCode ?? 500) < 500) return
    pluginFaults.guard(plugin, 'route', `${method} ${routeOptions.url ?? ''}`).failed(error)
  })
}

function contextOf (kernel: Kernel, { plugin: { name }, options, settings }: ResolvedPlugin, app: FastifyInstance,
  provide: Provide, limits: Limits): PluginContext {
  const { ports, services, optional, signal, contributed, dataDir, events, printers, pluginFaults } = kernel
  const log = kernel.logs.child('service', { plugin: name })
  const runAs = <T>(work: () => T): T => pluginFaults.runAs(name, work)
  const hook = (ms: number, fn: () => Promise<void> | void, until?: AbortSignal) =>
    named(name, async () => await runAs(fn), ms, until)
  return {
    app,
    options,
    settings,
    log,
    kernel,
    // Listeners and followers are attributed to this plugin even if it adds them later, after an await.
    printers: Object.create(printers, {
      each: { value: (follow: Parameters<PrinterRegistry['each']>[0]) => runAs(() => printers.each(follow)) },
      eachLocal: { value: (follow: Parameters<PrinterRegistry['each']>[0]) => runAs(() => printers.eachLocal(follow)) }
    }) as PrinterRegistry,
    events: { ...events, on: (event, listener) => runAs(() => events.on(event, listener)) },
    ports,
    services,
    optional,
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

/** @throws PRN_ERR_PLUGIN_SETUP with the plugin's name; the signal's reason if it ended the wait */
async function named (plugin: string, work: () => Promise<void>, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  try {
    await withTimeout(ms, work(), () => new Error(`it did not finish within ${ms / 1000} s`), signal)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    const problem = error instanceof Error ? error.message : String(error)
    throw new PluginSetup(plugin, problem, { cause: error }).with({ plugins: [plugin] })
  }
}
