import type { FastifyBaseLogger } from 'fastify'
import type { PrintCounting } from './counting.js'
import type { Notices } from './notices.js'
import type { Maintenance } from './service.js'
import type { WearMinutes } from './wear-minutes.js'
import type { WearStore } from './wear-store.js'

export interface TurnsDeps {
  readonly maintenance: Maintenance
  readonly counting: PrintCounting
  readonly minutes: WearMinutes
  readonly wear: Pick<WearStore, 'keepMinutes'>
  readonly notices: Notices
  readonly hasPrinters: () => boolean
  /** After every turn. @param isNew something was counted, or warned of */
  readonly onTurn: (isNew: boolean) => void
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborted when shutdown begins. */
  readonly signal: AbortSignal
  readonly everyMs: number
}

/** What another service counted is read after this time. */
const READ_ALL_MS = 600_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 300_000

/** Counts, reads and warns: one turn at a time. After failures the next turn is delayed, by up to five minutes. */
export class Turns {
  readonly #deps: TurnsDeps
  #readAllAt = -Infinity
  #failures = 0
  #turn: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor (deps: TurnsDeps) { this.#deps = deps }

  /** Takes a turn soon. */
  wake (afterMs = 0): void {
    clearTimeout(this.#timer)
    if (this.#deps.signal.aborted) return
    this.#timer = setTimeout(() => { this.#turn ??= this.#take() }, afterMs).unref()
  }

  /** Stores what is counted and not stored yet. */
  async close (): Promise<void> {
    clearTimeout(this.#timer)
    await this.#turn
    await this.#keepMinutes().catch(() => {})
  }

  async #take (): Promise<void> {
    const { log, signal, everyMs } = this.#deps
    try {
      await this.#work()
      this.#failures = 0
    } catch (error) {
      if (!signal.aborted && this.#failures++ === 0) log.warn({ err: error }, 'maintenance cannot be counted now; retrying')
    }
    this.#turn = undefined
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    this.wake(this.#failures === 0 ? everyMs : pause)
  }

  async #work (): Promise<void> {
    const { maintenance, counting, notices, hasPrinters, onTurn, signal } = this.#deps
    if (!hasPrinters()) return // without printers the database need not be opened
    // First what is known, so that the queue need not wait while a long record is counted.
    if (!maintenance.isRead) {
      await maintenance.read()
      onTurn(true)
    }
    const hasKept = await this.#keepMinutes()
    const hasCounted = await counting.run(signal)
    const isLate = performance.now() - this.#readAllAt > READ_ALL_MS
    await maintenance.read(hasKept || hasCounted || isLate)
    if (hasKept || hasCounted || isLate) this.#readAllAt = performance.now()
    if (signal.aborted) return
    const hasWarned = await notices.see(maintenance.statuses)
    onTurn(hasKept || hasCounted || hasWarned)
  }

  async #keepMinutes (): Promise<boolean> {
    const { minutes, wear, now } = this.#deps
    const hours = minutes.unstored()
    if (hours.length > 0) await wear.keepMinutes(hours)
    minutes.stored(hours, now())
    return hours.length > 0
  }
}
