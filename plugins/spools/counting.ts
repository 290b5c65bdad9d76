import type { FastifyBaseLogger } from 'fastify'
import type { Counter } from './counter.js'
import type { Reporter } from './reporter.js'
import type { Spools } from './service.js'

export interface CountingOptions {
  readonly counter: Counter
  readonly reporter: Reporter | undefined
  readonly spools: Pick<Spools, 'refresh'>
  readonly hasPrinters: () => boolean
  /** When counting began on this host, ms since the epoch. */
  readonly since: () => number
  readonly now: () => number
  readonly changed: () => void
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborted when shutdown begins. */
  readonly signal: AbortSignal
}

/** Oldest prints that are counted after a start. */
const CATCH_UP_MS = 14 * 24 * 3_600_000
/** A record still missing after this time was deleted. */
const GONE_MS = 10 * 60_000
const REFRESH_MS = 60_000
const TURN_MS = 5_000
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000

/**
 * Counts ended prints, refreshes the spools, and reports uses: one turn at a time. After failures the next turn is
 * delayed, by up to five minutes.
 */
export class Counting {
  readonly #options: CountingOptions
  /** Ended prints that are not counted yet, with the time of their end, ms of the monotonic clock. */
  readonly #ended = new Map<string, number>()
  #isCaughtUp = false
  #refreshedAt = -Infinity
  #failures = 0
  #turn: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor (options: CountingOptions) { this.#options = options }

  /** Call when a print has ended. @param id of its record */
  ended (id: string): void {
    this.#ended.set(id, performance.now())
    this.wake()
  }

  /** Takes a turn soon. */
  wake (afterMs = 0): void {
    clearTimeout(this.#timer)
    if (this.#options.signal.aborted) return
    this.#timer = setTimeout(() => { this.#turn ??= this.#takeTurn() }, afterMs).unref()
  }

  async close (): Promise<void> {
    clearTimeout(this.#timer)
    await this.#turn
  }

  async #takeTurn (): Promise<void> {
    const { log, signal } = this.#options
    try {
      await this.#work()
      this.#failures = 0
    } catch (error) {
      if (!signal.aborted && this.#failures++ === 0) log.warn({ err: error }, 'spools cannot be counted now; retrying')
    }
    this.#turn = undefined
    const pause = FIRST_PAUSE_MS * 2 ** (this.#failures - 1)
    this.wake(this.#failures === 0 ? TURN_MS : Math.min(LONGEST_PAUSE_MS, pause))
  }

  async #work (): Promise<void> {
    const { reporter, hasPrinters, signal } = this.#options
    if (!hasPrinters() && this.#ended.size === 0) return // without printers the database need not be opened
    if (performance.now() - this.#refreshedAt > REFRESH_MS) await this.#refresh()
    if (!this.#isCaughtUp) await this.#catchUp()
    await this.#count()
    await reporter?.run(signal)
  }

  async #refresh (): Promise<void> {
    const { spools, signal, changed } = this.#options
    await spools.refresh(signal)
    this.#refreshedAt = performance.now()
    changed()
  }

  /** Finds prints that ended while the service did not run. */
  async #catchUp (): Promise<void> {
    const { counter, since, now, signal } = this.#options
    const from = Math.max(since(), now() - CATCH_UP_MS)
    for (const id of await counter.catchUp(from, signal)) this.#ended.set(id, performance.now())
    this.#isCaughtUp = true
  }

  async #count (): Promise<void> {
    const { counter, changed } = this.#options
    for (const [id, since] of this.#ended) {
      const isCounted = await counter.ended(id)
      const isGone = isCounted === undefined && performance.now() - since > GONE_MS
      if (isCounted !== true && !isGone) continue
      this.#ended.delete(id)
      changed()
    }
  }
}
