import { BadConfig, ShuttingDown } from '../errors.js'
import { withTimeout } from '../util/with-timeout.js'
import { lockFolder, type FolderLock } from './folder-lock.js'
import { trackConnections } from './http-server.js'
import { problemOfSkipped, sentenceOfProblem } from './plugin-problems.js'
import type { PortLease } from './ports.js'
import { removeOrphanedCodes } from './printer-config-store.js'
import { registerPlugin, type Provide } from './register-plugin.js'
import { setupOrder, type ResolvedPlugin } from './resolve-plugins.js'
import { removeStaleFiles } from './stale-files.js'
import type { Kernel, SkippedPlugin } from './types.js'

export interface LifecycleDeps {
  readonly kernel: Kernel
  /** Of the kernel's signal. */
  readonly controller: AbortController
  readonly plugins: readonly ResolvedPlugin[]
  readonly provide: Provide
  readonly connectPrinters: () => Promise<void>
  readonly closePrinters: () => Promise<void>
  /** Resolves when records of starts are on disk. */
  readonly startsSettled: () => Promise<unknown>
  readonly warn: (message: string) => void
}

const NO_SUCH_HOST = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'])

/** Longer than the limit of a single plugin, shorter than the time limit of service managers. */
const CLOSE_MS = 8_000
const tooLate = () => new Error(`it did not end within ${CLOSE_MS / 1000} s`)

/** Starts and closes a kernel, each once; what it opens at the start it closes at the end. */
export class Lifecycle {
  readonly #deps: LifecycleDeps
  #lease: PortLease<unknown> | undefined
  #folder: FolderLock | undefined
  #starting: Promise<void> | undefined
  #isStarted = false
  #closing: Promise<void> | undefined

  constructor (deps: LifecycleDeps) { this.#deps = deps }

  get apiPort (): number { return this.#lease?.port ?? 0 }

  get folderKey (): string | undefined { return this.#folder?.key }

  get isReady (): boolean { return this.#isStarted && !this.#deps.kernel.signal.aborted }

  start (options?: { listen?: boolean }): Promise<void> {
    this.#starting ??= this.#begin(options)
    return this.#starting
  }

  close (): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #begin ({ listen = true } = {}): Promise<void> {
    const { kernel, plugins, provide, connectPrinters } = this.#deps
    const { app, dataDir, limits, signal, skipped } = kernel
    this.#checkOpen()
    if (listen) {
      this.#folder = await lockFolder(dataDir, signal)
      if (!this.#folder.isStored) this.#deps.warn(`Nothing can be written in ${dataDir}: free some room on its disk. Records are not kept.`)
      await this.#attempt('what an earlier run left', this.#cleanUp(), 'removing')
    }
    const closeConnections = trackConnections(app.server)
    app.addHook('preClose', async () => {
      this.#abort()
      closeConnections()
    })
    for (const entry of setupOrder(plugins)) registerPlugin(kernel, entry, provide, limits)
    await withTimeout(limits.ready, Promise.resolve(app.ready()), () => new Error('the plugins were not ready in time'), signal)
    if (listen) this.#lease = await this.#openPort()
    if (this.#lease) await this.#folder?.announce(this.#lease.port)
    this.#checkOpen()
    await connectPrinters()
    this.#isStarted = true
    for (const plugin of skipped) this.#reportSkipped(plugin)
  }

  #abort (): void { this.#deps.controller.abort(new ShuttingDown()) }

  #checkOpen (): void {
    if (this.#deps.kernel.signal.aborted) throw new ShuttingDown()
  }

  #reportSkipped (skipped: SkippedPlugin): void {
    const { kernel: { logs, events }, warn } = this.#deps
    const problem = problemOfSkipped(skipped)
    logs.root.error({ err: skipped.error, plugin: skipped.plugin }, `plugin '${skipped.plugin}' is skipped`)
    warn(sentenceOfProblem(problem))
    events.emit('plugin:failed', problem)
  }

  async #cleanUp (): Promise<void> {
    const { kernel: { config, configFile, dataDir }, warn } = this.#deps
    await removeStaleFiles(dataDir, configFile)
    await removeOrphanedCodes(configFile, dataDir, config.printers.map(({ serial }) => serial), warn)
  }

  async #openPort (): Promise<PortLease<unknown>> {
    const { app, config: { api: { host }, ports: { preferred, strict } }, ports } = this.#deps.kernel
    const bind = (port: number) => app.listen({ port, host })
    return await ports.claim('api', bind, preferred, strict).catch((error: NodeJS.ErrnoException) => {
      if (!NO_SUCH_HOST.has(error.code ?? '')) throw error
      throw new BadConfig(`api.host '${host}' cannot be listened on: ${error.message}`)
    })
  }

  /** Every part is closed even if another one fails or hangs. */
  async #end (): Promise<void> {
    const { kernel: { app, logs, pins }, closePrinters, startsSettled } = this.#deps
    this.#abort()
    await this.#starting?.catch(() => {}) // the caller of start gets the error
    await this.#attempt('the service', withTimeout(CLOSE_MS, Promise.resolve(app.close()), tooLate))
    await this.#attempt('sessions', withTimeout(CLOSE_MS, closePrinters(), tooLate))
    this.#lease?.release()
    await Promise.all([pins.settled(), startsSettled()])
    await this.#attempt('the data folder', this.#folder?.release() ?? Promise.resolve())
    await logs.close()
  }

  async #attempt (what: string, work: Promise<unknown>, doing = 'closing'): Promise<void> {
    const { logs } = this.#deps.kernel
    await work.catch((error: unknown) => logs.root.error({ err: error }, `${doing} ${what} failed`))
  }
}
