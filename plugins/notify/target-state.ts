const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000

/** Pause after the nth consecutive failure. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))

/** A target sends one message at a time, and pauses after a failure. */
export class TargetState {
  #running: Promise<void> | undefined
  #failures = 0
  #pausedUntil = 0
  #problem: string | undefined

  /** The attempt in progress. */
  get running (): Promise<void> | undefined { return this.#running }

  /** Why the last attempt failed; undefined after a success. */
  get problem (): string | undefined { return this.#problem }

  isFree (at: number): boolean { return this.#running === undefined && this.#pausedUntil <= at }

  run (attempt: Promise<void>): void { this.#running = attempt.finally(() => { this.#running = undefined }) }

  succeed (): void {
    this.#failures = 0
    this.#pausedUntil = 0
    this.#problem = undefined
  }

  /** A message that the target refuses for good does not delay the others. */
  refuse (problem: string): void { this.#problem = problem }

  /** @param leastMs as asked by the target @returns end of the pause */
  fail (problem: string, at: number, leastMs: number): number {
    this.#problem = problem
    this.#failures++
    this.#pausedUntil = at + Math.max(leastMs, pauseAfter(this.#failures))
    return this.#pausedUntil
  }
}
