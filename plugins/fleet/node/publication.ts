import type { PrinterSession } from '../../../core/index.js'

/** Shortest time between two values of a printer. */
const EVERY_MS = 1_000
/** Urgent changes are published almost at once; the short delay merges bursts. */
const URGENT_MS = 50

export interface PublicationOptions {
  readonly session: PrinterSession
  /** Whether there is a connection. */
  readonly canSend: () => boolean
  /** Sends the current value. */
  readonly send: () => Promise<void>
  readonly onFailure: (error: Error) => void
}

/** The state of one printer on its way to the fleet. Only one value is in transit at a time; changes meanwhile wait. */
export class Publication {
  readonly #options: PublicationOptions
  readonly #off: readonly (() => void)[]
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #sentAt = -Infinity
  #isSending = false
  #isChanged = false
  #isEnded = false
  /** Time of the first change that is waiting or in transit. */
  #since: number | undefined

  constructor (options: PublicationOptions) {
    this.#options = options
    const { events } = options.session
    const publishSoon = () => this.publishSoon()
    this.#off = [
      events.on('state', (state, before) => this.#plan(
        state.job.gcodeState === before?.job.gcodeState && state.errors === before.errors ? EVERY_MS : URGENT_MS)),
      events.on('service', publishSoon),
      events.on('live', publishSoon),
      events.on('problem', publishSoon)
    ]
    this.publishSoon()
  }

  /** Whether a change is not sent yet. */
  get isWaiting (): boolean { return this.#isChanged }

  /** Age of the oldest change that is not stored yet, ms; 0 without any. @param now monotonic clock */
  ageMs (now: number): number { return now - (this.#since ?? now) }

  publishSoon (): void { this.#plan(URGENT_MS) }

  /** Publishes nothing more; changes that were waiting are dropped. */
  end (): void {
    this.#isEnded = true
    for (const off of this.#off) off()
    clearTimeout(this.#timer)
  }

  #plan (afterMs: number): void {
    this.#isChanged = true
    this.#since ??= performance.now()
    if (this.#isEnded || this.#isSending) return
    const dueAt = this.#sentAt + afterMs
    if (this.#timer !== undefined && this.#dueAt <= dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#send()
    }, Math.max(0, dueAt - performance.now())).unref()
  }

  async #send (): Promise<void> {
    const { canSend, send, onFailure } = this.#options
    if (this.#isEnded || this.#isSending || !canSend()) return
    this.#isSending = true
    this.#isChanged = false
    const since = this.#since
    this.#since = undefined
    this.#sentAt = performance.now()
    try {
      await send()
    } catch (error) {
      this.#since = since
      this.#isChanged = true
      onFailure(error as Error)
    } finally {
      this.#isSending = false
      if (this.#isChanged && !this.#isEnded) this.#plan(EVERY_MS)
    }
  }
}
