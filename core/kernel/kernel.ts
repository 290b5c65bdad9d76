import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { callOperation } from './call.js'
import { type Config, environment, loadConfig } from './config.js'
import { configPath, defaultDataDir } from './config-file.js'
import { createConnections } from './connections.js'
import { createEmitter } from '../util/emitter.js'
import { BadConfig, ShuttingDown } from '../errors.js'
import { createHttpServer, trackConnections, trustedProxies } from './http-server.js'
import { createHmsCatalogue } from '../printer/hms/index.js'
import { removeStaleFiles } from './stale-files.js'
import { lockFolder, type FolderLock } from './folder-lock.js'
import { takeOverFiles } from './take-over.js'
import { createPluginFaults } from './plugin-faults.js'
import { problemOfFault, problemOfSkipped, sentenceOfProblem } from './plugin-problems.js'
import { createLogs } from './log.js'
import { openPins } from './certificate-pins.js'
import { openStartRecords } from './start-records.js'
import { createPortPool, type PortLease } from './ports.js'
import type { Preset } from './plugin.js'
import { setupOrder } from './resolve-plugins.js'
import { resolvePrinters } from './resolve-printers.js'
import { removeOrphanedCodes } from './printer-config-store.js'
import { configurationSchema, secretsIn } from './marked-secrets.js'
import { createRedactor } from './redact.js'
import { createRegistry } from './registry.js'
import { selectPlugins } from './select-plugins.js'
import { openSecrets } from './secrets.js'
import { LIMITS, registerPlugin } from './register-plugin.js'
import { createSession, type RunningSession, type SessionDeps } from '../printer/index.js'
import type { PrinterConfig } from '../printer/types.js'
import type { Events, Kernel, Limits, SkippedPlugin } from './types.js'
import { VERSION } from './version.js'
import { withTimeout } from '../util/with-timeout.js'

