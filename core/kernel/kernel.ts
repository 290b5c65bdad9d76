import fastify, { LogController, type FastifyInstance } from 'fastify'
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { callOperation, type CallOptions } from './call.js'
import { type Config, environment, loadConfig } from './config.js'
import { configPath, defaultDataDir } from './config-file.js'
import { trackConnections } from '../util/close-connections.js'
import { createContributions } from './contributions.js'
import { createEmitter, type Emitter } from '../util/emitter.js'
import { BadConfig, ShuttingDown } from '../errors.js'
import { createHmsCatalogue, type HmsCatalogue } from '../printer/hms/index.js'
import { sweepLeftovers } from './leftovers.js'
import { lockFolder, type FolderLock } from './folder-lock.js'
import { createPluginFaults, type PluginFaults } from './plugin-faults.js'
import { loadPlugin } from './loader.js'
import { lazyChild } from './lazy-log.js'
import { createLogs, type Logs } from './log.js'
import { openPins, type Pins } from './certificate-pins.js'
import { createPortPool, type PortLease, type PortPool } from './ports.js'
import type { AnyOperation, InputOf, OutputOf } from './operation.js'
import { createPace } from './pipelining.js'
import {
  arrangePlugins, checkConfigured, pluginNames, type AnyPlugin, type ArrangedPlugin, type Contributions, type Events,
  type Preset, type Services
} from './plugin.js'
import { resolvePrinters } from './resolve-printers.js'
import { dropOrphanCodes } from './printer-config-store.js'
import { proxiesOf } from './proxies.js'
import { readableUrl } from '../util/readable-url.js'
import { createRedactor } from './redact.js'
import { createRegistry, type PrinterRegistry } from './registry.js'
import { openSecrets } from './secrets.js'
import { LIMITS, registerPlugin, type Limits } from './register-plugin.js'
import { createServices } from './services.js'
import { createSession, type RunningSession, type SessionDeps } from '../printer/index.js'
import type { PrinterConfig } from '../printer/types.js'
import { VERSION } from './version.js'
import { withTimeout } from '../util/with-timeout.js'

/** What enters from outside the process; tests replace it. */
export interface KernelDependencies {
  readonly createSession: (config: PrinterConfig, deps: SessionDeps) => RunningSession
  /** ms since the epoch. */
  readonly now: () => number
  /** The configuration file that outside plugins are found from and that management edits. */
  readonly configFile: string
  /** Where log lines go besides the file. */
  readonly logEcho: NodeJS.WritableStream
  /** Told of what is odd but does not stop the start. */
  readonly warn: (message: string) => void
  /** How long plugins may take. */
  readonly limits: Partial<Limits>
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
  /** Shared with those who may read the data folder; undefined while the API is not bound. */
  readonly folderKey: string | undefined
  /** Everything is set up and shutdown has not begun. Printers that are switched off do not matter. */
  readonly ready: boolean
  readonly events: Emitter<Events>
  readonly services: Readonly<Services>
  readonly plugins: ReadonlyMap<string, AnyPlugin>
  readonly operations: ReadonlyMap<string, AnyOperation>
  readonly logs: Logs
  readonly hms: HmsCatalogue
  /** Certificates learned at first contact. */
  readonly pins: Pins
  readonly signal: AbortSignal
  readonly now: () => number
  /** Masks every secret the service knows. */
  readonly redact: (text: string) => string
  /** From now on this text is masked wherever it would appear. */
  hide (secret: string): void
  contributed<K extends keyof Contributions> (kind: K): readonly Contributions[K][]
  /** Name of the plugin that contributed a value, or the operation behind it. */
  originOf (contribution: object): string | undefined
  /** What a plugin contributes, by list. */
  contributionsOf (plugin: string): Readonly<Record<string, readonly object[]>>
  /** Keeps faults of plugins to their plugins. */
  readonly pluginFaults: PluginFaults
  /** How long the parts of plugins may take. */
  readonly limits: Limits
  /** The one path every surface takes: reach, input check, printer, guards, run. */
  call<Op extends AnyOperation> (operation: Op, input: InputOf<Op>, options?: CallOptions): Promise<OutputOf<Op>>
  /**
   * Sets everything up; with `listen` false the API is reachable only through `app.inject`. When it fails, `close`
   * ends what had begun.
   * @throws PRN_ERR_FOLDER_IN_USE, PRN_ERR_PLUGIN_SETUP, PRN_ERR_PORTS_EXHAUSTED, PRN_ERR_PORT_TAKEN,
   * PRN_ERR_SHUTTING_DOWN when closed meanwhile
   */
  start (options?: { listen?: boolean }): Promise<void>
  /** Ends everything, in any state, and never rejects. A closed kernel cannot be started again. */
  close (): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance { readonly kernel: Kernel }
}

