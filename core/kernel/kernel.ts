import { setMaxListeners } from 'node:events'
import { createHmsCatalogue } from '../printer/hms/index.js'
import { createSession, type SessionDeps } from '../printer/index.js'
import { createEmitter, type Emitter } from '../util/emitter.js'
import { callOperation } from './call.js'
import { createConnections } from './connections.js'
import type { KernelDependencies } from './dependencies.js'
import { createHttpServer } from './http-server.js'
import { Lifecycle } from './lifecycle.js'
import { createOutputCheck } from './output-check.js'
import type { Preset } from './plugin.js'
import { createPluginFaults, type PluginFaults } from './plugin-faults.js'
import { problemOfFault } from './plugin-problems.js'
import { createPortPool } from './ports.js'
import { prepare, type Prepared } from './prepare.js'
import { LIMITS } from './register-plugin.js'
import { rehearse } from './rehearse.js'
import { createRegistry } from './registry.js'
import type { Events, Kernel } from './types.js'
import { VERSION } from './version.js'

declare module 'fastify' {
  interface FastifyInstance { readonly kernel: Kernel }
}

/**
 * Assembles an application: validates its configuration and plugins, and prepares everything for the start. There is no
 * network access before all plugins' options are known to be valid.
 * @param config the parsed configuration; its secrets may be references
 * @throws PRN_ERR_CONFIG, PRN_ERR_PLUGIN_*, PRN_ERR_DUPLICATE
 */
export async function createKernel (preset: Preset, config: unknown = {},
  dependencies: Partial<KernelDependencies> = {}): Promise<Kernel> {
  const warn = dependencies.warn ?? (() => {})
  const prepared = await prepare(preset, config, dependencies, warn)
  const { config: checked, trustProxy, logs, pins, starts, redactor, resolved, services } = prepared
  const controller = new AbortController()
  setMaxListeners(0, controller.signal) // every wait of every operation adds a listener
  const now = dependencies.now ?? Date.now
  const limits = { ...LIMITS, ...dependencies.limits }
  const events = createEmitter<Events>((error, event) => logs.root.error({ err: error, event }, 'listener failed'))
  const pluginFaults = watchPlugins(prepared, events, now, controller.signal)
  const hms = createHmsCatalogue()
  const { registry, connectAll, close } =
    openRegistry(prepared, events, { now, explain: hms.explain, make: dependencies.createSession ?? createSession })
  const { app } = await createHttpServer({ trustProxy, log: logs.root, pluginTimeoutMs: limits.ready })

  const kernel: Kernel = {
    ...selectionOf(prepared),
    version: VERSION,
    preset: preset.name,
    app,
    config: checked,
    configFile: prepared.configFile,
    dataDir: prepared.dataDir,
    printers: registry,
    ports: createPortPool(checked.ports.start, checked.ports.end),
    get apiPort () { return lifecycle.apiPort },
    get folderKey () { return lifecycle.folderKey },
    get ready () { return lifecycle.isReady },
    events,
    logs,
    hms,
    pins,
    signal: controller.signal,
    now,
    redact: redactor.text,
    maskSecret: redactor.add,
    connections: createConnections({ now, redact: redactor.text, faults: pluginFaults, journal: logs.journal }),
    pluginFaults,
    limits,
    checkOutput: createOutputCheck({ strict: dependencies.strictOutputs ?? false, now, log: logs.root }),
    call: (operation, input, options) => callOperation(kernel, operation, input, options),
    rehearse: (operation, input, options) => rehearse(kernel, operation, input, options),
    start: options => lifecycle.start(options),
    close: () => lifecycle.close()
  }
  const lifecycle = new Lifecycle({
    kernel,
    controller,
    plugins: resolved,
    provide: services.provide,
    connectPrinters: connectAll,
    closePrinters: close,
    startsSettled: starts.settled,
    warn
  })
  app.decorate('kernel', { getter: () => kernel })
  return kernel
}

/** What the kernel shows of its plugins and their contributions. */
function selectionOf ({ resolved, outside, skipped, services, contributions }: Prepared) {
  return {
    services: services.view,
    optional: services.optional,
    plugins: new Map(resolved.map(({ plugin }) => [plugin.name, plugin])),
    outside,
    skipped,
    settings: new Map(resolved.flatMap(({ plugin, settings }) =>
      settings.spec === undefined ? [] : [[plugin.name, settings] as const])),
    operations: contributions.operations,
    operation: (name: string) => contributions.operations.get(name) as never, // the types are declared by name
    contributed: contributions.of,
    originOf: contributions.originOf,
    contributionsOf: contributions.by
  }
}

function watchPlugins ({ outside, logs }: Prepared, events: Emitter<Events>, now: () => number, signal: AbortSignal):
PluginFaults {
  return createPluginFaults({
    outside: new Set(outside.map(({ plugin }) => plugin.name)),
    now,
    log: logs.root,
    signal,
    onFault: (plugin, fault) => events.emit('plugin:failed', problemOfFault(plugin, fault))
  })
}

interface SessionParts extends Pick<SessionDeps, 'now' | 'explain'> {
  readonly make: KernelDependencies['createSession']
}

function openRegistry (prepared: Prepared, events: Emitter<Events>, { make, ...parts }: SessionParts) {
  const { config, printers, redactor, logs, pins, starts } = prepared
  return createRegistry(printers, {
    defaultPrinter: config.defaultPrinter,
    create: (printer, check) => {
      redactor.add(printer.accessCode)
      const log = logs.child('printers', { printer: printer.name })
      const wire = logs.wire.child({ printer: printer.name })
      const running = make(printer, { ...parts, log, wire, pins, starts, check })
      running.session.signal.addEventListener('abort', () => logs.forget(log), { once: true })
      return running
    },
    onAdded: session => events.emit('printer:added', session),
    onRemoved: name => events.emit('printer:removed', name),
    onForgotten: name => events.emit('printer:forgotten', name),
    onFollowerError: (error, printer) => logs.root.error({ err: error, printer }, 'following a printer failed')
  })
}