/** External dependencies of the kernel; tests replace them. */
export interface KernelDependencies {
  readonly createSession: (config: PrinterConfig, deps: SessionDeps) => RunningSession
  /** ms since the epoch. */
  readonly now: () => number
  /** The configuration file, against which outside plugins are resolved and which management edits. */
  readonly configFile: string
  /** Receives log lines in addition to the file. */
  readonly logEcho: NodeJS.WritableStream
  /** Called for problems that do not prevent the start. */
  readonly warn: (message: string) => void
  /** Time limits for plugins. */
  readonly limits: Partial<Limits>
  /** Outside plugins that are skipped because they failed before. */
  readonly skipped: readonly SkippedPlugin[]
  /** Skips all outside plugins. */
  readonly safe: boolean
}

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
  const env = environment()
  const now = dependencies.now ?? Date.now
  const warn = dependencies.warn ?? (() => {})
  const checked = loadConfig(config)
  const trustProxy = trustedProxies(checked)
  const configFile = dependencies.configFile ?? configPath(undefined, env)
  const dataDir = checked.dataDir ?? defaultDataDir(env)
  const redactor = createRedactor()
  const { resolved, outside, skipped, services, contributions } =
    await selectPlugins(preset, checked, configFile, dependencies)
  const marked = configurationSchema(resolved.map(({ plugin }) => plugin), contributions.of)
  for (const secret of secretsIn(marked, checked)) redactor.add(secret)
  const unusable = (error: Error): never => {
    throw new BadConfig(`The data folder ${dataDir} cannot be used: ${error.message}`)
  }
  const secrets = await openSecrets(dataDir, warn).catch(unusable)
  const printers = await resolvePrinters(checked.printers, env, secrets)
  for (const { accessCode } of printers) redactor.add(accessCode)

  await takeOverFiles(dataDir, warn)
  const logs = await createLogs({ path: logPath(checked, dataDir), echo: dependencies.logEcho, redactor })
  const controller = new AbortController()
  const { signal } = controller
  const pluginFaults = createPluginFaults({
    outside: new Set(outside.map(({ plugin }) => plugin.name)),
    now,
    log: logs.root,
    signal,
    onFault: (plugin, fault) => events.emit('plugin:failed', problemOfFault(plugin, fault))
  })
  const connections = createConnections({ now, redact: redactor.text, faults: pluginFaults, journal: logs.journal })
  setMaxListeners(0, signal) // every wait of every operation adds a listener
  const events = createEmitter<Events>((error, event) => logs.root.error({ err: error, event }, 'listener failed'))
  const hms = createHmsCatalogue()
  const pins = await openPins(dataDir, warn).catch(unusable)
  const starts = await openStartRecords(dataDir, warn).catch(unusable)
  const make = dependencies.createSession ?? createSession
  const limits = { ...LIMITS, ...dependencies.limits }
  const { registry, connectAll, close: closeSessions } = createRegistry(printers, {
    defaultPrinter: checked.defaultPrinter,
    create: (printer, check) => {
      redactor.add(printer.accessCode)
      const log = logs.child('printers', { printer: printer.name })
      const wire = logs.wire.child({ printer: printer.name })
      const running = make(printer, { now, log, wire, pins, starts, explain: hms.explain, check })
      running.session.signal.addEventListener('abort', () => logs.forget(log), { once: true })
      return running
    },
    onAdded: session => events.emit('printer:added', session),
    onRemoved: name => events.emit('printer:removed', name),
    onForgotten: name => events.emit('printer:forgotten', name),
    onFollowerError: (error, printer) => logs.root.error({ err: error, printer }, 'following a printer failed')
  })
  const ports = createPortPool(checked.ports.start, checked.ports.end)
  const { app } = await createHttpServer({ trustProxy, log: logs.root, pluginTimeoutMs: limits.ready })
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
    optional: services.optional,
    plugins: new Map(resolved.map(({ plugin }) => [plugin.name, plugin])),
    outside,
    skipped,
    settings: new Map(resolved.flatMap(({ plugin, settings }) =>
      settings.spec === undefined ? [] : [[plugin.name, settings]])),
    operations: contributions.operations,
    operation: name => contributions.operations.get(name) as never, // the types are declared by name
    logs,
    hms,
    pins,
    signal,
    now,
    redact: redactor.text,
    maskSecret: redactor.add,
    contributed: contributions.of,
    originOf: contributions.originOf,
    contributionsOf: contributions.by,
    connections,
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

  async function begin ({ listen = true } = {}): Promise<void> {
    checkOpen()
    if (listen) {
      folder = await lockFolder(dataDir, signal)
      await attempt('what an earlier run left', cleanUp(), 'removing')
    }
    const closeConnections = trackConnections(app.server)
    app.addHook('preClose', async () => {
      controller.abort(new ShuttingDown())
      closeConnections()
    })
    for (const entry of setupOrder(resolved)) registerPlugin(kernel, entry, services.provide, limits)
    await withTimeout(limits.ready, Promise.resolve(app.ready()), () => new Error('the plugins were not ready in time'), signal)
    if (listen) lease = await openPort()
    if (lease) await folder?.announce(lease.port)
    checkOpen()
    await connectAll()
    started = true
    for (const plugin of skipped) reportSkipped(plugin)
  }

  function reportSkipped (skipped: SkippedPlugin): void {
    const problem = problemOfSkipped(skipped)
    logs.root.error({ err: skipped.error, plugin: skipped.plugin }, `plugin '${skipped.plugin}' is skipped`)
    warn(sentenceOfProblem(problem))
    events.emit('plugin:failed', problem)
  }

  async function cleanUp (): Promise<void> {
    await removeStaleFiles(dataDir, configFile)
    await removeOrphanedCodes(configFile, dataDir, checked.printers.map(({ serial }) => serial), warn)
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

  /** Every part is closed even if another one fails or hangs. */
  async function end (): Promise<void> {
    controller.abort(new ShuttingDown())
    await starting?.catch(() => {}) // the caller of start gets the error
    await attempt('the service', withTimeout(CLOSE_MS, Promise.resolve(app.close()), tooLate))
    await attempt('sessions', withTimeout(CLOSE_MS, closeSessions(), tooLate))
    lease?.release()
    await Promise.all([pins.settled(), starts.settled()])
    await attempt('the data folder', folder?.release() ?? Promise.resolve())
    await logs.close()
  }

  async function attempt (what: string, work: Promise<unknown>, doing = 'closing'): Promise<void> {
    await work.catch((error: unknown) => logs.root.error({ err: error }, `${doing} ${what} failed`))
  }

  return kernel
}

const NO_SUCH_HOST = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'])

/** Longer than the limit of a single plugin, shorter than the time limit of service managers. */
const CLOSE_MS = 8_000
const tooLate = () => new Error(`it did not end within ${CLOSE_MS / 1000} s`)

const logPath = ({ log }: Config, dataDir: string): string | undefined =>
  log.file === false ? undefined : log.file ?? join(dataDir, 'prnd.log')
