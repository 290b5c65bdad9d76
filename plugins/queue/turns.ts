export interface TurnTiming {
  /** Least time between two turns, ms. */
  readonly turnMs: number
  /** Longest time between two turns: for what only time or other services change. */
  readonly idleMs: number
}

/** Takes one turn at a time: soon after something may have changed, and after the idle time at the latest. */
export class Turns {
  readonly #take: () => Promise<void>
  readonly #timing: TurnTiming
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isDue = false
  #isClosed = false

  /** @param take never rejects */
  constructor (take: () => Promise<void>, timing: TurnTiming) {
    this.#take = take
    this.#timing = timing
  }

  /** Call when something may have changed. */
  wake (): void {
    if (this.#isClosed) return
    this.#isDue = true
    if (!this.#running) this.#schedule(this.#timing.turnMs)
  }

  /** Ends the turns, and waits for the one under way. */
  async close (): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule (ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => { this.#next() }, ms).unref()
  }

  #next (): void {
    this.#isDue = false
    this.#running = this.#take().finally(() => {
      this.#running = undefined
      if (!this.#isClosed) this.#schedule(this.#isDue ? this.#timing.turnMs : this.#timing.idleMs)
    })
  }
}
