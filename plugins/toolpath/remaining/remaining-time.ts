/** Seconds of layers until the printer's own pace counts as much as the file's: with fewer the estimate jumps. */
const PRIOR_SECONDS = 1_800
const SLOWEST = 3
const FASTEST = 1 / 3

export interface Observation {
  /** As the printer reports it: 0 before the first. */
  readonly layer: number
  /** Seconds of printing since the last observation; none while it is paused. */
  readonly seconds: number
  /** Of the standard speed: 1 is standard. */
  readonly speed: number
}

/** How long a print still takes: the time of the moves that are left, at the pace that the printer has shown so far. */
export class RemainingTime {
  /** Seconds before each layer by the clock of the file, and at the end those of all. */
  readonly #starts: readonly number[]
  #layer = -1
  /** The printer began the present layer after the first observation. */
  #isWhole = false
  /** Seconds at standard speed that the printer has spent in the present layer. */
  #spent = 0
  #speed = 1
  /** Seconds at standard speed, of layers that were observed from beginning to end. */
  #planned = 0
  #actual = 0

  /** @param layers seconds of each, beginning with what comes before the first */
  constructor (layers: readonly number[]) {
    const starts = [0]
    for (const seconds of layers) starts.push(starts.at(-1)! + seconds)
    this.#starts = starts
  }

  observe ({ layer, seconds, speed }: Observation): void {
    this.#spent += seconds * this.#speed
    this.#speed = speed > 0 ? speed : 1
    if (layer === this.#layer) return
    // The time before the first layer is the printer's own, and a layer number that falls is of another print.
    if (this.#isWhole && this.#layer > 0 && layer > this.#layer) {
      this.#planned += this.#startOf(layer) - this.#startOf(this.#layer)
      this.#actual += this.#spent
    }
    this.#isWhole = this.#layer >= 0
    this.#layer = layer
    this.#spent = 0
  }

  /** At the present speed. A layer that takes longer than planned does not shorten the ones after it. */
  get seconds (): number {
    const layer = Math.max(0, this.#layer)
    const start = this.#startOf(layer)
    const pace = this.#pace
    const done = Math.min(this.#spent / pace, this.#startOf(layer + 1) - start)
    return (this.#startOf(Infinity) - start - done) * pace / this.#speed
  }

  get #pace (): number {
    const pace = (PRIOR_SECONDS + this.#actual) / (PRIOR_SECONDS + this.#planned)
    return Math.min(SLOWEST, Math.max(FASTEST, pace))
  }

  #startOf (layer: number): number { return this.#starts[Math.min(layer, this.#starts.length - 1)]! }
}