/**
 * Puts an application together: checks its configuration and plugins, and makes everything ready to start.
 * Nothing touches the network before every plugin's options are known to be good.
 * @param config the parsed configuration; secrets in it may be references
 * @throws PRN_ERR_CONFIG, PRN_ERR_PLUGIN_*, PRN_ERR_DUPLICATE
 */
export async function createKernel (preset: Preset, config: unknown = {},
  edges: Partial<KernelDependencies> = {}): Promise<Kernel> {
  const env = environment()
  const now = edges.now ?? Date.now
  const warn = edges.warn ?? (() => {})
  const checked = loadConfig(config)
  const trustProxy = proxiesOf(checked)
  const configFile = edges.configFile ?? configPath(undefined, env)
  const dataDir = checked.dataDir ?? defaultDataDir(env)
  const redactor = createRedactor()
  if (checked.api.token !== undefined) redactor.add(checked.api.token)

  const outside = await loadOutside(preset, checked, configFile)
  const arranged = arrangePlugins(preset.plugins, checked.plugins, outside)
  const contributions = createContributions(arranged)
  const secrets = await openSecrets(dataDir, warn).catch((error: Error) => {
    throw new BadConfig(`The data folder ${dataDir} cannot be used: ${error.message}`)
  })
  const printers = await resolvePrinters(checked.printers, env, secrets)
  for (const { accessCode } of printers) redactor.add(accessCode)

  const logs = await createLogs({ path: logPath(checked, dataDir), echo: edges.logEcho, redactor })
  const pluginFaults = createPluginFaults({
    outside: new Set(outside.map(({ plugin }) => plugin.name)), now, log: logs.root
  })
  const controller = new AbortController()
  const { signal } = controller
  setMaxListeners(0, signal) // every wait of every operation listens
  const events = createEmitter<Events>((error, event) => logs.root.error({ err: error, event }, 'listener failed'))
  const services = createServices()
  const faults = createHmsCatalogue()
  const pins = await openPins(dataDir, warn)
  const make = edges.createSession ?? createSession
  const limits = { ...LIMITS, ...edges.limits }
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
    onForgotten: name => events.emit('printer:forgotten', name),
    onFollowerError: (error, printer) => logs.root.error({ err: error, printer }, 'following a printer failed')
  })
  const ports = createPortPool(checked.ports.start, checked.ports.end)
  const app = fastify({
    trustProxy,
    loggerInstance: logs.root,
    childLoggerFactory: lazyChild,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 500 },
    pluginTimeout: limits.ready // for what plugins register themselves; their own time is measured by registerPlugin
  })
  let lease: PortLease<unknown> | undefined
  let folder: FolderLock | undefined
  let starting: Promise<void> | undefined
  let started = false
  let closing: Promise<void> | undefined

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
    get folderKey () { return folder?.key },
    get ready () { return started && !signal.aborted },
    events,
    services: services.view,
    plugins: new Map(arranged.map(({ plugin }) => [plugin.name, plugin])),
    operations: contributions.operations,
    logs,
    hms: faults,
    pins,
    signal,
    now,
    redact: redactor.text,
    hide: redactor.add,
    contributed: contributions.of,
    originOf: contributions.originOf,
    contributionsOf: contributions.by,
    pluginFaults,
    limits,
    call: (operation, input, options) => callOperation(kernel, operation, input, options),
    start (options) {
      starting ??= begin(options)
      return starting
    },
    close () {
      closing ??= end()
      return closing
    }
  }
  app.decorate('kernel', { getter: () => kernel })
  const pace = createPace()
  app.addHook('onRequest', (request, reply, done) => pace(request.raw, reply.raw, done)) // before those of plugins

  async function begin ({ listen = true } = {}): Promise<void> {
    checkOpen()
    if (listen) {
      folder = await lockFolder(dataDir, signal)
      await attempt('what an earlier run left', sweep(), 'removing')
    }
    const hangUp = trackConnections(app.server)
    app.addHook('preClose', async () => {
      controller.abort(new ShuttingDown())
      hangUp()
    })
    for (const entry of arranged) registerPlugin(kernel, entry, services.provide, limits)
    await withTimeout(limits.ready, Promise.resolve(app.ready()), () => new Error('the plugins are not ready in time'), signal)
    if (listen) lease = await openPort()
    if (lease) await folder?.announce(lease.port)
    checkOpen()
    await connectAll()
    started = true
  }

  async function sweep (): Promise<void> {
    await sweepLeftovers(dataDir, configFile)
    await dropOrphanCodes(configFile, dataDir, checked.printers.map(({ serial }) => serial), warn)
  }

  function checkOpen (): void {
    if (signal.aborted) throw new ShuttingDown()
  }

  async function openPort (): Promise<PortLease<unknown>> {
    const { api: { host }, ports: { preferred, strict } } = checked
    const bind = (port: number) => app.listen({ port, host })
    return await ports.claim('api', bind, preferred, strict).catch((error: NodeJS.ErrnoException) => {
      if (!NO_SUCH_HOST.has(error.code ?? '')) throw error
      throw new BadConfig(`api.host '${host}' cannot be listened on: ${error.message}`)
    })
  }

  /** Each part is ended even when another one fails or hangs. */
  async function end (): Promise<void> {
    controller.abort(new ShuttingDown())
    await starting?.catch(() => {}) // whoever called start is told
    await attempt('the service', withTimeout(CLOSE_MS, Promise.resolve(app.close()), tooLate))
    await attempt('sessions', withTimeout(CLOSE_MS, closeSessions(), tooLate))
    lease?.release()
    await pins.settled()
    await attempt('the data folder', folder?.release() ?? Promise.resolve())
    await logs.close()
  }

  async function attempt (what: string, work: Promise<unknown>, doing = 'closing'): Promise<void> {
    await work.catch((error: unknown) => logs.root.error({ err: error }, `${doing} ${what} failed`))
  }

  return kernel
}

const NO_SUCH_HOST = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'])

/** Longer than any one plugin may take, shorter than what a service manager waits. */
const CLOSE_MS = 8_000
const tooLate = () => new Error(`it did not end within ${CLOSE_MS / 1000} s`)

const logPath = ({ log }: Config, dataDir: string): string | undefined =>
  log.file === false ? undefined : log.file ?? join(dataDir, 'prn.log')

/** Plugins that the configuration names and the preset does not have. */
async function loadOutside (preset: Preset, { plugins }: Config, configFile: string): Promise<ArrangedPlugin[]> {
  const own = pluginNames(preset.plugins)
  checkConfigured(plugins, own)
  const outside = Object.entries(plugins).filter(([name, options]) => !own.has(name) && options !== false)
  return await Promise.all(outside.map(async ([name, options]) =>
    ({ plugin: await loadPlugin(name, configFile, own), options: options as object })))
}
