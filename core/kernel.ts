import fastify, { LogController, type FastifyInstance, type FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import { join } from 'node:path'
import { type Config, environment, loadConfig } from './config.js'
import { configPath, defaultDataDir } from './config-file.js'
import { createContributions } from './contributions.js'
import { createEmitter, type Emitter } from './emitter.js'
import { BadInput, PluginSetup, ShuttingDown } from './errors.js'
import { createFaultTexts, type FaultTexts } from './faults/index.js'
import { loadPlugin } from './loader.js'
import { createLogs, type Logs } from './log.js'
import { openPins, type Pins } from './pins.js'
import { createPortPool, type PortLease, type PortPool } from './ports.js'
import type {
  AnyOperation, DaemonContext, InputOf, Operation, OutputOf, PrinterContext, Progress
} from './operation.js'
import {
  arrange, checkConfigured, type AnyPlugin, type ArrangedPlugin, type Contributions, type Events, type PluginContext,
  type Preset, type Services
} from './plugin.js'
import { resolvePrinters } from './printers.js'
import { createRedactor } from './redact.js'
import { createRegistry, type PrinterRegistry } from './registry.js'
import { openSecrets } from './secrets.js'
import { createServices } from './services.js'
import { createSession, type RunningSession, type SessionDeps } from './session/index.js'
import type { PrinterConfig, PrinterSession } from './session/types.js'
import { privateFolder } from './store.js'
import { misfit } from './validate.js'
import { VERSION } from './version.js'

/** What enters from outside the process; tests replace it. */
export interface Edges {
  readonly createSession: (config: PrinterConfig, deps: SessionDeps) => RunningSession
  /** ms since the epoch. */
  readonly now: () => number
  /** The configuration file that outside plugins are found from and that management edits. */
  readonly configFile: string
  /** Where log lines go besides the file. */
  readonly logEcho: NodeJS.WritableStream
  /** Told of what is odd but does not stop the start. */
  readonly warn: (message: string) => void
}

export interface CallOptions {
  /** Name of the printer; the default printer when left out. */
  readonly printer?: string | undefined
  /** Aborted when the caller went away. */
  readonly signal?: AbortSignal | undefined
  readonly progress?: Progress
  readonly log?: FastifyBaseLogger
}

export interface Kernel {
  readonly version: string
  readonly preset: string
  readonly app: FastifyInstance
  readonly config: Config
  readonly configFile: string
  readonly dataDir: string
  readonly printers: PrinterRegistry
  readonly ports: PortPool
  /** Port the API is bound to; 0 while it is not. */
  readonly apiPort: number
  readonly events: Emitter<Events>
  readonly services: Readonly<Services>
  readonly plugins: ReadonlyMap<string, AnyPlugin>
  readonly operations: ReadonlyMap<string, AnyOperation>
  readonly logs: Logs
  readonly faults: FaultTexts
  /** Certificates learned at first contact. */
  readonly pins: Pins
  readonly signal: AbortSignal
  readonly now: () => number
  /** Masks every secret the service knows. */
  readonly redact: (text: string) => string
  /** From now on this text is masked wherever it would appear. */
  hide (secret: string): void
  contributed<K extends keyof Contributions> (kind: K): readonly Contributions[K][]
  /** Name of the plugin that contributed a value. */
  originOf (contribution: object): string | undefined
  /** The one path every surface takes: input check, printer, guards, run. */
  call<Op extends AnyOperation> (operation: Op, input: InputOf<Op>, options?: CallOptions): Promise<OutputOf<Op>>
  /** Sets everything up; with `listen` false the API is reachable only through `app.inject`. */
  start (options?: { listen?: boolean }): Promise<void>
  close (): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance { readonly kernel: Kernel }
}

/** How long a plugin's setup may take. */
const SETUP_MS = 10_000

/**
 * Puts an application together: checks its configuration and plugins, and makes everything ready to start.
 * Nothing touches the network before every plugin's options are known to be good.
 * @param config the parsed configuration; secrets in it may be references
 * @throws PRN_ERR_CONFIG, PRN_ERR_PLUGIN_*, PRN_ERR_DUPLICATE
 */
export async function createKernel (preset: Preset, config: unknown = {}, edges: Partial<Edges> = {}): Promise<Kernel> {
  const env = environment()
  const now = edges.now ?? Date.now
  const warn = edges.warn ?? (() => {})
  const checked = loadConfig(config)
  const configFile = edges.configFile ?? configPath(undefined, env)
  const dataDir = checked.dataDir ?? defaultDataDir(env)
  const redactor = createRedactor()
  if (checked.api.token !== undefined) redactor.add(checked.api.token)

  const arranged = arrange(preset.plugins, checked.plugins, await loadOutside(preset, checked, configFile))
  const contributions = createContributions(arranged)
  const printers = await resolvePrinters(checked.printers, env, await openSecrets(dataDir, warn))
  for (const { accessCode } of printers) redactor.add(accessCode)

  const logs = await createLogs({ path: logPath(checked, dataDir), echo: edges.logEcho, redactor })
  const controller = new AbortController()
  const { signal } = controller
  const events = createEmitter<Events>((error, event) => logs.root.error({ err: error, event }, 'listener failed'))
  const services = createServices()
  const faults = createFaultTexts()
  const pins = await openPins(dataDir, warn)
  const make = edges.createSession ?? createSession
  const { registry, connectAll, close: closeSessions } = createRegistry(printers, {
    defaultPrinter: checked.defaultPrinter,
    create: printer => {
      redactor.add(printer.accessCode)
      const log = logs.child('printers', { printer: printer.name })
      const wire = logs.wire.child({ printer: printer.name })
      const running = make(printer, { now, log, wire, pins, explain: faults.explain })
      running.session.signal.addEventListener('abort', () => logs.forget(log), { once: true })
      return running
    },
    onAdded: session => events.emit('printer:added', session),
    onRemoved: name => events.emit('printer:removed', name),
    onFollowerError: (error, printer) => logs.root.error({ err: error, printer }, 'following a printer failed')
  })
  const ports = createPortPool(checked.ports.start, checked.ports.end)
  const app = fastify({
    loggerInstance: logs.root,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 500 },
    pluginTimeout: 0 // measured by setUp, which can name the plugin
  })
  let lease: PortLease<unknown> | undefined

  const kernel: Kernel = {
    version: VERSION,
    preset: preset.name,
    app,
    config: checked,
    configFile,
    dataDir,
    printers: registry,
    ports,
    get apiPort () { return lease?.port ?? 0 },
    events,
    services: services.view,
    plugins: new Map(arranged.map(({ plugin }) => [plugin.name, plugin])),
    operations: contributions.operations,
    logs,
    faults,
    pins,
    signal,
    now,
    redact: redactor.text,
    hide: redactor.add,
    contributed: contributions.of,
    originOf: contributions.originOf,
    call: callOperation,
    start,
    close
  }
  app.decorate('kernel', { getter: () => kernel })

  async function callOperation<Op extends AnyOperation> (operation: Op, input: InputOf<Op>, options: CallOptions = {}) {
    if (signal.aborted) throw new ShuttingDown()
    const problem = misfit(operation.input, input)
    if (problem !== undefined) throw new BadInput(problem)
    if (operation.scope === 'daemon') return await operation.run(new CallContext(kernel, options), input) as OutputOf<Op>
    const context = new CallContext(kernel, options, registry.resolve(options.printer))
    for (const guard of (operation as Operation).guards ?? []) guard(context as PrinterContext, operation)
    return await operation.run(context, input) as OutputOf<Op>
  }

  function contextOf ({ plugin, options }: ArrangedPlugin, scope: FastifyInstance): PluginContext {
    const log = logs.child('service', { plugin: plugin.name })
    return {
      app: scope,
      options,
      log,
      kernel,
      printers: registry,
      ports,
      events,
      services: services.view,
      signal,
      folder: () => privateFolder(dataDir, 'plugins', plugin.name),
      provide: (name, service) => services.provide(name, service, plugin.name),
      contributed: contributions.of,
      onReady: fn => { scope.addHook('onReady', async () => { await fn() }) },
      onClose: fn => {
        scope.addHook('onClose', async () => {
          try { await fn() } catch (error) { log.error({ err: error }, 'closing failed') }
        })
      }
    }
  }

  function register (entry: ArrangedPlugin): void {
    const { name, encapsulate = true, setup } = entry.plugin
    app.register(fp(async scope => { await setUp(name, async () => await setup?.(contextOf(entry, scope))) },
      { name: `prn:${name}`, encapsulate }))
  }

  async function start ({ listen = true } = {}): Promise<void> {
    app.addHook('preClose', async () => { controller.abort(new ShuttingDown()) })
    for (const entry of arranged) register(entry)
    await app.ready()
    if (listen) lease = await ports.claim('api', port => app.listen({ port, host: checked.api.host }), checked.ports.preferred)
    void connectAll()
  }

  async function close (): Promise<void> {
    controller.abort(new ShuttingDown())
    await app.close()
    await closeSessions()
    lease?.release()
    await logs.close()
  }

  return kernel
}

