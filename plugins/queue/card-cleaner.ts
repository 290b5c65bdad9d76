import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../core/index.js'
import type { FilesService } from '../files/index.js'

export interface CardCleanerDeps {
  readonly kernel: Pick<Kernel, 'now' | 'printers' | 'signal'>
  readonly files: Pick<FilesService, 'has' | 'remove'>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

interface Left { readonly serial: string, readonly path: string }

const RETRY_MS = 60_000
/** Beyond this the oldest are left where they are. */
const MOST = 500

/**
 * Removes the files of ended copies from cards. One that cannot be removed now is tried again: with a recipe in it, it
 * would eject its part whenever somebody prints it at the screen.
 */
export class CardCleaner {
  readonly #deps: CardCleanerDeps
  readonly #left = new Map<string, Left>()
  #triedAt = -Infinity
  #running: Promise<void> | undefined

  constructor (deps: CardCleanerDeps) { this.#deps = deps }

  /** Never rejects. */
  async remove (session: PrinterSession, path: string): Promise<void> {
    const { kernel, files, log } = this.#deps
    const { serial } = session.config
    const key = `${serial} ${path}`
    try {
      await files.remove(session, path, { signal: kernel.signal })
      this.#left.delete(key)
    } catch (error) {
      if (await files.has(session, path, { signal: kernel.signal }).catch(() => true) === false) {
        this.#left.delete(key)
        return
      }
      if (!this.#left.has(key)) log.warn({ err: error, printer: session.name, path }, 'the file of an ended copy cannot be removed from its card now')
      this.#left.set(key, { serial, path })
      const [oldest] = this.#left.keys()
      if (this.#left.size > MOST && oldest !== undefined) this.#left.delete(oldest)
    }
  }

  /** Tries those again that could not be removed, once a minute, in the background. */
  retry (): void {
    const { kernel } = this.#deps
    if (this.#left.size === 0 || this.#running || kernel.now() - this.#triedAt < RETRY_MS) return
    this.#triedAt = kernel.now()
    this.#running = this.#removeLeft().finally(() => { this.#running = undefined })
  }

  async settled (): Promise<void> { await this.#running }

  async #removeLeft (): Promise<void> {
    const { kernel: { printers, signal } } = this.#deps
    for (const { serial, path } of [...this.#left.values()]) {
      const session = printers.sessions.find(({ config, live }) => live && config.serial === serial)
      if (session && !signal.aborted) await this.remove(session, path)
    }
  }
}
