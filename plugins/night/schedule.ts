import type { FastifyBaseLogger } from 'fastify'

export interface ScheduleDeps {
  /** Each is tried in every turn; one that fails does not keep the others from it. */
  readonly works: readonly (() => Promise<void>)[]
  readonly everyMs: number
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborted when shutdown begins. */
  readonly signal: AbortSignal
}

/** Takes turns one after the other. */
export class Schedule {
  readonly #deps: ScheduleDeps
  readonly #failing = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> | undefined

  constructor (deps: ScheduleDeps) { this.#deps = deps }

  wake (afterMs = 0): void {
    clearTimeout(this.#timer)
    if (this.#deps.signal.aborted) return
    this.#timer = setTimeout(() => { this.#turn ??= this.#take() }, afterMs).unref()
  }

  async close (): Promise<void> {
    clearTimeout(this.#timer)
    await this.#turn
  }

  async #take (): Promise<void> {
    for (const [at, work] of this.#deps.works.entries()) await this.#try(at, work)
    this.#turn = undefined
    this.wake(this.#deps.everyMs)
  }

  async #try (at: number, work: () => Promise<void>): Promise<void> {
    const { log, signal } = this.#deps
    if (signal.aborted) return
    try {
      await work()
      this.#failing.delete(at)
    } catch (error) {
      if (!signal.aborted && !this.#failing.has(at)) log.warn({ err: error }, 'what is due at night cannot be done now; retrying')
      this.#failing.add(at)
    }
  }
}