const NO_PROGRESS: Progress = () => {}

/** What an operation is given. Most never look at the signal, so it is made when they do. */
class CallContext implements DaemonContext {
  readonly kernel: Kernel
  readonly session: PrinterSession | undefined
  readonly #options: CallOptions
  #signal: AbortSignal | undefined

  constructor (kernel: Kernel, options: CallOptions, session?: PrinterSession) {
    this.kernel = kernel
    this.session = session
    this.#options = options
  }

  get services () { return this.kernel.services }
  get log () { return this.#options.log ?? this.kernel.logs.root }
  get progress () { return this.#options.progress ?? NO_PROGRESS }
  get signal () {
    const caller = this.#signal === undefined ? this.#options.signal : undefined
    this.#signal ??= caller ? AbortSignal.any([this.kernel.signal, caller]) : this.kernel.signal
    return this.#signal
  }
}

const logPath = ({ log }: Config, dataDir: string): string | undefined =>
  log.file === false ? undefined : log.file ?? join(dataDir, 'prn.log')

/** Plugins that the configuration names and the preset does not have. */
async function loadOutside (preset: Preset, { plugins }: Config, configFile: string): Promise<ArrangedPlugin[]> {
  const own = new Set(arrange(preset.plugins).map(({ plugin }) => plugin.name))
  checkConfigured(plugins, own)
  const outside = Object.entries(plugins).filter(([name, options]) => !own.has(name) && options !== false)
  return await Promise.all(outside.map(async ([name, options]) =>
    ({ plugin: await loadPlugin(name, configFile), options: options as object })))
}

async function setUp (plugin: string, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not finish within ${SETUP_MS / 1000} s`)), SETUP_MS)
  })
  try {
    await Promise.race([work(), late])
  } catch (error) {
    throw new PluginSetup(plugin, (error as Error)?.message ?? String(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
